"""Attacks on everything that reads what others wrote: model files, the command, tables, mail; signals and threads."""
