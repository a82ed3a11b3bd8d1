"""What is believed of parameters: conjugate priors and their posteriors."""
