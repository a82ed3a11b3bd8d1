"""The form that all exponential families share."""
