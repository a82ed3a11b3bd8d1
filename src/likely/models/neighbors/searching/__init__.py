"""The rows that are kept, the nearest of them, and what they say together."""
