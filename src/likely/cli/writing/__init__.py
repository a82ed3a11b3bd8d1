"""What the verbs write: answers, models, pictures, and where they may be written."""
