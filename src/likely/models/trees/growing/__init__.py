"""How trees are grown: tables as codes, gains of splits, one tree, many in turn, and what is cut back."""
