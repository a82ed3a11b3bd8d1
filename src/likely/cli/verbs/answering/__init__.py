"""Verbs that say something about rows: classes, decisions, reasons, suggestions."""
