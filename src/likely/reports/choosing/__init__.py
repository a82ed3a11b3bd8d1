"""From candidates to the model that is kept."""
