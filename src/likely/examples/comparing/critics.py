"""Worked examples of film critics and what they recommend."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely import Recommender
from likely.data import Standard, closest_pair, distance_matrix, shared_distances, similarities
from likely.examples.catalogue import Example
from likely.examples.worked import Axes, Worked, worked
from likely.figures import LineDisplay

PLAIN: dict[str, Any] = {"by": "user", "similarity": "euclidean", "normalize": "none", "k": None, "shrinkage": 0}


def _critics(ex: Example) -> dict[str, dict[str, float]]:
    rows = zip(ex.inputs["critics"], ex.inputs["ratings"], strict=True)
    return {critic: dict(zip(ex.inputs["films"], row, strict=True)) for critic, row in rows}


def _told(ex: Example, ratings: Mapping[str, float]) -> tuple[Recommender, dict[Any, Any]]:
    """The critics' recommender, and how near each of them is to somebody with these ratings."""
    model = Recommender(**PLAIN).fit(_critics(ex))
    return model, {near.name: near for near in model.nearest_users(ratings=ratings)}


@worked("EX-REC-01")
def nearest_critic(ex: Example) -> Worked:
    """Which critic is nearest to somebody who rated two films?"""
    user = ex.inputs["user"]
    model, near = _told(ex, user)
    values = {
        "distance_to_mccarthy": near["McCarthy"].distance,
        "distances": [near[critic].distance for critic in ex.inputs["critics"]],
        "nearest": model.nearest_users(ratings=user, n=1)[0].name,
    }
    places = [ex.inputs["films"].index(film) for film in user]
    x, y = np.array(ex.inputs["ratings"], dtype=float)[:, places].T

    def draw(ax: Axes) -> object:
        point = tuple(map(float, user.values()))
        return LineDisplay.from_values(x, y, names=ex.inputs["critics"], query=point, labels=tuple(user), ax=ax)

    return Worked(values, draw)


@worked("EX-REC-02")
def between_critics(ex: Example) -> Worked:
    """How far are the critics from each other, and which two are closest?"""
    ratings = np.array(ex.inputs["ratings"], dtype=float)
    first, second = closest_pair(ratings)[:2]
    return Worked(
        {
            "distances": distance_matrix(ratings),
            "closest_pair": [ex.inputs["critics"][i] for i in sorted((int(first), int(second)))],
        }
    )


@worked("EX-REC-03")
def second_user(ex: Example) -> Worked:
    """How similar are the critics to somebody who rated three films?"""
    model, near = _told(ex, ex.inputs["user"])
    distances = np.array([near[critic].distance for critic in ex.inputs["critics"]])
    return Worked(
        {
            "squared": (distances**2).round(9),
            "distances": distances,
            "similarity": [near[critic].similarity for critic in ex.inputs["critics"]],
            "most_similar": model.nearest_users(ratings=ex.inputs["user"], n=1)[0].name,
        }
    )


@worked("EX-REC-04")
def weighted_scores(ex: Example) -> Worked:
    """What do the critics, weighed by their similarity, say of the films that somebody has not seen?"""
    user = ex.inputs["user"]
    model, near = _told(ex, user)
    unseen = [film for film in ex.inputs["films"] if film not in user]
    products, totals = {}, {}
    for film in unseen:
        said = {part.name: part for part in model.because(item=film, ratings=user)}
        products[film] = [said[c].similarity * said[c].rating for c in ex.inputs["critics"]]
        totals[film] = sum(products[film])
    best = model.recommend(ratings=user, n=3)
    return Worked(
        {
            "total_similarity": sum(near[critic].similarity for critic in ex.inputs["critics"]),
            "products": products,
            "totals": totals,
            "scores": {one.item: one.score for one in best},
            "recommended": best[0].item,
        }
    )


@worked("EX-REC-05")
def between_films(ex: Example) -> Worked:
    """Which films were rated most like one of them?"""
    model = Recommender(**{**PLAIN, "by": "item"}).fit(_critics(ex))
    return Worked(
        {
            "distances": distance_matrix(np.array(ex.inputs["ratings"], dtype=float).T),
            "two_nearest_to_body_of_lies": [near.name for near in model.nearest_items("Body of Lies", n=2)],
        }
    )


@worked("EX-REC-06")
def standard_scores(ex: Example) -> Worked:
    """How generous is each critic, and what are the ratings as standard scores?"""
    ratings = np.array(ex.inputs["ratings"], dtype=float).T  # a column for each critic
    scale, population = Standard.learn(ratings, ddof=1), Standard.learn(ratings)
    return Worked(
        {
            "means": scale.mean,
            "sample_sd": scale.deviation,
            "population_sd": population.deviation,
            "min_mean": scale.mean.min(),
            "max_mean": scale.mean.max(),
            "z_first_critic": scale.transform(ratings)[:, 0],
        }
    )


@worked("EX-REC-07")
def similar_critics(ex: Example) -> Worked:
    """How similar are the critics, by their distances?"""
    found = similarities(np.array(ex.inputs["ratings"], dtype=float), similarity="euclidean")
    return Worked({"similarity": found, **_named(ex, found)})


@worked("EX-REC-08")
def correlated_critics(ex: Example) -> Worked:
    """How do the critics correlate?"""
    found = similarities(np.array(ex.inputs["ratings"], dtype=float), similarity="pearson")
    return Worked({"matrix": found, **_named(ex, found)})


@worked("EX-REC-09")
def follow_one(ex: Example) -> Worked:
    """What does the most similar critic alone recommend?"""
    model = Recommender(**{**PLAIN, "k": 1}).fit(_critics(ex))
    user = ex.inputs["user"]
    film = model.recommend(ratings=user, n=1)[0].item
    return Worked({"critic": model.because(item=film, ratings=user)[0].name, "film": film})


@worked("EX-REC-10")
def sparse(ex: Example) -> Worked:
    """What do people say who rated some of the same films only?"""
    table = np.array([[np.nan if cell is None else cell for cell in row] for row in ex.inputs["ratings"]])
    own = np.array([[np.nan if cell is None else cell for cell in ex.inputs["user"]]])
    people = {p: {m: x for m, x in enumerate(row) if x is not None} for p, row in enumerate(ex.inputs["ratings"])}
    model = Recommender(**PLAIN).fit(people)
    user = {m: x for m, x in enumerate(ex.inputs["user"]) if x is not None}
    scores = {one.item: one.score for one in model.recommend(ratings=user)}
    near = {one.name: one.similarity for one in model.nearest_users(ratings=user)}
    return Worked(
        {
            "distances": shared_distances(own, table)[0],
            "similarity": [near[p] for p in sorted(people)],
            "scores": [scores.get(m) for m in range(table.shape[1])],
        }
    )


def _named(ex: Example, found: Any) -> dict[str, float]:
    """Entries by the critics' names."""
    names = [critic.lower() for critic in ex.inputs["critics"]]
    return {f"{a}_{b}": found[i, j] for i, a in enumerate(names) for j, b in enumerate(names) if i < j}
