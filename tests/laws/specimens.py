"""Specimens, keyed by class: how to make data and options for whatever the laws are checked on.

A class that is discovered and has no specimen fails a test, so nothing new escapes the laws.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from nearby import nearby
from one_estimator import GAUSSIAN, KINDS, estimator
from parameters import location_and_spread, marginal
from samples import (
    amounts,
    binaries,
    counts,
    documents,
    events,
    everything,
    flags,
    level_numbers,
    messages,
    mixed,
    nominals,
    numbers_and_texts,
    numeric,
    numeric_with_gaps,
    positives,
    prose,
    reals,
    texts,
)

from likely import BayesClassifier, GaussianBayes, NaiveBayes, TextBayes
from likely.data.text import Tokenizer
from likely.distributions.amounts.exponential import ExponentialFamily
from likely.distributions.amounts.gamma import GammaFamily
from likely.distributions.amounts.gaussian import Gaussian, GaussianFamily
from likely.distributions.amounts.histogram import HistogramFamily
from likely.distributions.amounts.kernel_density import KernelDensityFamily
from likely.distributions.amounts.log_normal import LogNormalFamily
from likely.distributions.combined.mixture import MixtureDistribution, MixtureFamily
from likely.distributions.combined.product import ProductFamily
from likely.distributions.counts.bernoulli import BernoulliFamily
from likely.distributions.counts.categorical import CategoricalFamily
from likely.distributions.counts.multinomial import MultinomialFamily
from likely.distributions.counts.negative_binomial import NegativeBinomialFamily
from likely.distributions.counts.ordinal import OrdinalFamily
from likely.distributions.counts.poisson import PoissonFamily
from likely.distributions.dependence.family import DependenceFamily
from likely.distributions.texts.documents import TextFamily
from likely.distributions.vectors.family import MultivariateGaussianFamily
from likely.statistics import Additive, CategoryCounts, Labelled, Membership, Moments, SideBySide
from likely.statistics.counting.joint_counts import JointCounts
from likely.statistics.counting.pairs import PairCounts
from likely.statistics.counting.terms import TermCounts
from likely.statistics.counting.triple_counts import TripleCounts
from likely.statistics.counting.values import ValueCounts
from likely.statistics.rows import Rows
from likely.statistics.summing.log_moments import LogMoments
from likely.statistics.summing.scatter import Scatter
from likely.statistics.summing.totals import Totals
from likely.testing.laws.densities import GROUPS as FAMILY_GROUPS
from likely.testing.laws.densities import Specimen as Family
from likely.testing.specimens.forms import NAN, as_codes, as_numbers, as_parts, as_tokens, codes
from likely.testing.specimens.quadrature import (
    on_the_half_line,
    on_the_line,
    over_binaries,
    over_both,
    over_counts,
    over_documents,
    over_levels,
    over_vectors,
    over_word_sets,
)
from likely.testing.specimens.specimen import Specimen as Estimator
from likely.testing.sums import GROUPS
from likely.testing.sums import Specimen as Statistic

WIDTH = 2  # columns of the rows of statistics

# Where real numbers lie and how large they are: about 0, about 1e8 with deviation 1, and at the ends of the range
# whose squares are numbers.
REAL_WORLDS = ((0.0, 1.0), (1e8, 1.0), (0.0, 2.0**-500), (0.0, 2.0**498))
POSITIVE_WORLDS = ((0.0, 1.0), (1e8, 1.0), (0.0, 2.0**-900), (0.0, 2.0**900))


def numbers(*pool: float) -> Any:
    cells = np.array([*pool, NAN])

    def row(world: tuple[float, float], rng: np.random.Generator) -> tuple[float, ...]:
        offset, unit = world
        return tuple(((rng.choice(cells, size=WIDTH) + offset) * unit).tolist())

    return row


def one_of(rng: np.random.Generator, pool: Any) -> Any:
    return pool[rng.integers(len(pool))]


def levels(world: None, rng: np.random.Generator) -> tuple[Any, ...]:
    return one_of(rng, ["red", "green", "blue", None]), one_of(rng, [3, 1, 20, 1.5, None])


def a_text(world: None, rng: np.random.Generator) -> tuple[str]:
    return (" ".join(one_of(rng, ["red", "Green", "blue blue", "naïve", "x"]) for _ in range(rng.integers(5))),)


def matrix(rows: list[tuple[Any, ...]]) -> Any:
    return np.array(rows, dtype=np.float64).reshape(len(rows), WIDTH)


def of_numbers(statistic: type[Any], **options: Any) -> Any:
    return lambda rows, membership: statistic.of(matrix(rows), membership, **options)


def joint(rows: list[tuple[Any, ...]], membership: Membership) -> SideBySide:
    real, nominal = [row[:WIDTH] for row in rows], [row[WIDTH:] for row in rows]
    parts = (Moments.of(matrix(real), membership), CategoryCounts.of(codes(nominal, WIDTH), membership))
    return SideBySide(membership.totals(), parts)


def labelled(rows: list[tuple[Any, ...]], membership: Membership) -> Labelled:
    """Only the classes of these rows, so that others turn up later."""
    given = joint(rows, membership)
    present = np.flatnonzero(np.asarray(membership.as_shares()).any(axis=0))
    names = tuple("abc"[:GROUPS][i] for i in present)
    return Labelled(names, given.taken(present))


def mixed_row(world: tuple[float, float], rng: np.random.Generator) -> tuple[Any, ...]:
    return (*REALS(world, rng), *levels(None, rng))


REALS = numbers(-2.5, -1.0, 0.0, 0.5, 3.0)
POSITIVES = numbers(0.25, 1.0, 1.5, 3.0)
COUNTS = numbers(0.0, 1.0, 2.0, 7.0)

STATISTICS: dict[type[Any], tuple[Statistic, ...]] = {
    Additive: (Statistic("weights", lambda rows, membership: Additive(membership.totals()), levels),),
    Moments: (Statistic("moments", of_numbers(Moments), REALS, REAL_WORLDS),),
    Scatter: (Statistic("scatter", of_numbers(Scatter), REALS, REAL_WORLDS),),
    LogMoments: (Statistic("log_moments", of_numbers(LogMoments), POSITIVES, POSITIVE_WORLDS),),
    Totals: (
        Statistic("counts", of_numbers(Totals), COUNTS, ((0.0, 1.0),)),
        Statistic("amounts", of_numbers(Totals), REALS, REAL_WORLDS),
    ),
    CategoryCounts: (Statistic("levels", lambda rows, m: CategoryCounts.of(codes(rows, WIDTH), m), levels),),
    TripleCounts: (
        Statistic(
            "triple_counts",
            lambda rows, m: TripleCounts.of(codes([(*row, *row[::-1]) for row in rows], 2 * WIDTH), m),
            levels,
        ),
    ),
    JointCounts: (Statistic("joint_counts", lambda rows, m: JointCounts.of(codes(rows, WIDTH), m), levels),),
    PairCounts: (Statistic("pairs", lambda rows, m: PairCounts.of(codes(rows, WIDTH), m), levels),),
    ValueCounts: (
        Statistic("values", of_numbers(ValueCounts), REALS, REAL_WORLDS),
        Statistic("cells", of_numbers(ValueCounts, max_values=4), REALS, REAL_WORLDS),
    ),
    Rows: (Statistic("rows", of_numbers(Rows), REALS, REAL_WORLDS),),
    TermCounts: (
        Statistic("terms", lambda rows, m: TermCounts.of(Tokenizer().tokens([t for (t,) in rows]), m), a_text),
    ),
    SideBySide: (Statistic("joint", joint, mixed_row, REAL_WORLDS),),
    Labelled: (Statistic("labelled", labelled, mixed_row, REAL_WORLDS),),
}


def two_bumps(width: int) -> MixtureDistribution:
    """Parameters under which the rows of a pass are shared out."""
    mean = np.array([[-1.0, 0.0, 1.0], [1.5, -1.0, 3.0]])[:, :width]
    components = Gaussian(np.tile(mean, (FAMILY_GROUPS, 1)), np.full((2 * FAMILY_GROUPS, width), 2.0))
    return MixtureDistribution(np.full((FAMILY_GROUPS, 2), 0.5), components)


Kind = tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]  # rows, encoding, integral
REAL: Kind = (reals, as_numbers, on_the_line)
POSITIVE: Kind = (positives, as_numbers, on_the_half_line)
COUNT: Kind = (counts, as_numbers, over_counts)
BINARY: Kind = (binaries, as_numbers, over_binaries)
NOMINAL: Kind = (nominals, as_codes, over_levels)
VECTOR: Kind = (counts, as_numbers, over_vectors)
TEXT: Kind = (documents, as_tokens, over_documents)
WORD_SET: Kind = (documents, as_tokens, over_word_sets)


def family(name: str, value: Any, kind: Kind, **facts: Any) -> Family:
    return Family(name, value, *kind, nearby=nearby, marginal=marginal, location=location_and_spread, **facts)


def estimations(name: str, family_of: Any, kind: Kind, *others: str, **facts: Any) -> tuple[Family, ...]:
    """Maximum likelihood, and other ways to estimate."""
    rest = [family(f"{name}-{e}", family_of(estimation=e), kind, **facts) for e in others]
    return family(f"{name}-ml", family_of(estimation="ml"), kind, maximum=True, **facts), *rest


def covariance(name: str, **options: Any) -> Family:
    facts: dict[str, Any] = {"independent": name.endswith("diagonal"), "located": True}
    facts["maximum"] = options.get("estimation", "ml") == "ml" and not options.get("ddof")
    label = "-".join(["covariance", name, *(str(v) for v in options.values())])
    return family(label, MultivariateGaussianFamily(name, **options), REAL, **facts)


FAMILIES: dict[type[Any], tuple[Family, ...]] = {
    GaussianFamily: (
        *estimations("gaussian", GaussianFamily, REAL, "map", "bayes", located=True),
        family("gaussian-unbiased", GaussianFamily(ddof=1), REAL, located=True),
    ),
    MultivariateGaussianFamily: (
        *(covariance(name) for name in ("full", "shared", "diagonal", "shared_diagonal", "spherical")),
        covariance("shared_spherical", ddof=1),
        covariance("full", ddof=1),
        covariance("full", estimation="map"),
        covariance("full", estimation="bayes"),
        covariance("shared", estimation="map"),
        covariance("shared", estimation="bayes"),
        covariance("shared_diagonal", estimation="map"),
        covariance("shared_diagonal", estimation="bayes"),
        covariance("spherical", estimation="map"),
        covariance("spherical", estimation="bayes"),
        covariance("shared_spherical", estimation="bayes"),
        covariance("full", missing="impute"),
        covariance("diagonal", missing="impute"),
    ),
    LogNormalFamily: estimations("log_normal", LogNormalFamily, POSITIVE, "map", "bayes"),
    GammaFamily: estimations("gamma", GammaFamily, POSITIVE, "map"),
    ExponentialFamily: estimations("exponential", ExponentialFamily, POSITIVE, "map", "bayes", divergence=0.03),
    PoissonFamily: estimations("poisson", PoissonFamily, COUNT, "map", "bayes"),
    NegativeBinomialFamily: estimations("negative_binomial", NegativeBinomialFamily, COUNT, "map"),
    BernoulliFamily: (
        family("bernoulli-ml", BernoulliFamily(estimation="ml"), BINARY, maximum=True, impossible=True),
        family("bernoulli-map", BernoulliFamily(alpha=2.0, estimation="map"), BINARY),
        family("bernoulli-bayes", BernoulliFamily(alpha=0.5), BINARY),
        family("bernoulli-neutral", BernoulliFamily(neutral=True), BINARY),
    ),
    OrdinalFamily: (
        family("ordinal", OrdinalFamily(), NOMINAL),
        family("ordinal-map", OrdinalFamily(alpha=2.0, estimation="map", reach=0.7), NOMINAL),
        family("ordinal-unseen", OrdinalFamily(unseen="prior"), NOMINAL, divergence=0.05),
    ),
    DependenceFamily: (
        family("dependence", DependenceFamily(), NOMINAL),
        family("dependence-pairs", DependenceFamily(parents=2), NOMINAL),
        replace(  # without a column it is another tree
            family("dependence-tree", DependenceFamily(m=2.0, structure="tree"), NOMINAL),
            independent=False,
            marginal=None,
        ),
    ),
    CategoricalFamily: (
        family("categorical-ml", CategoricalFamily(estimation="ml"), NOMINAL, maximum=True, impossible=True),
        family("categorical-map", CategoricalFamily(alpha=2.0, estimation="map"), NOMINAL),
        family("categorical-bayes", CategoricalFamily(alpha=0.5), NOMINAL),
        family("categorical-m_estimate", CategoricalFamily(m=2.0), NOMINAL),
        # a sample has only levels that were seen, so the slot of the others is missed
        family("categorical-unseen", CategoricalFamily(unseen="prior"), NOMINAL, divergence=0.05),
    ),
    MultinomialFamily: (
        family(
            "multinomial-ml",
            MultinomialFamily(estimation="ml"),
            VECTOR,
            narrow=(0, 1, 2),
            maximum=True,
            impossible=True,
        ),
        *(
            family(f"multinomial-{e}", MultinomialFamily(alpha=1.5, estimation=e), VECTOR, narrow=(0, 1, 2))
            for e in ("map", "mean", "bayes")
        ),
    ),
    HistogramFamily: (
        family("histogram-width", HistogramFamily(), REAL, located=True, divergence=0.1),
        family(
            "histogram-number", HistogramFamily(bins=4, alpha=0.0), REAL, located=True, maximum=True, impossible=True
        ),
        family("histogram-frequency", HistogramFamily(rule="frequency"), REAL, located=True, divergence=0.1),
        family("histogram-mdl", HistogramFamily(rule="mdl"), REAL, located=True),
        family("histogram-edges", HistogramFamily(bins=(-3.0, -1.0, 0.0, 2.0, 5.0)), REAL),
    ),
    KernelDensityFamily: (
        family("kde-silverman", KernelDensityFamily(), REAL, located=True, divergence=0.1),
        family("kde-scott", KernelDensityFamily("scott"), REAL, located=True, divergence=0.1),
        family("kde-number", KernelDensityFamily(0.7), REAL, located=True, divergence=0.2),
        family("kde-bounds", KernelDensityFamily(bounds=(0.0, None)), POSITIVE, divergence=0.1),
    ),
    MixtureFamily: (
        family("mixture", MixtureFamily(GaussianFamily(), 2), REAL, independent=False, located=True, current=two_bumps),
    ),
    TextFamily: (
        family("text-multinomial", TextFamily(), TEXT, width=1),
        family("text-multinomial-ml", TextFamily(alpha=0.0), TEXT, width=1, impossible=True),
        family("text-bernoulli", TextFamily("bernoulli"), WORD_SET, width=1),
        family("text-bernoulli-ml", TextFamily("bernoulli", alpha=0.0), WORD_SET, width=1, impossible=True),
    ),
    ProductFamily: (
        Family(
            "product", ProductFamily((GaussianFamily(), CategoricalFamily())), mixed, as_parts, over_both, 4, (0, 2)
        ),
    ),
}


def naive(kind: Any, table: Any, **facts: Any) -> Estimator:
    return estimator(f"naive-{kind}", NaiveBayes, table, {"kinds": kind}, naive=True, **facts)


def gaussian(covariance_: str, table: Any = numeric_with_gaps, **facts: Any) -> Estimator:
    options = {"covariance": covariance_, **facts.pop("options", {})}
    name = "-".join(["gaussian", *(str(v) for v in options.values())])
    return estimator(name, GaussianBayes, table, options, real=True, **facts)


ESTIMATORS: dict[type[Any], tuple[Estimator, ...]] = {
    NaiveBayes: (
        naive("auto", numeric_with_gaps, linear=True, wide=True, **GAUSSIAN),
        naive("histogram", numeric_with_gaps, **GAUSSIAN),
        naive("kde", numeric_with_gaps, **GAUSSIAN),
        naive("gamma", amounts, scale_free=True),
        naive("log_normal", amounts, scale_free=True),
        naive("exponential", amounts, linear=True, scale_free=True),
        naive("nominal", level_numbers, exact=True, linear=True, wide=True),
        naive("bernoulli", flags, exact=True, linear=True, wide=True),
        naive("multinomial", events, exact=True, linear=True, wide=True),
        estimator(
            "naive-complement",
            NaiveBayes,
            events,
            {"kinds": "complement", "class_prior": "uniform"},
            exact=True,
            drawn=False,
            linear=True,
        ),
        naive("poisson", events, exact=True, linear=True, wide=True),
        naive("negative_binomial", events, exact=True),
        estimator("naive-mixed", NaiveBayes, everything, KINDS, naive=True, scale_free=True),
        estimator("naive-evidence", NaiveBayes, everything, {**KINDS, "missing": "evidence"}, silent=False),
        estimator(
            "naive-impute",
            NaiveBayes,
            numbers_and_texts,
            {"missing": "impute"},
            silent=False,
            linear=True,
            scale_free=True,
        ),
        estimator(
            "naive-messages",
            NaiveBayes,
            messages,
            {"kinds": {"subject": "text", "body": TextFamily("bernoulli")}},
            naive=True,
            scale_free=True,
            linear=True,
        ),
        estimator(
            "naive-texts", NaiveBayes, texts, {"unseen": "prior", "alpha": 0.5}, naive=True, exact=True, linear=True
        ),
    ),
    GaussianBayes: (
        gaussian("full", scale_free=True),
        gaussian("full", numeric, scale_free=True, options={"ddof": 1}),
        gaussian("full", scale_free=True, options={"estimation": "bayes"}),
        gaussian("full", scale_free=True, silent=False, options={"missing": "impute"}),
        gaussian("shared", scale_free=True, linear=True),
        gaussian("shared", scale_free=True, linear=True, options={"shrinkage": "auto"}),
        gaussian("shared", scale_free=True, linear=True, options={"estimation": "map"}),
        gaussian("diagonal", scale_free=True, linear=True, wide=True, naive=True),
        gaussian("shared_diagonal", scale_free=True, linear=True, wide=True, naive=True),
        gaussian("spherical", wide=True, linear=True),
        gaussian("shared_spherical", wide=True, linear=True),
    ),
    TextBayes: (
        estimator("text", TextBayes, prose, exact=True, linear=True),
        estimator("text-bernoulli", TextBayes, prose, {"model": "bernoulli", "alpha": 0.5}, exact=True, linear=True),
        estimator("text-smooth", TextBayes, prose, {"unseen": "smooth", "min_df": 2}, exact=True, linear=True),
        estimator(
            "text-bigrams",
            TextBayes,
            prose,
            {"ngram_range": (1, 2), "stop_words": ["the"]},
            exact=True,
            drawn=False,
            linear=True,
        ),
        estimator(
            "text-characters",
            TextBayes,
            prose,
            {"analyzer": "char_wb", "ngram_range": (1, 2), "strip_accents": "unicode"},
            exact=True,
            drawn=False,
            linear=True,
        ),
        estimator(
            "text-complement",
            TextBayes,
            prose,
            {"model": "complement", "class_prior": "uniform"},
            exact=True,
            drawn=False,
            linear=True,
        ),
    ),
    BayesClassifier: (
        estimator("bayes-gaussian", BayesClassifier, numeric_with_gaps, naive=True, linear=True, wide=True, **GAUSSIAN),
        estimator("bayes-vectors", BayesClassifier, numeric, {"family": "multivariate_gaussian"}, **GAUSSIAN),
        estimator(
            "bayes-texts", BayesClassifier, texts, {"family": "categorical"}, naive=True, exact=True, linear=True
        ),
        estimator(
            "bayes-counts", BayesClassifier, events, {"family": "multinomial"}, exact=True, linear=True, wide=True
        ),
        estimator("bayes-poisson", BayesClassifier, events, {"family": "poisson"}, naive=True, exact=True, linear=True),
        estimator(
            "bayes-histogram",
            BayesClassifier,
            numeric_with_gaps,
            {"family": HistogramFamily(rule="mdl")},
            naive=True,
            **GAUSSIAN,
        ),
    ),
}

for _file in sorted(Path(__file__).parent.glob("specimens_*.py")):  # those of a room of models each
    ESTIMATORS |= import_module(_file.stem).ESTIMATORS
