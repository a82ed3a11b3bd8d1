"""Rows and centres: the nearest of many, with bounds that spare the search; centres that run; trees of joined rows."""
