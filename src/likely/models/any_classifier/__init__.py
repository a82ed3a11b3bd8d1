"""Any classifier that speaks scikit-learn: cloned, fitted, asked, wrapped."""
