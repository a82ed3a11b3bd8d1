"""What neighbours learn besides their rows: weights, scales, the number of neighbours."""
