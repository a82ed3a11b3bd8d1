"""Files of models around other models."""
