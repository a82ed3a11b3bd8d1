"""Rows judged by models that have not seen them."""
