"""Mixture models: a table as a weighted sum of components, learned by EM from rows without labels.

    p(x) = sum_j t_j p(x | j)

Components are of any family, or of one for each column (mixed tables); a cell that is missing is integrated out. The
learning is in `climbing`; what a mixture answers is what any generative classifier does, its classes the components.
"""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely import engines
from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.schema import schema_of
from likely.data.inputs import Input, SourceInput
from likely.data.labels.target import Target, without_target
from likely.data.labels.weights import learning_weight
from likely.data.printing.wording import counted as counted_in_words
from likely.data.printing.wording import without_a_value
from likely.data.sources import Kept, Source
from likely.distributions.combined.expectation import PATIENCE, Ascent
from likely.distributions.combined.mixture import MixtureDistribution, MixtureFamily
from likely.distributions.combined.product import Product
from likely.distributions.conjugate.components import Component
from likely.distributions.family import Family
from likely.distributions.vectors.family import MultivariateGaussianFamily
from likely.engines.local import one_blas_thread
from likely.engines.progress import progress
from likely.errors import InputError, NoSuchVerbError, check_number, check_whole
from likely.models.generative.classifier import GenerativeClassifier
from likely.models.generative.em.climbing import Climb, Counted
from likely.models.generative.em.hidden import EncodedRows, FileRows, Parameters, encoded_rows
from likely.models.generative.naive_bayes import NaiveBayes
from likely.models.generative.summing.layout import Layout
from likely.models.generative.summing.options import check_alpha, refuse_words
from likely.models.learning.batches import Tasks
from likely.models.learning.holding import held
from likely.models.traits.face import Face, Section
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, PerRow
from likely.numeric.logspace import log_of
from likely.numeric.random_state import Seed, as_generator
from likely.statistics import Labelled, SideBySide

STARTS = ("k-means++", "random")
_OF_CLASSES = ("out_of_fold", "out_of_two_folds", "growing_posteriors", "parted")
_NO_CLASSES = (
    "a Mixture learns components, which are no classes of y: it predicts no label that is left out. Use "
    "BayesClassifier(Mixture(...)) for classes that are mixtures, or judge mixtures by score(X) of other rows"
)
_THREATENED = 2.0  # rows of a component that cannot know its spread


