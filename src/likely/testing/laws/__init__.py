"""The laws themselves, each written once."""
