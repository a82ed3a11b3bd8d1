"""The container on disk: members, digests, replacing a file whole, and what may be read from it."""
