"""Joint and conditional tables, and how their variables depend on each other."""
