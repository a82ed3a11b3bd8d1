"""From a study to its page."""
