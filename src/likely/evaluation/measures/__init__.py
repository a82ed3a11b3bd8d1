"""What is measured of answers and posteriors."""
