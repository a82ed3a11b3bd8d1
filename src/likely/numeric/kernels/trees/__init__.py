"""Growing decision trees from codes, and walking rows down them."""
