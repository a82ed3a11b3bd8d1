"""What a fitted model says and why: evidence in bits, the equivalent linear model, its face."""
