"""Whether one classifier is better than another."""
