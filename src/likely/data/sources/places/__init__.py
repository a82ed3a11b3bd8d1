"""Where tables are: paths and patterns, addresses, pipes, and files that are there only for a while."""
