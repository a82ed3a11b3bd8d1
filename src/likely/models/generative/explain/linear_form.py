"""From generative to discriminative: the softmax model that has the same posteriors.

    p(k | x) = softmax_k( w_k . G(x) + b_k )

Every exponential family has this form, G being its sufficient statistic: x itself for Bernoulli, multinomial and
Poisson features and for Gaussians with a shared covariance; a 1-from-L indicator for nominal features; x and x squared
for Gaussian features whose variances differ between the classes; how often each word occurs in a text, or whether it
does. A row with missing cells has no such form: its G is not known.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.accepted import TableLike
from likely.data.inputs import read_input
from likely.data.printing.html_table import as_html
from likely.data.printing.text_table import aligned
from likely.data.printing.wording import counted, shortened
from likely.data.text import read_documents
from likely.distributions.capabilities.linear import linear_terms
from likely.errors import InputError, TierError
from likely.models.generative.answers.fitted import FittedGenerative
from likely.models.generative.summing.layout import Layout, missing_cells
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of, normalize

_SHOWN = 20  # terms


@dataclass(frozen=True)
class LinearForm:
    """A softmax (multinomial logistic) model: its weights over the terms of `design`."""

    classes: Array  # (k,)
    coef: Floats  # (k, m)
    intercept: Floats  # (k,)
    names: tuple[str, ...]  # of the m terms
    _layout: Layout
    _designs: tuple[Callable[[Any], Floats], ...]

    def design(self, X: TableLike) -> Floats:
        """The terms G(x) of every row (n, m)."""
        data = self._layout.schema.align(self._read(X))
        blocks = []
        for start, batch in data.batches():
            rows = self._layout.rows(batch, start, learning=False)
            for part in rows:
                if missing_cells(part).any():
                    raise InputError("a row with missing cells has no linear form; use the generative model for it")
            blocks.append(np.hstack([design(part) for design, part in zip(self._designs, rows, strict=True)]))
        return np.concatenate(blocks)

    def _read(self, X: TableLike) -> Any:
        """A table; texts by themselves are one too where there is nothing else."""
        from likely.data.frames.recognition import is_frame

        alone = len(self._layout.columns_with("tokens")) == self._layout.schema.width == 1
        if not alone or is_frame(X):
            return read_input(X)
        texts = np.array(read_documents(X), dtype=object)
        if self._layout.schema.named:
            import polars as pl

            return read_input(pl.DataFrame({self._layout.schema.names[0]: texts}))
        return read_input(texts[:, None])

    def predict_proba(self, X: TableLike) -> Floats:
        """Posteriors of the softmax model."""
        return normalize(self.design(X) @ self.coef.T + self.intercept)

    def log_odds(self, for_class: Hashable, against: Hashable) -> tuple[Floats, float]:
        """Weights and constant of the logistic model of one class against another."""
        k, other = (int(np.flatnonzero(self.classes == name)[0]) for name in (for_class, against))
        return self.coef[k] - self.coef[other], float(self.intercept[k] - self.intercept[other])

    def __str__(self) -> str:
        head, rows = self._table()
        return "\n".join([self._title(), aligned([head, *rows])])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(self._title(), *self._table())

    def _title(self) -> str:
        return f"softmax model of {counted(len(self.names), 'term')}: weights for each class"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        """The weights of the first terms, and the constants: a column for each class."""
        each = zip(self.names[:_SHOWN], self.coef.T.tolist(), strict=False)
        rows = [[shortened(name), *(f"{weight:.4g}" for weight in weights)] for name, weights in each]
        if len(self.names) > _SHOWN:
            rows.append([f"({len(self.names) - _SHOWN:,} more)", *[""] * len(self.classes)])
        rows.append(["(constant)", *(f"{constant:.4g}" for constant in self.intercept.tolist())])
        return ["term", *(shortened(str(name)) for name in self.classes.tolist())], rows


def linear_form(model: FittedGenerative) -> LinearForm:
    """The softmax model equivalent to a fitted generative classifier.

    >>> from likely import GaussianBayes
    >>> model = GaussianBayes("shared").fit([[0.0], [2.0], [5.0], [7.0]], ["a", "a", "b", "b"])
    >>> weights, constant = model.as_linear().log_odds("b", "a")
    >>> weights.round(6), round(constant, 6)
    (array([5.]), -17.5)
    """
    layout = model.layout_
    if layout.missing == "evidence":
        raise TierError("with missing='evidence' the posterior is not linear in the table's columns alone")
    coefs, designs = [], []
    names: list[str] = []
    intercept = log_of(model.class_prior_)
    for part, fitted in zip(layout.parts, model.distribution_.parts, strict=True):
        own = tuple(layout.schema.columns[j].name for j in part.columns)
        coef, constant, design, terms = linear_terms(fitted, own)
        if not np.isfinite(coef).all():
            raise TierError("a probability of 0 has no finite weight; fit with alpha > 0")
        coefs.append(coef)
        designs.append(design)
        names.extend(terms)
        intercept = intercept + constant
    return LinearForm(model.classes_, np.hstack(coefs), intercept, tuple(names), layout, tuple(designs))
