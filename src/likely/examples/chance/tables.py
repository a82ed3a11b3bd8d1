"""Worked examples of joint tables: marginals, conditions, enumeration, independence, the chain rule, worlds."""

from collections.abc import Mapping
from typing import Any

from likely.data import gaussian_parameters, joint_cells, joint_parameters, naive_cells, naive_parameters
from likely.examples.catalogue import Example
from likely.examples.worked import Worked, worked
from likely.probability import Conditional, Joint, V, table_sizes


def dental(joint: Mapping[str, float]) -> Joint:
    """The table of a cavity, a toothache and a catch from the catalogue's spelling of its worlds."""
    worlds = {}
    for key, p in joint.items():
        cavity, toothache, catch = key.split(",")
        worlds[cavity == "cavity", toothache == "toothache", catch == "catch"] = p
    return Joint(worlds, ["cavity", "toothache", "catch"])


@worked("EX-PRB-01")
def boxes_of_fruit(ex: Example) -> Worked:
    """Which box was it, if the fruit that was taken out blindly is an apple?"""
    prior = Joint(ex.inputs["prior"], "box")
    fruit = Conditional(ex.inputs["boxes"], of="fruit", given="box", normalize=True)
    both = prior * fruit
    values = {
        "p_apple_given_red": fruit.p(fruit="apple", box="red"),
        "p_apple_given_green": fruit.p(fruit="apple", box="green"),
        "p_apple": both.p(fruit="apple"),
        "p_orange": both.p(fruit="orange"),
        "p_red_given_apple": both.p(box="red", given={"fruit": "apple"}),
        "p_green_given_apple": both.p(box="green", given={"fruit": "apple"}),
        "p_green_prior": prior.p(box="green"),
    }
    return Worked(values)


@worked("EX-PRB-02")
def table_of_counts(ex: Example) -> Worked:
    """What joint, marginal and conditional probabilities does a table of counts give?"""
    x, y = ex.inputs["rows"], ex.inputs["columns"]
    both = Joint(ex.inputs["counts"], [x, y], counts=True)
    x_given_y = both.conditional(x, given=y)
    values = {
        "joint": both.cells,
        "marginal_x": both.marginal(x).cells,
        "marginal_y": both.marginal(y).cells,
        "x_given_y": x_given_y.cells.T,  # as the table of counts has them: x down, y across
        "y_given_x": both.conditional(y, given=x).cells,
        "p_x1_given_y1": x_given_y.p({x: 0, y: 0}),
    }
    return Worked(values)


@worked("EX-PRB-03")
def will_she_pass(ex: Example) -> Worked:
    """Will she pass the test, when it is known whether she studied?"""
    passes = Conditional(
        {"studied": ex.inputs["p_pass_if_study"], "did not study": ex.inputs["p_pass_if_not"]},
        of="passes",
        given="effort",
    )
    both = Joint.uniform({"effort": ["studied", "did not study"]}) * passes  # any prior: the condition settles it
    seen = {"effort": ex.inputs["observed"]}
    return Worked({"p_pass": both.p("passes", given=seen), "p_fail": both.p("not passes", given=seen)})


@worked("EX-PRB-04")
def beliefs_of_agents(ex: Example) -> Worked:
    """How probable is a six to agents who know different things of the die?"""
    die = Joint.uniform({"die": ex.inputs["worlds"]})
    event = {"die": ex.inputs["event"]}
    return Worked({agent: die.p(event, given={"die": worlds}) for agent, worlds in ex.inputs["possible"].items()})


@worked("EX-PRB-05")
def weather_and_cavity(ex: Example) -> Worked:
    """Has the weather to do with a cavity?"""
    both = Joint(ex.inputs["joint"], ["cavity", "weather"], [ex.inputs["cavity"], ex.inputs["weather"]])
    weather = both.marginal("weather")
    values = {
        "total": both.p("True"),
        "p_weather": {name: weather.p(weather=name) for name in ex.inputs["weather"]},
        "p_cavity": both.p("cavity"),
        "independent": both.independent("cavity", "weather"),
    }
    return Worked(values)


@worked("EX-PRB-06")
def cavity_and_toothache(ex: Example) -> Worked:
    """How probable is a cavity, before and after a toothache?"""
    spelled = {tuple(part != "none" for part in key.split("_")): p for key, p in ex.inputs["joint"].items()}
    both = Joint(spelled, ["cavity", "toothache"])
    return Worked({"p_cavity": both.p("cavity"), "p_cavity_given_toothache": both.p("cavity", given="toothache")})


@worked("EX-PRB-07")
def enumeration(ex: Example) -> Worked:
    """What do toothache and catch say of a cavity, and of each other, by summing over worlds?"""
    table = dental(ex.inputs["joint"])
    values = {
        "p_toothache": table.p("toothache"),
        "p_sound_given_toothache": table.p("not cavity", given="toothache"),
        "p_cavity_or_toothache": table.p("cavity or toothache"),
        "p_cavity": table.p("cavity"),
        "toothache_catch_independent_given_cavity": table.independent("toothache", "catch", given="cavity"),
        "toothache_catch_independent": table.independent("toothache", "catch"),
    }
    return Worked(values)


@worked("EX-PRB-08")
def two_headed_coin(ex: Example) -> Worked:
    """Was it the fair coin or the one with two heads, after a head?"""
    worlds = {tuple(key.split(",")): p for key, p in ex.inputs["worlds"].items()}
    before = Joint(worlds, ["coin", "side"])
    after = before.condition(side=ex.inputs["evidence"])
    values = {
        "p_head": before.p(side=ex.inputs["evidence"]),
        "p_fair_given_head": after.p(coin="fair"),
        "measure_after_head": {f"{coin},{side}": after.p(coin=coin, side=side) for coin, side in worlds},
    }
    return Worked(values)


