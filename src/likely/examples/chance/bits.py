"""Worked examples of information and description length."""

import numpy as np

from likely.evaluation import exception_bits
from likely.examples.catalogue import Example
from likely.examples.worked import Worked, worked
from likely.probability import entropy, huffman, information_content, shannon_lengths


@worked("EX-MDL-01")
def bits_of_outcomes(ex: Example) -> Worked:
    """How many bits are in a toss of a coin and in a roll of a die?"""
    return Worked({"bits": information_content(ex.inputs["p"])})


@worked("EX-MDL-03")
def mean_information(ex: Example) -> Worked:
    """How many bits does an outcome have on average?"""
    return Worked({"bits": [float(entropy(p)) for p in ex.inputs["p"]]})


@worked("EX-MDL-04")
def shorter_description(ex: Example) -> Worked:
    """Is a larger tree worth its bits, when its exceptions are told without and with their places?"""
    models, n = ex.inputs["models"], ex.inputs["n"]

    def total(positions: bool) -> dict[str, float]:
        return {
            name: model["bits"] + exception_bits(model["errors"], n, positions=positions)
            for name, model in models.items()
        }

    plain, placed = total(False), total(True)
    values = {
        "one_bit_per_error": plain,
        "preferred": min(plain, key=lambda name: plain[name]),
        "with_positions": placed,
        "preferred_with_positions": min(placed, key=lambda name: placed[name]),
    }
    return Worked(values)


@worked("EX-MDL-05")
def code_lengths(ex: Example) -> Worked:
    """How long are the words of the best code, and how near is it to the entropy?"""
    p, dyadic = ex.inputs["p"], ex.inputs["dyadic"]
    best, exact = huffman(p), huffman(dyadic)
    values = {
        "lengths": list(best.lengths.values()),
        "mean_length": best.mean_length,
        "entropy": float(entropy(np.array(p))),
        "dyadic_lengths": list(exact.lengths.values()),
        "dyadic_mean": exact.mean_length,
        "shannon_lengths": list(shannon_lengths(p).values()),
    }
    return Worked(values)
