"""The workloads, a module for each part of the library."""
