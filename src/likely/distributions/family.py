"""The contracts: a family summarises and estimates; a distribution scores and samples.

A family is a value with options. It knows nothing of data it has seen:

    summarize(x, membership) -> statistic          a pure sum over rows
    estimate(statistic)      -> distribution       a small solve; priors enter here and are never stored
    standard_errors(statistic) -> {name: array}    how well each parameter is known

A distribution has k members, one per group of the statistic, and scores all of them in one pass:

    log_density(x) -> (n, k)
    log_density_terms(x) -> (n, d, k)    each feature's part of it; zero where the cell is missing
    sample(member, rng) -> rows          one row for each entry of `member`

A family that can take a single row out of its estimate says `leaves_one_out` and has a

    leave_one_out(statistic, x, membership) -> (n, k)    log density of each row under the groups without it

but for a term common to all groups; NaN where the row has to be left out by estimating again.

A family of plain numbers whose models of many folds are best made and scored together has a

    fold_scores(seen, classes) -> `FoldScores`, or None where there is no quicker way than one model after the other

of statistics of its type `statistic`, one for each fold, each with the groups of all repeats one after the other. A
subclass that writes `summarize` or `estimate` anew does without both, unless it writes them anew too (`shortcut`).

What else a family can do, it has a method for; the rooms after this one ask whether it has, and know no family:

    prepare(rows, learning) -> x        its own form of a batch, where the encoded rows of `form` are not yet that
    filled(statistic) -> statistic      as if every missing cell held what is typical of its group
    typical(statistic) -> (d,)          what a missing cell of a new row is filled with: numbers, or levels
    compare(before, after, i, j)        whether feature i of one statistic and j of another, of one group each, have the
                                        same distribution: a `Verdict` (see `comparing`), or why it cannot be told
    check_folds(folds, rows)            raises a TierError where cross-validation with so many folds would take too long
    takes_one_column = True             columns are not put together: each has a family of its own
    selects_features = True             which features speak is decided from the sums of weights
    kind = "count"                      the kind of column that it describes, where that is not numeric (`data.columns`)
    alpha_per_column = True             `alpha` may be a tuple, one pseudo-count for each column

and its distribution

    mean, variance                      (k, d) of the features; of nominal ones, of the indicators of their levels
    linear() -> weights, constants      if its members differ by a linear function of the features (see `linear`)
    linear_terms(names) -> LinearTerms  if they do of other terms of x
    check_known(x)                      raises a CellError for a cell that it must have seen before and has not
    as_gaussians() -> means, covariances    (k, d) and (k, d, d), or None, if its members are Gaussian
    every_row(most) -> x                all rows there can be, or None, if they are no more than so many
    onnx_log_density(graph, columns)    its log density in plain operators (see `operators`)

A family is chosen by its `name`. Model files check the arrays of statistics and distributions by their `shapes` and
`ranges`, and by `misfit(sizes)`, which names the first field that does not fit the rest (see `likely.store.shapes`).

A family that knows the posterior of its parameters has a

    parameter_posterior(statistic) -> posterior    of all groups and features at once

with which a fitted model answers `parameter_posterior` and `predict_interval`: `of(member, feature)` is one of them as
a value, `draw(n, rng)` a distribution of n k members, the k groups of the first draw, then those of the second, and so
on. A family of vectors may have `together(member, features, names)`, the joint posterior of some features. The prior is
that of the estimate; under maximum likelihood the reference prior, which says as little as possible.

A family whose likelihood is to be looked at as a function of its parameters has a

    likelihood(statistic, feature) -> `likelihood.Likelihood`

and, where the sums leave out a part of it in which no parameter stands, a `log_constant(x, weight)` of the rows. Its
`conjugate_prior` is the belief that `maximum_a_posteriori` takes, and `of_vectors` says that all columns are one value.

A family whose estimate is the maximum of a posterior has a

    log_prior(statistic, distribution) -> float    log density of the prior at these parameters, but for a constant

which is 0 for maximum likelihood, and None where the estimate is no maximum: EM then watches the likelihood alone and
keeps the best pass. The statistic is for a prior that is made from all groups together, which EM does not change.

Most families learn in one pass. One that needs the current parameters to summarise (a mixture) says `passes = "many"`;
it has a `start`, and `summarize` takes the current distribution as a third argument (see `expectation`).

What x is depends on `form`: "real" is an array (n, d) of floats in C order with NaN for a missing cell; "codes"
is a `Codes` value of nominal features; "text" is `Tokens`, the words of one column of texts. Families of independent
features treat d features at once; a family of vectors takes the d columns as one vector. A missing cell is left out of
the sums and of the product.
"""

from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.support import checked_table
from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array, Floats, Ints, as_floats
from likely.numeric.logspace import log_joint, log_of, normalize
from likely.statistics import Additive, Membership

Form: TypeAlias = Literal["real", "codes", "text"]
Estimation: TypeAlias = Literal["ml", "map", "bayes"]


class Distribution(Protocol):
    """k fitted members of a family.

    >>> import numpy as np
    >>> from likely.distributions import GaussianFamily, fit
    >>> normal = fit(GaussianFamily(), np.array([[1.0], [2.0], [3.0]]))
    >>> normal.members, normal.log_density(np.array([[2.0]])).shape
    (1, (1, 1))
    """

    @property
    def members(self) -> int:
        """How many it is of: one for each class or component."""
        ...

    @property
    def n_parameters(self) -> int:
        """Free parameters of all members together."""
        ...

    def log_density(self, x: Any) -> Floats:
        """Log density (n, k) of rows under every member."""
        ...

    def log_density_terms(self, x: Any) -> Floats:
        """The part (n, d, k) that each feature has in it; 0 where its cell is missing."""
        ...

    def sample(self, member: Ints, rng: np.random.Generator) -> Any:
        """A row drawn from each of these members."""
        ...


