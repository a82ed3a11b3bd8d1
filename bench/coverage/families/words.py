"""Telling words: how much more likely a word is in a class than elsewhere (`TextBayes.top_terms`)."""

from collections.abc import Iterable

import numpy as np

from bench.coverage.scenarios import Scenario
from bench.coverage.simulation import Draw, Family, Trial
from likely import TextBayes
from likely.intervals import Estimate

_WORDS = 40
_LENGTH = 20  # of a text, on average
_SHOWN = 5
_BURST = 2.0  # occurrences of a word that occurs at all in a text, where words come in bursts


def _prepare(scenario: Scenario, n: int) -> Draw:
    names = np.array([f"word{i}" for i in range(_WORDS)])
    rng = np.random.default_rng(1)
    law = rng.dirichlet(np.full(_WORDS, 2.0), size=2)
    truth = dict(zip(names.tolist(), np.log2(law[1]) - np.log2(law[0]), strict=True))
    burst = 1.0 if scenario.name == "easy" else _BURST

    def draw(rng: np.random.Generator) -> Iterable[Trial]:
        _, y = scenario.rows(n, rng, 2)
        texts = []
        for c in y:
            chosen = rng.choice(names, max(1, rng.poisson(_LENGTH / burst)), p=law[c])
            texts.append(" ".join(np.repeat(chosen, rng.geometric(1 / burst, len(chosen)))))
        model = TextBayes().fit(texts, y)
        for rank, term in enumerate(model.top_terms(1, _SHOWN)):
            name = "the most telling word" if rank == 0 else f"the next {_SHOWN - 1}"
            yield Trial(name, Estimate(term.bits, term.low, term.high, 0.95, "gamma ratio", n), truth[term.word])

    return draw


FAMILY = Family(
    "words",
    "Telling words (`TextBayes.top_terms`)",
    f"n texts of about {_LENGTH} among {_WORDS} words; the truth is the log2 ratio of a word's shares in the two laws."
    " *Easy*: words are drawn one by one; *heavy-tailed*: each that is drawn occurs twice on average. Words are shown"
    " because they told most in these texts, which is part of what is simulated.",
    _prepare,
    draws=150,
    scenarios=("easy", "heavy-tailed"),
)
