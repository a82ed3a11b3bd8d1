"""What laws are tried on: tables, models, values at which a density sums to one."""
