"""What combines families: products of independent parts, mixtures, and EM for what is hidden."""
