"""Why neighbours answered as they did: which rows, and what each column adds."""
