"""Families that break a law: controls, to show that the laws would notice. Each is a Gaussian family gone wrong."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from specimens import REAL, family, two_bumps

from likely.distributions.amounts.gaussian import Gaussian, GaussianFamily
from likely.distributions.combined.mixture import MixtureDistribution, MixtureFamily
from likely.numeric.arrays import Array, Floats, Ints
from likely.statistics import Membership, Moments
from likely.statistics.additive import Additive, tally, total
from likely.testing.laws import capabilities
from likely.testing.laws import densities as laws
from likely.testing.laws.densities import Specimen


@dataclass(frozen=True)
class RawMoments(Additive):
    """Sums of x and its square about zero: lost to cancellation where the data lie far away."""

    count: Array = tally()
    first: Array = total()
    second: Array = total()

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        shares, seen = membership.as_shares(), ~np.isnan(x)
        values = np.where(seen, x, 0.0)
        return cls(membership.totals(), shares.T @ seen, shares.T @ values, shares.T @ values**2)


class Raw(GaussianFamily):
    """Mean of the squares less the square of the mean."""

    def summarize(self, x: Array, membership: Membership) -> Any:
        return RawMoments.of(x, membership)

    def estimate(self, statistic: Any) -> Gaussian:
        mean = statistic.first / statistic.count
        return Gaussian(mean, np.maximum(statistic.second / statistic.count - mean**2, 1e-9))


class BatchEpsilon(GaussianFamily):
    """A share of the batch's variance is stored as if it were data."""

    def summarize(self, x: Array, membership: Membership) -> Moments:
        seen = super().summarize(x, membership)
        return replace(seen, second=seen.second + 1e-6 * seen.overall().scatter)


class Unlearning(GaussianFamily):
    """Says the same of every group, whatever it has seen."""

    def estimate(self, statistic: Moments) -> Gaussian:
        return Gaussian(np.zeros(statistic.first.shape), np.ones(statistic.first.shape))


class Unweighted(GaussianFamily):
    def summarize(self, x: Array, membership: Membership) -> Moments:
        return super().summarize(x, replace(membership, weight=None) if membership.labels is not None else membership)


class Sharing(GaussianFamily):
    """Shares are taken about a fixed origin, wherever the data lie."""

    def summarize(self, x: Array, membership: Membership) -> Moments:
        seen = super().summarize(x, membership)
        return seen if membership.shares is None else seen.about(np.zeros_like(seen.origin))


class FirstGroup(GaussianFamily):
    """The first group is the measure of all."""

    def estimate(self, statistic: Moments) -> Any:
        fitted = super().estimate(statistic)
        return replace(fitted, variance=np.broadcast_to(fitted.variance[:1], fitted.variance.shape))


class LargestColumn(GaussianFamily):
    """Smooths every variance by a share of the largest of all columns."""

    def estimate(self, statistic: Moments) -> Any:
        fitted = super().estimate(statistic)
        return replace(fitted, variance=fitted.variance + 1e-3 * np.max(fitted.variance))


class Certain(GaussianFamily):
    """A group without spread has a variance of zero."""

    def estimate(self, statistic: Moments) -> Any:
        return Changed(statistic.mean, statistic.variance())


class Unbiased(GaussianFamily):
    """Takes the unbiased variance for the likeliest."""

    def estimate(self, statistic: Moments) -> Any:
        return replace(super().estimate(statistic), variance=statistic.variance(ddof=1))


@dataclass(frozen=True)
class Changed(Gaussian):
    """Plain NumPy, and one mistake at a time."""

    mistake: str = ""

    def log_density_terms(self, x: Array) -> Floats:
        cells = np.nan_to_num(x) if self.mistake == "missing is zero" else x
        z = (cells[:, :, None] - self.mean.T) / np.sqrt(self.variance.T)
        terms = -0.5 * (z**2 + np.log(2 * np.pi * self.variance.T))
        if self.mistake == "no constant":
            terms += 0.5 * np.log(2 * np.pi)
        return terms if self.mistake == "missing is zero" else np.where(np.isnan(x)[:, :, None], 0.0, terms)

    def log_density(self, x: Array) -> Floats:
        total = self.log_density_terms(x).sum(axis=1)
        return total + 1e-6 if self.mistake == "terms lack a part" else total

    def log_ratio(self, x: Array) -> Floats:
        ratio = self.log_density(x)
        return ratio + np.log(self.variance).sum(axis=1) if self.mistake == "not common" else ratio

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        spread = self.variance if self.mistake == "variance for deviation" else np.sqrt(self.variance)
        return rng.normal(self.mean[member], spread[member])


