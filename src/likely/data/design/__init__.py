"""Tables as matrices of numbers: the design matrix that linear models, networks, neighbours and clusters learn from."""

from likely.data.design.design import Design, DesignColumn
from likely.data.design.plan import DesignPlan

__all__ = ["Design", "DesignColumn", "DesignPlan"]
