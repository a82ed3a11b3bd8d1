"""Laws of chance and what is believed of their parameters, drawn."""
