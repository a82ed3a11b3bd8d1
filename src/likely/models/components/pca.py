"""Principal components: the directions in which rows vary most.

    S = sum (x - mean)(x - mean)^T / (N - 1) = V diag(lambda) V^T        y = (x - mean) V

The first component has the largest variance of all directions, lambda_1, the next the largest of those at right angles
to it, and so on. S comes from the scatter of all rows, a sum: so models merge, forget and learn on, and files are read
in one pass. Where rows have gaps, S is that of maximum likelihood (EM), and a row's missing cells are expected from
those that it has.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from likely import engines
from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.columns.schema import Schema
from likely.data.design import DesignPlan
from likely.data.inputs import Input
from likely.errors import InputError, TierError
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import check_confidence
from likely.models.components.figures import ComponentFigures
from likely.models.components.filling import expected_cells
from likely.models.components.projection import along
from likely.models.components.scattered import ScatterOf, ScatterOfNumbers, own_moments, stays_as_it_is
from likely.models.components.settings import check_settings, other_columns
from likely.models.components.shares import kept_shares, normal_errors, row_errors, share_interval, squares_along
from likely.models.components.spread import Spread, complete, eigen, leading, number_for_share, spread_of
from likely.models.components.stored import read_again
from likely.models.estimator import Transformer
from likely.models.learning.unlabelled import MatrixEstimator, MatrixRows
from likely.models.traits.face import Face, Section
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Floats, PerRow, as_floats
from likely.numeric.random_state import Seed, as_generator
from likely.statistics import SideBySide
from likely.statistics.summing.scatter import Scatter

_WIDE = 2000  # columns, beyond which the scatter is not formed unless it is asked for
_WIDE_SPARSE = 500  # the same of a sparse matrix, whose rows are filled up for it


class PCA(ComponentFigures, MatrixEstimator, Transformer):
    """Principal components of tables of any kinds with gaps.

    Parameters
    ----------
    n_components : int, share or None
        How many; a share such as 0.9 is as many as keep that share of the variance; None is all.
    standardize : bool
        Whether columns are divided by their deviations first (components of the correlations), so that units do not
        matter; False as in scikit-learn.
    whiten : bool
        Whether scores have variance 1.
    solver : "auto", "scatter" or "randomized"
        From the scatter of all columns, in one pass; or the leading components alone, in eight passes that never form
        it, for wide and sparse tables. "auto" is the latter beyond 2,000 columns, 500 of a sparse matrix.
    missing : "em" or "pairs"
        Where rows have gaps: maximum likelihood by EM; or covariances of the rows that have both columns, in one pass,
        which is what models that were merged, learned on or forgot have.
    max_iter : int
        Passes of EM at most.
    tol : float
        The gain in log-likelihood of a row below which EM stops.
    kinds : "auto", a kind, or a mapping from column to kind
        What columns are taken for; each level of a nominal column has a column of 0 and 1.
    random_state : int, generator or None
        Of the solver "randomized".

    Attributes
    ----------
    components_ : (l, m) unit vectors, the largest number of each positive
    explained_variance_, explained_variance_ratio_ : (l,)
    loadings_ : (m, l) correlation of each column of `design_.names` with each component
    mean_, scale_ : (m,)
    noise_variance_ : mean variance of the directions left out
    statistic_ : the scatter of all rows, with the solver "scatter"
    log_likelihoods_ : of the passes of EM, where there were gaps; with a light prior that keeps the covariance regular

    Examples
    --------
    >>> from likely import PCA
    >>> rows = [[1.0, 2.1], [2.0, 3.9], [3.0, 6.2], [4.0, 7.8]]
    >>> model = PCA(1).fit(rows)
    >>> model.components_.round(2), model.explained_variance_ratio_.round(4)
    (array([[0.46, 0.89]]), array([0.9993]))
    >>> model.inverse_transform(model.transform([[2.5, 5.0]])).round(2)
    array([[2.5, 5. ]])
    >>> both = PCA(1).fit(rows[:2]) + PCA(1).fit(rows[2:])
    >>> bool(abs(both.components_ - model.components_).max() < 1e-12)
    True
    """

    statistic_: Scatter | None
    spread_: Spread
    n_samples_: float  # sum of weights
    log_likelihoods_: Floats  # (passes,)  empty without gaps
    n_components_: int

    def __init__(
        self,
        n_components: float | None = None,
        standardize: bool = False,
        whiten: bool = False,
        solver: str = "auto",
        missing: str = "em",
        max_iter: int = 200,
        tol: float = 1e-6,
        kinds: Kinds = "auto",
        random_state: Seed = None,
    ) -> None:
        self.n_components = n_components
        self.standardize = standardize
        self.whiten = whiten
        self.solver = solver
        self.missing = missing
        self.max_iter = max_iter
        self.tol = tol
        self.kinds = kinds
        self.random_state = random_state

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn the components of rows X: an array, a sparse matrix, a frame or `likely.scan(path)`; y is not used."""
        self._check_parameters()
        with self._anew():
            rows = self._look(X, sample_weight)
            if self._randomized:
                self._fit_leading(rows)
                return self
            statistic = self._summed(rows)
            if statistic.complete or self.missing == "pairs" or self._complete:
                self._learn(statistic)
            else:
                self._fit_completed(rows, statistic)
        return self

    def partial_fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn more rows: the components are those of all rows so far."""
        self._check_parameters()
        with self._onward():
            if not self.__sklearn_is_fitted__():
                with self._anew():
                    rows = self._look(X, sample_weight)
                    self._check_tier("learn on")
                    self._learn(self._summed(rows))
                return self
            sums, seen = self._seen(X, sample_weight, "learn on")
            assert self.statistic_ is not None
            self._learn_with(self.sums_ + sums, self.statistic_ + seen)
        return self

    def merge(self, other: "PCA") -> Self:
        """Merge two models into a new one of the rows of both; neither of them changes."""
        if not isinstance(other, PCA):
            raise InputError(f"a PCA merges with another, not with a {type(other).__name__}")
        mine, its = self._as_it_is(), other._as_it_is()
        mine._check_fitted()
        its._check_fitted()
        if mine.get_params() != its.get_params():
            raise InputError("models that are merged must have the same parameters")
        new = type(self)(**mine.get_params())
        for one in (mine, its):
            one._check_tier("merge")
        assert mine.statistic_ is not None and its.statistic_ is not None
        if not mine.design_.plan.alike(its.design_.plan) or mine.design_.names != its.design_.names:
            raise other_columns(mine.design_.names, its.design_.names)
        with new._anew():
            new._begin(mine.design_.plan, mine.sums_ + its.sums_)
            new._learn(mine.statistic_ + its.statistic_)
        return new

    def forget(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Unlearn rows, changing this model: it becomes what it would be had it never seen them, and is returned."""
        with self._onward():
            self._check_fitted()
            sums, seen = self._seen(X, sample_weight, "forget")
            assert self.statistic_ is not None
            self._learn_with(self.sums_.without(sums), self.statistic_.without(seen))
        return self

    def _transform(self, data: Any) -> Floats:
        return self._each_row_into(data, self._scores, self.n_components_)

    @of_one_state
    def inverse_transform(self, X: TableLike) -> Floats:
        """Rows (n, m), in the units of `design_.names`, from scores (n, l): what the components kept of them."""
        self._check_fitted()
        scores = as_floats(X, "the scores")
        if scores.ndim != 2 or scores.shape[1] != self.n_components_:
            raise InputError(f"expected scores of {self.n_components_} components, got shape {scores.shape}")
        if self.whiten:
            scores = scores * np.sqrt(self.explained_variance_)
        return np.asarray(scores @ self.components_ * self.scale_ + self.mean_)

    @of_one_state
    def complete(self, X: TableLike) -> Floats:
        """Rows (n, m) of the design matrix with their missing cells filled in by what the others let expect."""
        self._check_fitted()
        return np.asarray(self._each_row(X, lambda x: self._filled(x) * self.scale_ + self.mean_))

    @of_one_state
    def share_intervals(
        self, X: TableLike | None = None, confidence: float = 0.95, sample_weight: PerRow = None
    ) -> list[Estimate]:
        """The share of the variance that the first 1, 2, ... components have, each with an interval.

        From the rows X that were learned, whatever their law: by how far each row would move the share (the
        infinitesimal jackknife). Without them by the large-sample law of eigenvalues of normal rows, whose variances
        are 2 lambda^2 / (N - 1), which is too narrow for heavier tails. Ends by Student's t on the scale of log odds.

        >>> rows = np.random.default_rng(0).normal(size=(200, 3)) * [3.0, 2.0, 1.0]
        >>> print(PCA().fit(rows).share_intervals()[1])
        0.934 [0.917, 0.948] 95 % delta method, normal rows, n=200
        >>> print(PCA().fit(rows).share_intervals(rows)[1])
        0.934 [0.916, 0.948] 95 % delta method, n=200
        """
        self._check_fitted()
        check_confidence(confidence)
        kept, n = kept_shares(self.spread_, self.n_components_), self.n_samples_
        if X is None:
            error, method = normal_errors(self.spread_, kept, n, self.design_.width), "delta method, normal rows"
        else:
            each = self._each_row(X, lambda x: squares_along(self._filled(x), self.components_))
            error, method = row_errors(self.spread_, kept, each, sample_weight), "delta method"
        return [share_interval(float(q), float(e), confidence, method, n) for q, e in zip(kept, error, strict=True)]

    @property
    def n_iter_(self) -> int:
        """Passes of EM; 1 where there were no gaps."""
        return max(1, len(self.log_likelihoods_))

    @property
    def n_features_out_(self) -> int:  # type: ignore[override]
        """Columns of what `transform` gives: the components kept."""
        return self.n_components_

    def _plan(self, schema: Schema, centred: bool) -> DesignPlan:
        return DesignPlan.of(schema, centred=centred, standardize=False, gaps="kept")

    def _first_sums(self, data: Input, plan: DesignPlan, weight: Floats | None) -> SideBySide | None:
        scattered = self.solver == "scatter" or (self.solver == "auto" and plan.schema.width <= _WIDE)
        if not scattered or not stays_as_it_is(plan, data):
            return super()._first_sums(data, plan, weight)
        statistic: Scatter | None = engines.current().fold(data, ScatterOfNumbers(plan, weight))
        if statistic is not None:
            self._become({"statistic_": statistic})
        return None if statistic is None else SideBySide(statistic.weight, (own_moments(statistic),))

    def _summed(self, rows: MatrixRows) -> Scatter:
        """The scatter of all rows, unless the first pass has summed it."""
        found: Scatter = self._learned().get("statistic_") or engines.current().fold(rows, ScatterOf())
        return found

    @property
    def _randomized(self) -> bool:
        if self.solver != "auto":
            return self.solver == "randomized"
        return self.design_.width > (_WIDE_SPARSE if self.design_.sparse else _WIDE)

    def _fit_leading(self, rows: MatrixRows) -> None:
        wanted = self.n_components
        if isinstance(wanted, float) and not float(wanted).is_integer():
            raise InputError("solver='randomized' finds a number of components, not a share: give a whole number")
        kept = rows.held()
        weight = float(self.sums_.weight.sum())
        most = int(min(self.design_.width, max(weight, 1)))
        count = min(most, 50) if wanted is None else self._number(int(wanted), most)
        found = leading(kept, self._origin(), count, bool(self.standardize), as_generator(self.random_state))
        self._keep(found, weight, None, np.empty(0))

    def _fit_completed(self, rows: MatrixRows, statistic: Scatter) -> None:
        found = complete(rows.held(), statistic, self.max_iter, self.tol)
        spread = eigen(found.mean, found.covariance, bool(self.standardize))
        self._keep(spread, float(statistic.weight[0]), statistic, found.log_likelihoods)

    def _learn(self, statistic: Scatter) -> None:
        self._keep(spread_of(statistic, bool(self.standardize)), float(statistic.weight[0]), statistic, np.empty(0))

    def _learn_with(self, sums: SideBySide, statistic: Scatter) -> None:
        plan, names = self.design_.plan, self.design_.names
        design = plan.design(sums)
        if design.names != names:
            raise other_columns(names, design.names)
        if not float(statistic.weight[0]) > 0:
            raise InputError("no row would be left: fit anew instead")
        self._become({"sums_": sums, "design_": design})
        self._learn(statistic)

    def _seen(self, X: TableLike, sample_weight: PerRow, what: str) -> tuple[SideBySide, Scatter]:
        """The sums of later rows, of the design and of the scatter."""
        self._check_tier(what)
        rows = self._more(X, sample_weight)
        sums = super()._first_sums(rows.data, self.design_.plan, rows.weight)
        if sums is None:
            raise InputError("the file has no rows")
        return sums, engines.current().fold(rows, ScatterOf())

    @staticmethod
    def obstacle(given: Mapping[str, Any], summed: bool) -> str:
        return "" if summed else "components found by solver='randomized' rest on no sums"

    def _check_tier(self, what: str) -> None:
        if self._randomized:
            raise TierError(f"components found by solver='randomized' cannot {what}: fit anew, or use solver='scatter'")

    def _keep(self, found: Spread, weight: float, statistic: Scatter | None, reached: Floats) -> None:
        wanted, most = self.n_components, int(min(len(found.values), max(weight, 1)))
        if wanted is not None and float(wanted).is_integer():
            count = self._number(int(wanted), most)
        else:
            count = min(most, number_for_share(found.values, found.total, wanted))
        learned = {"spread_": found, "n_samples_": weight, "n_components_": count}
        self._become({**learned, "statistic_": statistic, "log_likelihoods_": reached})

    def _number(self, wanted: int, most: int) -> int:
        if wanted > most:
            raise InputError(
                f"n_components={wanted} must be at most {most}, the smaller of the numbers of rows "
                f"(n_samples={self.sums_.weight.sum():g}) and of columns ({self.design_.width})"
            )
        return wanted

    def _scores(self, x: Any, out: Floats) -> Floats:
        scores = along(x, self.mean_, self.components_ / self.scale_, out)
        gaps = np.isnan(scores[:, :1]).any(axis=1)  # a gap leaves none of its scores
        if gaps.any():
            scores[gaps] = self._filled(x[gaps]) @ self.components_.T
        if self.whiten:
            deviation = np.sqrt(self.explained_variance_)
            real = deviation > 0
            np.divide(scores, deviation, out=scores, where=real)
            scores[:, ~real] = 0.0
        return scores

    def _filled(self, x: Any) -> Floats:
        """Rows about the mean in units of the scales, missing cells as the components expect them from the others."""
        about = (np.asarray(x.toarray() if hasattr(x, "indptr") else x, dtype=np.float64) - self.mean_) / self.scale_
        if not np.isnan(about).any():
            return np.asarray(about)
        variances = self.explained_variance_, self.noise_variance_, self.spread_.deviation / self.scale_
        return expected_cells(about, self.components_, *variances)

    def _face(self) -> Face:
        shares = zip(self.explained_variance_ratio_.tolist(), np.cumsum(self.explained_variance_ratio_), strict=True)
        rows = [
            (f"{i + 1}", f"{100 * own:.1f} %", f"{100 * upto:.1f} % in all") for i, (own, upto) in enumerate(shares)
        ]
        more = f"{len(rows) - 10} more" if len(rows) > 10 else ""
        return super()._face().with_section(Section(("component", "share", "so far"), rows[:10], "components", more))

    def _parameters_learned(self) -> dict[str, Any]:
        return {
            "spread": (*self.spread_[:-1], self.spread_.squares if np.isfinite(self.spread_.squares) else None),
            "samples": self.n_samples_,
            "statistic": self.statistic_,
            "log_likelihoods": self.log_likelihoods_,
        }

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        spread, samples, statistic = read_again(parameters, self.design_.width)
        self._keep(spread, samples, statistic, parameters["log_likelihoods"])

    def _check_parameters(self) -> None:
        check_settings(self.n_components, self.solver, self.missing, self.max_iter)