@worked("EX-PRB-21")
def laws_of_independence(ex: Example) -> Worked:
    """Which independences follow from that of X and (Y, W) given Z?"""
    table = Joint(ex.inputs["p"], ex.inputs["axes"])
    single, both = table.independent("X", "Y", given="Z"), table.independent("X", "W", given=["Z", "Y"])
    whole = table.independent("X", ["Y", "W"], given="Z")
    values = {
        "premise": whole,
        "symmetry": table.independent(["Y", "W"], "X", given="Z"),
        "decomposition": single and table.independent("X", "W", given="Z"),
        "weak_union": table.independent("X", "Y", given=["Z", "W"]) and both,
        "contraction_premises": [single, both],
        "contraction": whole or not (single and both),
        "marginal_independence": table.independent("X", ["Y", "W"]),
    }
    return Worked(values)


@worked("EX-PRB-22")
def sizes(ex: Example) -> Worked:
    """How many numbers does a table need, with and without independence?"""
    bits, classes, d = [2] * ex.inputs["binary_attributes"], ex.inputs["classes"], ex.inputs["d"]
    teeth = dict(zip(["toothache", "catch", "cavity", "weather"], ex.inputs["dental_arity"], strict=True))
    apart = table_sizes(teeth, blocks=[["toothache", "catch", "cavity"], ["weather"]])
    values = {
        "full_table": joint_cells(bits, classes),
        "naive_entries": naive_cells(bits, classes),
        "free_full": joint_parameters(bits, classes),
        "free_naive": naive_parameters(bits, classes),
        "per_class_full_d3": joint_parameters([2] * d),
        "per_class_naive_d3": naive_parameters([2] * d),
        "gaussian_naive_per_class_d3": gaussian_parameters(d, covariance="diagonal"),
        "gaussian_full_per_class_d3": gaussian_parameters(d),
        "dental_full": apart["joint cells"],
        "dental_with_weather_apart": apart["independent cells"],
    }
    return Worked(values)


@worked("EX-PRB-23")
def two_words(ex: Example) -> Worked:
    """Can two words be independent in every class and not over all, and the other way round?"""
    spam = Joint({True: ex.inputs["spam"], False: 1 - ex.inputs["spam"]}, "spam")
    words: Any = {True: ex.inputs["w_spam"], False: ex.inputs["w_ham"]}
    first, second = (Conditional(words, of=name, given="spam") for name in ("first", "second"))
    naive = spam * first * second
    word = {True: ex.inputs["q"], False: 1 - ex.inputs["q"]}
    either = (Joint(word, "first") * Joint(word, "second")).define("spam", "first or second")
    within = either.condition("spam")
    values = {
        "p_both": naive.p("first and second"),
        "p_one_squared": naive.p("first") ** 2,
        "p_second_given_first": naive.p("second", given="first"),
        "p_second": naive.p("second"),
        "unconditionally_independent": naive.independent("first", "second"),
        "or_p_first_given_spam": within.p("first"),
        "or_p_both_given_spam": within.p("first and second"),
        "or_product": within.p("first") * within.p("second"),
        "or_p_second_given_not_first_spam": within.p("second", given="not first"),
    }
    return Worked(values)


@worked("EX-PRB-24")
def die(ex: Example) -> Worked:
    """What are the chances of even and of high numbers of a die, of either and of both?"""
    space = Joint.uniform({"die": ex.inputs["faces"]})
    a, b = V("die").isin(ex.inputs["a"]), V("die").isin(ex.inputs["b"])
    values = {
        "p_a": space.p(a),
        "p_not_a": space.p(~a),
        "p_a_and_b": space.p(a & b),
        "p_a_or_b": space.p(a | b),
        "by_rule": space.p(a) + space.p(b) - space.p(a & b),
        "mean": space.expectation("die"),
        "variance": space.variance("die"),
    }
    return Worked(values)


@worked("EX-PRB-25")
def chain_rule(ex: Example) -> Worked:
    """Which conditional probabilities multiply to the probability of a cell?"""
    table = dental(ex.inputs["joint"])
    cell = dental({ex.inputs["cell"]: 1}).worlds()[0]
    world = dict(zip(table.names, cell, strict=True))
    first, second, third = table.chain("cavity", "toothache", "catch")
    factors = [
        first.p(cavity=world["cavity"]),
        second.p({name: world[name] for name in ("cavity", "toothache")}),
        third.p(world),
    ]
    values = {
        "p_cavity": factors[0],
        "p_toothache_given_cavity": factors[1],
        "p_catch_given_both": factors[2],
        "product": factors[0] * factors[1] * factors[2],
    }
    return Worked(values)


@worked("EX-PRB-27")
def counted_worlds(ex: Example) -> Worked:
    """How many worlds are there, and in which of them is a proposition true?"""
    states = Joint.uniform({"colour": range(ex.inputs["colours"]), "shape": range(ex.inputs["shapes"])})
    booleans = Joint.uniform({f"proposition {i}": [True, False] for i in range(ex.inputs["booleans"])})
    worlds = [tuple(world) for world in ex.inputs["worlds"]]
    table = Joint(dict.fromkeys(worlds, 1 / len(worlds)), ["colour", "shape"])
    name, value = ex.inputs["proposition"]
    values = {
        "states": len(states.worlds()),
        "atomic_events": len(booleans.worlds()),
        "true_in": table.worlds({name: value}),
    }
    return Worked(values)
