"""What any model has to beat."""
