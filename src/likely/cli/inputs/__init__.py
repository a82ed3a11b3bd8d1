"""What the verbs read: tables by name, aligned with a model, split into parts, batch by batch where large."""
