"""Estimators in scikit-learn's convention, without importing scikit-learn."""