@dataclass(frozen=True)
class Mistaken(GaussianFamily):
    mistake: str = ""

    def estimate(self, statistic: Moments) -> Changed:
        fitted = super().estimate(statistic)
        assert isinstance(fitted, Gaussian)
        return Changed(fitted.mean, fitted.variance, self.mistake)


class LeavingIn(GaussianFamily):
    """Scores a row under the estimate that has seen it."""

    def leave_one_out(self, statistic: Moments, x: Array, membership: Membership) -> Floats:
        return self.estimate(statistic).log_density(x)


class FillingWithOrigins(GaussianFamily):
    """Counts the missing cells and forgets their values."""

    def filled(self, statistic: Moments) -> Moments:
        return replace(statistic, count=np.broadcast_to(statistic.weight[:, None], statistic.count.shape))


@dataclass(frozen=True)
class Drawn:
    """A posterior whose draws are all the same."""

    mean: Array
    variance: Array

    def draw(self, n: int, rng: np.random.Generator) -> Gaussian:
        return Gaussian(np.tile(self.mean, (n, 1)), np.tile(self.variance, (n, 1)))


class Sure(GaussianFamily):
    """A posterior that is the estimate itself."""

    def parameter_posterior(self, statistic: Moments) -> Any:
        fitted = self.estimate(statistic)
        return Drawn(fitted.mean, fitted.variance)


class Unordered(GaussianFamily):
    """A posterior with the groups the other way round."""

    def parameter_posterior(self, statistic: Moments) -> Any:
        return super().parameter_posterior(statistic.taken(np.arange(statistic.groups)[::-1]))


class Overcounting(GaussianFamily):
    """Takes every row for sixteen."""

    def compare(self, before: Moments, after: Moments, i: int, j: int) -> Any:
        return super().compare(before * 16, after * 16, i, j)


class Blind(GaussianFamily):
    """Never tells two samples apart."""

    def compare(self, before: Moments, after: Moments, i: int, j: int) -> Any:
        return replace(super().compare(before, after, i, j), p=1.0)


class Confused(MixtureFamily):
    """Gives each row the shares of another."""

    def summarize(self, x: Array, membership: Membership, current: MixtureDistribution) -> Any:
        shares = membership.as_shares()[:, :, None] * current.shares(x)[::-1]
        return self.family.summarize(x, Membership.of_shares(shares.reshape(len(shares), current.weights.size)))


def control(value: GaussianFamily) -> Specimen:
    return family(getattr(value, "mistake", "") or type(value).__name__, value, REAL, located=True, maximum=True)


UNLAWFUL: tuple[tuple[Specimen, Callable[..., None]], ...] = (  # a control, and a law that must catch it
    (control(BatchEpsilon()), laws.estimates_of_parts_are_those_of_the_whole),
    (control(Raw()), laws.estimates_of_parts_are_those_of_the_whole),
    (control(Raw()), laws.estimates_far_from_zero_are_exact),
    (control(Unlearning()), laws.a_group_is_likeliest_under_its_own_estimate),
    (control(Unweighted()), laws.a_weight_is_that_many_rows),
    (control(Sharing()), laws.a_whole_share_is_a_label),
    (control(FirstGroup()), laws.relabelling_groups_permutes_members),
    (control(LargestColumn()), laws.a_missing_cell_is_the_model_without_it),
    (control(Mistaken(mistake="missing is zero")), laws.a_missing_cell_is_the_model_without_it),
    (control(Mistaken(mistake="terms lack a part")), laws.terms_sum_to_the_density),
    (control(Mistaken(mistake="not common")), laws.ratios_are_densities_but_for_a_common_term),
    (control(Mistaken(mistake="no constant")), laws.a_density_integrates_to_one),
    (control(Mistaken(mistake="variance for deviation")), laws.samples_lead_back),
    (control(Mistaken(mistake="variance for deviation")), laws.moments_are_those_of_samples),
    (control(Unbiased()), laws.no_nearby_parameter_is_likelier),
    (control(LeavingIn()), capabilities.a_row_left_out_is_the_estimate_without_it),
    (control(FillingWithOrigins()), capabilities.a_filled_cell_is_typical_of_its_group),
    (control(Sure()), capabilities.a_posterior_lies_about_the_estimate),
    (control(Unordered()), capabilities.a_posterior_lies_about_the_estimate),
    (control(Overcounting()), capabilities.samples_of_one_population_are_seldom_told_apart),
    (control(Blind()), capabilities.samples_of_one_population_are_seldom_told_apart),
    (family("Confused", Confused(GaussianFamily(), 2), REAL, current=two_bumps), laws.passes_climb),
    (control(Certain()), laws.degenerate_data_have_an_answer),
    (control(Mistaken(mistake="squares overflow")), laws.far_away_is_finite),
)
