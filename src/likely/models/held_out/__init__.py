"""Rows judged by models that have not seen them: exactly where a model can, by refitting where it cannot."""
