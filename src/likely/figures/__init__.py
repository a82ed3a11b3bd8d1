"""The pictures: each is a Display in scikit-learn's convention, with its numbers as a frame."""
