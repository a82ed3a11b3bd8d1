"""Worked examples of decisions, calibration and evaluation."""
