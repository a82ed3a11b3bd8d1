"""Formats of files, each read in batches: delimited text, JSON lines, ARFF, Parquet, documents, compressed bytes."""
