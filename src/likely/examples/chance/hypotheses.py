"""Worked examples of Bayes' rule over hypotheses."""

from typing import Any

from likely.examples.catalogue import Example
from likely.examples.drawing import panels
from likely.examples.worked import Worked, worked
from likely.figures import canvas, colour
from likely.probability import HypothesisPosterior, bayes, map_hypotheses, version_space


@worked("EX-PRB-09")
def cancer_test(ex: Example) -> Worked:
    """Has a person whose test is positive the disease?"""
    prior = {"cancer": ex.inputs["prior"], "healthy": 1 - ex.inputs["prior"]}
    positive = {"cancer": ex.inputs["sensitivity"], "healthy": 1 - ex.inputs["specificity"]}
    found = bayes(prior, positive)
    values = {
        "joint_cancer": found.joint["cancer"],
        "joint_healthy": found.joint["healthy"],
        "ratio": found.odds("cancer", "healthy"),
        "p_positive": found.evidence,
        "p_cancer_given_positive": found.p("cancer"),
        "p_healthy_given_positive": found.p("healthy"),
        "map": found.best[0],
    }
    return Worked(values)


@worked("EX-PRB-10")
def concept(ex: Example) -> Worked:
    """Which rules are still possible after each example, and how probable is each?"""
    rules, examples, domain = (ex.inputs[name] for name in ("hypotheses", "data", "domain"))
    found = version_space(rules, examples, domain)
    values = {
        "version_space": found.consistent,
        "p_data": found.evidence,
        "posterior": found.probabilities,
        "evolution": found.evolution,
        "map_hypotheses": map_hypotheses(rules, examples, domain=domain),
    }
    return Worked(values, lambda ax: posterior_bars(ax, found), (9.0, 3.4))


def posterior_bars(ax: Any, found: HypothesisPosterior) -> None:
    """The probability of every hypothesis, before any example and after each."""
    heads = ["before any example", *(f"after {case} is {label}" for case, label in found.examples)]
    names = [str(name) for name in found.probabilities]
    for panel, head, now in zip(panels(ax, len(heads)), heads, found.evolution, strict=True):
        canvas(panel)
        panel.bar(range(len(names)), list(now.values()), 0.8, color=colour(0))
        panel.set_xticks(range(len(names)), names)
        panel.set(ylim=(0, 1), xlabel="hypothesis")
        panel.set_title(head, fontsize=10)
        panel.tick_params(axis="x", labelsize=8)
        if head is heads[0]:
            panel.set_ylabel("probability")
        else:
            panel.set_yticklabels([])
