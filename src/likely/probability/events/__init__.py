"""Worlds and the events that may hold in them."""
