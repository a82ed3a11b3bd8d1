"""What is wrong with the training rows."""
