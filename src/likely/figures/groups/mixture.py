"""EM drawn: a mixture over its rows, the density after successive passes, and how high every start climbs.

Of one column the density and its components' parts of it; of two the rows in the colours of their components, with the
ellipses of two deviations. Several starts come to rest in several places: local maxima are a fact to show.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike
from likely.data.frames import column_names
from likely.data.printing.wording import counted
from likely.errors import InputError
from likely.figures.drawing.canvas import INK, MUTED, Axes, Drawn, canvas, colour, panels, plain_names
from likely.figures.drawing.legends import legend
from likely.figures.laws.ellipses import draw_ellipses
from likely.models.generative.mixture import Mixture
from likely.numeric.arrays import Floats, in_brief

_PASSES = (1, 2, 5, 10, 1000)
_RUG = 400  # rows that are still drawn one by one
_ROWS = 2000  # dots of a scatter


@dataclass(eq=False)
class MixtureDisplay(Drawn):
    """A mixture of one or two columns, and the way of EM.

    >>> import matplotlib; matplotlib.use("agg")
    >>> x = np.array([-2.3, -1.6, -1.1, -0.7, 0.2, 1.4, 1.9, 2.2, 2.8, 3.5])
    >>> display = MixtureDisplay.from_values(x, 2, passes=(1, 5), starts=3)
    >>> display.frame().columns, len(display.climbs)
    (['passes', 'x', 'density'], 3)
    >>> matplotlib.pyplot.close("all")
    """

    rows: Floats  # (n, d)  of one or two columns
    models: dict[int, Mixture]  # by the number of passes
    climbs: list[Floats]  # log-likelihood of every pass of every start
    names: tuple[str, ...] = ()  # of the columns; none or d
    panels_: Any = field(default=None, init=False, repr=False)

    __repr__ = in_brief

    @classmethod
    def from_values(
        cls,
        X: TableLike,
        n_components: int = 2,
        *,
        passes: Sequence[int] = _PASSES,
        starts: int = 5,
        random_state: int = 0,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Learn mixtures of rows X (n,), (n, 1) or (n, 2) and draw them; the options are those of `Mixture`."""
        rows = _read(X)
        settings = {**options, "n_components": n_components, "random_state": random_state, "n_init": 1}
        models = {p: _after(rows, p, settings) for p in passes}
        climbs = [_after(rows, max(passes), {**settings, "random_state": random_state + s}) for s in range(starts)]
        return cls(rows, models, [np.asarray(m.log_likelihoods_) for m in climbs], _names(X)).plot(ax)

    @classmethod
    def from_passes(
        cls, X: TableLike, model: Mixture, *, passes: Sequence[int] = _PASSES, ax: Axes | None = None
    ) -> Self:
        """Draw the way of a model, learned again with fewer passes from the same start: a given one, or by its seed.

        X are the rows that the model was fitted to. Where it took no more passes than asked for, it is drawn itself.
        """
        model._check_fitted()
        rows = _read(X)
        models = {p: model if p >= model.n_iter_ else _after(rows, p, _same_start(model)) for p in passes}
        return cls(rows, models, [np.asarray(model.log_likelihoods_)], _names(X)).plot(ax)

    @classmethod
    def from_estimator(cls, model: Mixture, X: TableLike, *, ax: Axes | None = None) -> Self:
        """Draw a fitted mixture over rows X, and how its log-likelihood rose."""
        model._check_fitted()
        climbed = np.asarray(model.log_likelihoods_)
        return cls(_read(X), {len(climbed) - 1: model}, [climbed], _names(X)).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, divided in two, or on new ones."""
        self.figure_, self.ax_ = canvas(ax, 9.0, 4.0)
        self.panels_ = panels(self.ax_, 2)
        for panel in self.panels_:
            canvas(panel)
        draw = self._draw_curves if self.rows.shape[1] == 1 else self._draw_plane
        draw(self.panels_[0])
        for place, climb in enumerate(self.climbs):
            self.panels_[1].plot(np.arange(len(climb)), climb, color=colour(place), lw=1.6, gid="climb")
        self.panels_[1].set(xlabel="pass of EM", ylabel="log-likelihood")
        return self

    def frame(self) -> Any:
        """The densities of one column where they are drawn, as a Polars frame; of two, the rows and their shares."""
        import polars as pl

        if self.rows.shape[1] == 2:
            shares = self._final.predict_proba(_named(self._final, self.rows))
            columns = {f"share_{j}": shares[:, j] for j in range(shares.shape[1])}
            return pl.DataFrame({"x": self.rows[:, 0], "y": self.rows[:, 1], **columns})
        x = self._grid()
        parts = [
            pl.DataFrame({"passes": [p] * len(x), "x": x, "density": np.exp(m.score_samples(_named(m, x[:, None])))})
            for p, m in self.models.items()
        ]
        return pl.concat(parts)

    @property
    def _final(self) -> Mixture:
        return self.models[max(self.models)]

    def _grid(self) -> Floats:
        low, high = np.nanmin(self.rows), np.nanmax(self.rows)
        margin = 0.25 * (high - low) or 1.0
        return np.linspace(low - margin, high + margin, 401)

    def _draw_curves(self, ax: Axes) -> None:
        x = self._grid()
        for place, (passes, model) in enumerate(sorted(self.models.items())):
            last = model is self._final
            taken = counted(model.n_iter_ if last else passes, "pass", "passes")
            words = f"at rest ({taken})" if last and model.converged_ else f"after {taken}"
            density = np.exp(model.score_samples(_named(model, x[:, None])))
            ax.plot(
                x, density, color=INK if last else colour(place), lw=2.0 if last else 1.2, label=words, gid="density"
            )
        parts = np.exp(self._final.log_likelihood(_named(self._final, x[:, None]))) * self._final.weights_
        for place in range(parts.shape[1]):
            ax.plot(x, parts[:, place], color=MUTED, lw=1.0, ls="--", label="its components" if place == 0 else None)
        if len(self.rows) <= _RUG:
            ax.plot(self.rows[:, 0], np.zeros(len(self.rows)), "|", color=INK, ms=9, clip_on=False)
        ax.set(xlabel=self.names[0] if self.names else "x", ylabel="density", ylim=(0, 1.08 * ax.dataLim.y1))
        legend(ax)

    def _draw_plane(self, ax: Axes) -> None:
        rows = self.rows[:: max(1, len(self.rows) // _ROWS)]
        own = self._final.predict(_named(self._final, rows))
        for j, (mean, covariance) in enumerate(zip(self._final.means_, self._final.covariances_, strict=True)):
            mine = rows[own == j]
            ax.plot(mine[:, 0], mine[:, 1], ".", color=colour(j), ms=4, alpha=0.7)
            draw_ellipses(ax, mean, covariance, colour(j), (2.0,), f"{j}: share {self._final.weights_[j]:.2f}")
        across, up = self.names or ("first column", "second column")
        ax.set(xlabel=across, ylabel=up)
        legend(ax)


def _read(X: TableLike) -> Floats:
    rows = np.asarray(X, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or rows.shape[1] not in (1, 2):
        raise InputError(f"a mixture is drawn of one or two columns of numbers, got shape {rows.shape}: choose them")
    return rows


def _names(X: TableLike) -> tuple[str, ...]:
    """What a frame or a series calls its columns; nothing of an array."""
    one = getattr(X, "name", None)  # of a series
    found = column_names(X) if one is None else [one]
    return tuple(str(name) for name in found or ())


def _named(model: Mixture, rows: Floats) -> Any:
    """Rows under the names that the model has learned its columns by, if it has."""
    import polars as pl

    names = getattr(model, "feature_names_in_", None)
    return rows if names is None else pl.DataFrame(rows, schema=[str(name) for name in names], orient="row")


def _same_start(model: Mixture) -> dict[str, Any]:
    """The settings of a mixture that begins where the best of all starts of this one began."""
    settings = {**model.get_params(deep=False), "n_init": 1}
    if not isinstance(model.init, str):
        return settings
    if isinstance(model.random_state, bool) or not isinstance(model.random_state, int | np.integer):
        raise InputError(
            "the way of a mixture is learned again from its seed: fit it with a whole number as random_state, or draw "
            "it alone by from_estimator"
        )
    start = np.random.SeedSequence(int(model.random_state), n_children_spawned=int(np.argmax(model.starts_)))
    return {**settings, "random_state": start}


def _after(rows: Floats, passes: int, settings: dict[str, Any]) -> Mixture:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it is not at rest is what is drawn
        return Mixture(**{**settings, "max_iter": passes}).fit(rows)
