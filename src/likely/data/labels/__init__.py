"""The target and what goes with each row: classes as codes, amounts, weights."""
