"""A document as a page and as Markdown."""