class Family(Protocol):
    """What a class-conditional model is made of.

    >>> import numpy as np
    >>> from likely.distributions import PoissonFamily
    >>> from likely.statistics import Membership
    >>> family = PoissonFamily()
    >>> seen = family.summarize(np.array([[1], [3], [8]]), Membership(2, np.array([0, 0, 1])))
    >>> family.estimate(seen + seen).members  # the same rows twice
    2
    """

    form: ClassVar[Form]

    def summarize(self, x: Any, membership: Membership) -> Any:
        """The statistic of rows, a sum over them, for each of the groups that they belong to."""
        ...

    def estimate(self, statistic: Any) -> Distribution:
        """The distribution, a member for each group of the statistic; the prior enters here."""
        ...

    def standard_errors(self, statistic: Any) -> dict[str, Array]:
        """How well each parameter is known, by its name."""
        ...


class ParameterPosterior(Protocol):
    """What is believed of the parameters of k groups and d features."""

    def of(self, member: int, column: int) -> Any: ...
    def draw(self, n: int, rng: np.random.Generator) -> Distribution: ...


class FoldScores(NamedTuple):
    """How the models of f folds in each of r repeats score rows: a kernel, and what it wants to know of each model."""

    kernel: Any
    constants: tuple[Floats, ...]  # (r, f, ...) each; the last one (r, f, k) is added to the scores
    ordinary: Array  # (r, f)  whether the constants say all; else the model has to be estimated by itself
    stretch: int  # blocks of rows to be taken at a time


def shortcut(family: object, name: str) -> Any:
    """A method that gives, by a shorter way, what `summarize` and `estimate` would; None where the family has none.

    That of a class is none for a subclass which has written either of these anew.
    """
    for kind in type(family).__mro__:
        if name in vars(kind):
            return getattr(family, name)
        if "summarize" in vars(kind) or "estimate" in vars(kind):
            return None
    return None


def log_ratio(distribution: Distribution, x: Any) -> Floats:
    """Log density up to a term common to all members; cheaper for some distributions, which then have a `log_ratio`."""
    score = getattr(distribution, "log_ratio", distribution.log_density)
    return np.asarray(score(x))


def posterior(distribution: Distribution, prior: ArrayLike, x: Any) -> Floats:
    """Posterior probability of each member for each row (n, k), by Bayes' theorem from prior probabilities (k,).

    A row that is impossible under every member has the prior as its posterior, as in every model.

    >>> from likely.distributions import Bernoulli
    >>> posterior(Bernoulli(np.array([[0.2], [0.7]])), [0.6, 0.4], np.array([[1.0]])).round(9)
    array([[0.3, 0.7]])
    """
    p = np.asarray(prior, dtype=np.float64)
    if p.shape != (distribution.members,) or (p < 0).any() or abs(p.sum() - 1) > 1e-6:
        raise InputError(f"the prior must be {distribution.members} probabilities that sum to 1, got {prior!r}")
    return normalize(log_joint(log_ratio(distribution, x), log_of(p)))


def log_prior_of(family: object, statistic: Any, distribution: object) -> float | None:
    """The log prior of a family's estimate; None where it is no maximum of a posterior, or the family does not say."""
    own = shortcut(family, "log_prior")
    return None if own is None else own(statistic, distribution)


def many_passes(family: Family) -> bool:
    """Whether the family needs its current parameters to summarise."""
    return getattr(family, "passes", "one") == "many"


def fit(family: Family, x: Any, membership: Membership | None = None) -> Distribution:
    """Summarise and estimate in one go; without a membership all rows are one group.

    Numbers may be an array, a list of rows or a frame; of a product one table for each part.

    A mixture, which learns in many passes, is learned by EM, the best of a few starts, the same every time.

    >>> import numpy as np
    >>> from likely.distributions import GaussianFamily
    >>> fit(GaussianFamily(), np.array([[1.0], [2.0], [3.0]])).mean
    array([[2.]])
    """
    rows = _rows_for(family, x)
    if membership is None:
        membership = Membership.whole(len(rows[0]) if isinstance(rows, tuple) else len(rows))
    if many_passes(family):
        from likely.distributions.combined.expectation import climb

        return climb(family, rows, membership)  # type: ignore[no-any-return]
    return family.estimate(family.summarize(rows, membership))


def _rows_for(family: Family, x: ArrayLike) -> Any:
    """Rows in the form that a family takes; a mistake is told here, before compiled code reads them."""
    parts: tuple[Family, ...] | None = getattr(family, "parts", None)
    if parts is not None:
        if not isinstance(x, tuple) or len(x) != len(parts):
            raise InputTypeError(f"a product of {len(parts)} parts takes a tuple of as many tables, one for each part")
        return tuple(_rows_for(part, rows) for part, rows in zip(parts, x, strict=True))
    plain = isinstance(x, np.ndarray | list | tuple) or hasattr(x, "columns")
    if family.form != "real":
        if plain:
            takes = "statistics.Codes" if family.form == "codes" else "the tokens of texts"
            raise InputTypeError(
                f"{type(family).__name__} takes rows as {takes}, got {type(x).__name__}; tables and texts as they are "
                "are read by the models, BayesClassifier(family) for one"
            )
        return x
    if plain and not isinstance(x, np.ndarray):
        x = np.ascontiguousarray(as_floats(x, "the rows"))
    return checked_table(x, None)


__all__ = [
    "Additive",
    "Distribution",
    "Estimation",
    "Family",
    "FoldScores",
    "Form",
    "ParameterPosterior",
    "fit",
    "log_prior_of",
    "log_ratio",
    "many_passes",
    "posterior",
    "shortcut",
]
