"""Worked examples of Bayes' rule over hypotheses."""

from likely.examples.catalogue import Example
from likely.examples.worked import Worked, worked
from likely.figures import HypothesesDisplay
from likely.probability import bayes, map_hypotheses, version_space


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
    return Worked(values, lambda ax: HypothesesDisplay.from_posterior(found, ax=ax), (9.0, 4.4))
