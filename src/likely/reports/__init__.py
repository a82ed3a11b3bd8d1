"""The study and its report: models compared, one kept, and a page to hand on."""

from likely.reports.study import Study, study

__all__ = ["Study", "study"]
