"""What a fitted generative model gives: densities, posteriors, rows drawn from it."""