class Mixture(GenerativeClassifier):
    """A mixture model learned by EM: density, soft and hard clusters, of any family and of mixed tables with gaps.

    Parameters
    ----------
    n_components : int
    family : "gaussian", "auto", a family of `likely.distributions`, the name of one, or a mapping from column to either
        "gaussian": Gaussian vectors with this `covariance`, for tables of numbers. "auto": those for the numeric
        columns, and for every other column the usual family of its kind, independent within a component. A name
        ("bernoulli", "categorical", "poisson", ...), a kind or a family object is that of all columns.
    covariance : "full", "shared", "diagonal", "shared_diagonal", "spherical" or "shared_spherical"
        Of Gaussian vectors.
    n_init : int
        Starts, side by side; the one that climbs highest is kept. `starts_` tells how high each came.
    max_iter : int
        M steps at most.
    tol : float
        The rise per pass, relative to the log-likelihood, below which EM is at rest; with 0 it takes all its steps
        unless nothing changes.
    init : "k-means++", "random", or a `likely.distributions.MixtureDistribution` of one member
        Where EM begins: around rows far apart from each other; with rows shared out at random; or there.
    pseudo_rows : float
        Rows of the overall spread that hold a Gaussian component open (values farther than 20 distances of the
        quartiles beyond them are drawn in for it, so that no single one widens all components): without any, one that
        shrinks onto a point has no highest likelihood, and only a floor of a millionth of the overall variance stops
        it. Components of amounts and counts have so many rows like all rows together; with 0 the log posterior of
        those may fall where a component's values are all equal, or all 0.
    alpha : float, or one per column
        Pseudo-count of every level and word, as in NaiveBayes.
    missing : "ignore" or "error"
        A missing cell says nothing: it is integrated out (for full covariances by its expectation, exact for cells
        missing at random).
    random_state : seed of the starts and of `sample`

    Attributes
    ----------
    weights_ : (m,) shares of the components
    means_, covariances_ : of Gaussian components
    log_likelihoods_, log_posteriors_ : of every pass; the second, with the log prior, is what never falls
    n_iter_, converged_ : of the start that was kept
    starts_ : (n_init,) the highest log posterior of every start
    missing_rates_ : (d,) share of the rows in which each column was missing

    Examples
    --------
    >>> import numpy as np
    >>> from likely import Mixture
    >>> x = np.array([[-2.3], [-1.6], [-1.1], [-0.7], [0.2], [1.4], [1.9], [2.2], [2.8], [3.5]])
    >>> model = Mixture(2, random_state=0).fit(x)
    >>> sorted(model.means_.ravel().round(1).tolist())
    [-1.1, 2.3]
    >>> model.predict_proba([[0.5]]).max().round(2), len(model.predict(x))
    (np.float64(0.72), 10)
    """

    _estimator_type = "density_estimator"
    class_prior = None
    class_alpha = 0.0

    log_likelihoods_: Floats
    log_posteriors_: Floats
    starts_: Floats
    converged_: bool
    missing_rates_: Floats

    def __init__(
        self,
        n_components: int = 2,
        family: Family | str = "gaussian",
        covariance: str = "full",
        n_init: int = 10,
        max_iter: int = 1000,
        tol: float = 1e-6,
        init: Any = "k-means++",
        pseudo_rows: float = 0.01,
        alpha: float | ArrayLike = 1.0,
        missing: str = "ignore",
        random_state: Seed = None,
    ) -> None:
        self.n_components = n_components
        self.family = family
        self.covariance = covariance
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.init = init
        self.pseudo_rows = pseudo_rows
        self.alpha = alpha
        self.missing = missing
        self.random_state = random_state

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X: an array, a sparse matrix, a frame or `likely.scan(path)`; y is not used."""
        with self._anew():
            self._check_parameters()
            data = self._read(X)
            m = int(self.n_components)
            self._start(data)
            batches = self._batches(data, sample_weight)
            counted: Counted | None = engines.current().fold(batches, Counted.of)
            rows = 0 if counted is None else counted.rows
            if counted is None or rows < m:
                raise InputError(
                    f"n_components={m} but n_samples={rows} ({counted_in_words(rows, 'row')}): a component needs a "
                    "row; give more rows or fewer components"
                )
            if not counted.observed:
                raise InputError("every cell of the table is missing: there is nothing to learn from")
            unit = min(1.0, counted.weight / rows)  # a whole number counts rows
            if isinstance(data, SourceInput):
                batches = held(batches, counted.cells)
            how = Component(float(self.pseudo_rows) * unit)
            limits = int(self.max_iter), float(self.tol)
            with self.layout_.naming_cells(range(rows)):
                climb = Climb.over(self.layout_.families, batches, counted, m, how, *limits)
            self._keep_ascent(self._ascents(climb), unit)
            self._become({"missing_rates_": counted.missing_rates(self.layout_)})
            blank = [self.schema_.names[j] for j in np.flatnonzero(self.missing_rates_ >= 1)]
            if blank:
                warnings.warn(without_a_value(blank), stacklevel=2)
        return self

    def fit_predict(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Array:
        """Learn from rows X, and give the most probable component of each."""
        return self.fit(X, y, sample_weight).predict(X)

    @property
    def partial_fit(self) -> Any:
        """Not there: a mixture learns in many passes over all of its rows."""
        raise NoSuchVerbError(self._why_no("partial_fit"))

    @property
    def out_of_fold(self) -> Any:
        """Not there, nor what else predicts labels that were left out: components are no classes."""
        raise NoSuchVerbError(_NO_CLASSES)

    out_of_two_folds = growing_posteriors = parted = out_of_fold

    def _not_there(self, name: str) -> AttributeError:
        return NoSuchVerbError(_NO_CLASSES) if name in _OF_CLASSES else super()._not_there(name)

    @of_one_state
    def score_samples(self, X: TableLike) -> Floats:
        """Log density of each row (n,)."""
        return self.log_evidence(X)

    @of_one_state
    def score(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> float:
        """Mean log density of the rows."""
        density = self.score_samples(X)
        return float(np.average(density, weights=learning_weight(sample_weight, len(density))))

    @of_one_state
    def bic(self, X: TableLike) -> float:
        """Bayesian information criterion -2 ln L + p ln n of the rows: of several mixtures the lowest is best."""
        density = self.score_samples(X)
        return float(-2 * density.sum() + self.n_parameters_ * np.log(len(density)))

    @of_one_state
    def aic(self, X: TableLike) -> float:
        """Akaike's information criterion -2 ln L + 2 p of the rows."""
        return float(-2 * self.score_samples(X).sum() + 2 * self.n_parameters_)

    @of_one_state
    def icl(self, X: TableLike) -> float:
        """Integrated classification likelihood: BIC plus twice the entropy of the shares: it wants clear clusters."""
        shares = self.predict_proba(X)
        return self.bic(X) - 2 * float((shares * log_of(np.where(shares > 0, shares, 1.0))).sum())

    @of_one_state
    def description_length(self, X: TableLike) -> float:
        """Bits of a two-part code: the parameters, half of log2 n each, and the rows given them (BIC / 2 ln 2)."""
        return float(self.bic(X) / (2 * np.log(2)))

    @property
    def weights_(self) -> Floats:
        """(m,) shares of the components."""
        return self.class_prior_

    @property
    def means_(self) -> Floats:
        """(m, d) means of the components, of a table of numbers."""
        return np.asarray(self._gaussians()[0])

    @property
    def covariances_(self) -> Floats:
        """(m, d, d) covariances of Gaussian components."""
        return np.asarray(self._gaussians()[1])

    @property
    def n_iter_(self) -> int:
        """M steps of the start that was kept."""
        return len(self.log_likelihoods_) - 1

    def as_family(self) -> MixtureFamily:
        """The mixture as a family, for classes that are mixtures each: `BayesClassifier(Mixture(3))` asks for it."""
        self._check_parameters()
        family: Any = self.family
        if isinstance(family, str) and family == "gaussian":
            family = MultivariateGaussianFamily(self._covariance)
        elif isinstance(family, str) and family != "auto":
            from likely.distributions.names import family_named

            family = family_named(family)
        if not hasattr(family, "summarize"):
            raise InputError("as a family of its own, a mixture has one family for all columns: name it in family=")
        return MixtureFamily(family, int(self.n_components), pseudo_rows=float(self.pseudo_rows))

    def _face(self) -> Face:
        face = super()._face()
        classes, *others = face.sections
        parts = replace(classes, heads=("component", "rows"), label="components")
        height = f"log-likelihood {float(self.log_likelihoods_[self.log_posteriors_.argmax()]):.6g}"
        told = [
            height,
            counted_in_words(self.n_iter_, "pass", "passes"),
            "at rest" if self.converged_ else "not at rest",
        ]
        fit = Section(("fit",), [(text,) for text in told], "fit")
        if len(self.starts_) < 2:
            return replace(face, sections=(parts, fit, *others))
        low, high = float(self.starts_.min()), float(self.starts_.max())
        reached = f"{len(self.starts_)}, of log posteriors from {low:.6g} to {high:.6g}"
        starts = Section(("starts",), [(reached,)], "starts")
        return replace(face, sections=(parts, fit, starts, *others))

    def _read(self, X: TableLike) -> Input:
        return without_target(super()._read(X))

    def _batches(self, data: Input, sample_weight: PerRow) -> Source[EncodedRows]:
        """The rows: those of a table held in memory, those of a file to be read."""
        if isinstance(data, SourceInput):
            if sample_weight is not None:
                raise InputError("rows of a file have no sample_weight: read the file first, and give both")
            return FileRows(data, self.layout_)
        assert data.rows is not None
        weight = learning_weight(sample_weight, data.rows)
        nobody = Target(np.full(data.rows, -1, dtype=np.int32), tuple(range(int(self.n_components))))
        return held(Kept(tuple(encoded_rows(Tasks(data, nobody, weight), self.layout_))), None)

    def _ascents(self, climb: Climb) -> list[Ascent[Parameters, SideBySide]]:
        """EM from every start, side by side."""
        with progress(None, "passes of EM") as told, one_blas_thread():  # solves are small, and would wait for threads
            if isinstance(self.init, MixtureDistribution):
                return [climb.from_start(self._given_start(self.init), told)]
            rngs = as_generator(self.random_state).spawn(int(self.n_init))
            first = climb.seeded if self.init == "k-means++" else climb.shared_at_random

            def ascend(rng: np.random.Generator) -> Ascent[Parameters, SideBySide]:
                return climb.from_start(first(rng), told)

            with self.layout_.naming_cells(range(climb.counted.rows)):
                if isinstance(climb.batches, FileRows):  # read by one start after the other
                    return [ascend(rng) for rng in rngs]
                return engines.current().map(rngs, ascend)

    def _keep_ascent(self, ascents: list[Ascent[Parameters, SideBySide]], unit: float) -> None:
        heights = np.array([ascent.log_posteriors.max() for ascent in ascents])
        best = ascents[int(heights.argmax())]
        components = tuple(range(int(self.n_components)))
        at = best.parameters
        self._keep(Labelled(components, best.statistic), at.distribution, np.exp(at.log_prior))
        self._keep_passes(best.log_likelihoods, best.log_posteriors)
        self._become({"starts_": heights, "converged_": best.converged})
        if not best.converged and self.tol > 0:  # else so many passes are what was asked for
            passes = len(best.log_likelihoods) - 1
            why = (
                f"EM did not come to rest in {self.max_iter} passes: raise max_iter, or be content with a larger tol"
                if passes >= int(self.max_iter)
                else f"EM gave up after {passes} passes, of which the last {PATIENCE} brought nothing better, and the "
                "best is kept: the estimates of this family are no maximum of a posterior"
            )
            warnings.warn(why, stacklevel=3)
        few = np.flatnonzero(np.asarray(best.statistic.weight) < _THREATENED * unit)
        if len(few) and np.asarray(best.statistic.weight).sum() > 4 * _THREATENED * unit * len(components):
            have = "has" if len(few) == 1 else "have"
            warnings.warn(
                f"{counted_in_words(len(few), 'component')} of {len(components)} {have} shrunk to fewer than "
                f"{_THREATENED:g} rows ({', '.join(map(str, few[:6]))}), held open by pseudo_rows="
                f"{self.pseudo_rows!r} alone: ask for fewer components, or for more pseudo_rows",
                stacklevel=3,
            )

    def _given_start(self, start: MixtureDistribution) -> Parameters:
        m = int(self.n_components)
        if start.weights.shape != (1, m):
            raise InputError(
                f"init has weights of shape {start.weights.shape}, expected (1, {m}): one member, m components"
            )
        if len(self.layout_.families) != 1:
            raise InputError("init as a distribution needs a table of which all columns have one family")
        return Parameters(Product((start.components,)), log_of(start.weights[0]))

    def _gaussians(self) -> Any:
        self._check_fitted()
        found = self.distribution_.as_gaussians()
        if found is None:
            raise AttributeError("only a mixture of Gaussians of all columns has means_ and covariances_")
        return found

    def _layout(self, data: Input) -> Layout:
        return NaiveBayes(kinds=self._kinds(data), alpha=self.alpha, missing=self.missing)._layout(data)

    def _kinds(self, data: Input) -> Any:
        """What `NaiveBayes` calls kinds: numbers have Gaussian vectors together."""
        vectors = MultivariateGaussianFamily(self._covariance)
        if isinstance(self.family, Mapping):
            return dict(self.family)
        if not isinstance(self.family, str):
            return self.family
        if self.family == "gaussian":
            schema = schema_of(data, "numeric")
            refuse_words(schema, data)
            return {column.name: vectors for column in schema.columns}
        if self.family != "auto":
            return self.family
        schema = schema_of(data)
        return {column.name: vectors for column in schema.columns if column.kind == "numeric"} or "auto"

    @property
    def _covariance(self) -> Any:
        return self.covariance

    def _check_parameters(self) -> None:
        super()._check_parameters()
        for name in ("n_components", "n_init", "max_iter"):
            check_whole(name, getattr(self, name))
        if self.missing not in ("ignore", "error"):
            raise InputError(f"missing={self.missing!r} is not for mixtures; choose 'ignore' or 'error'")
        if not isinstance(self.init, MixtureDistribution) and self.init not in STARTS:
            raise InputError(
                f"unknown init={self.init!r}; choose from {', '.join(STARTS)}, or give a MixtureDistribution"
            )
        for name in ("tol", "pseudo_rows"):
            check_number(name, getattr(self, name))
        check_alpha(self.alpha)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags
