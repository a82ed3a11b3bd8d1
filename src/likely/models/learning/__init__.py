"""How rows reach a model that learns: batch by batch, as a matrix, or whole and in an order."""
