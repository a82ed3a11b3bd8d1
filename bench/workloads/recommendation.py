"""Recommendation beside Surprise's neighbours: the same ratings held out."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import likely
from bench.quality import Quality, Scores
from bench.registry import Case, Step, workload

RECOMMENDATION = "Recommendation"
_DATA = Path(os.environ.get("LIKELY_SHARED_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
_RATINGS = _DATA / "recommender" / "movielens_small_2016.csv.gz"


def _case(quick: bool, by: str, table: pl.DataFrame) -> Case:
    rng = np.random.default_rng(0)
    table = table.sample(8_000, seed=0) if quick else table
    held = pl.Series(rng.random(len(table)) < 0.2)
    learn, judge = table.filter(~held), table.filter(held)
    said: dict[str, Any] = {}

    def ours() -> None:
        said["likely"] = likely.Recommender(by).fit(learn).predict(judge)

    def theirs() -> None:
        from surprise import Dataset, KNNWithMeans, Reader

        frame = learn.to_pandas()
        full = Dataset.load_from_df(frame, Reader(rating_scale=(0.5, 5))).build_full_trainset()
        model = KNNWithMeans(sim_options={"name": "msd", "user_based": by == "user"}, verbose=False).fit(full)
        said["peer"] = np.array([p.est for p in model.test(list(judge.iter_rows()))])

    def quality() -> Quality:
        truth = judge["rating"].to_numpy()
        rmse = {side: float(np.sqrt(np.mean((answer - truth) ** 2))) for side, answer in said.items()}
        near = {side: float(np.mean(np.abs(answer - truth) <= 0.5)) for side, answer in said.items()}
        both = [Scores(near[side], rmse[side]) for side in ("likely", "peer")]
        return Quality(*both, "held-out ratings: share within half a star, and RMSE for log-loss", None)

    return Case((Step("fit and predict", ours, theirs, target=10),), lambda: table["rating"].sum(), quality)


def _movies() -> pl.DataFrame:
    return pl.read_csv(_RATINGS).select(user="user_id", item="item_id", rating="rating")


if find_spec("surprise") is not None:  # the peer is in the extra `bench`

    @workload(
        "recommend-users",
        RECOMMENDATION,
        "MovieLens, 100,004 ratings: Recommender()",
        "Surprise's KNNWithMeans",
        needs=_RATINGS,
    )
    def by_user(quick: bool) -> Case:
        return _case(quick, "user", _movies())

    @workload(
        "recommend-items",
        RECOMMENDATION,
        'MovieLens: Recommender("item")',
        "Surprise's KNNWithMeans by item",
        needs=_RATINGS,
    )
    def by_item(quick: bool) -> Case:
        return _case(quick, "item", _movies())

    @workload(
        "recommend-many",
        RECOMMENDATION,
        "1,000,000 synthetic ratings of 4,000 items by 6,000 users: Recommender()",
        "Surprise's KNNWithMeans",
    )
    def many(quick: bool) -> Case:
        rng = np.random.default_rng(1)
        cells = rng.permutation(6_000 * 4_000)[: 20_000 if quick else 1_000_000]
        user, item = cells // 4_000, cells % 4_000
        tastes, kinds = rng.normal(size=(6_000, 6)), rng.normal(size=(4_000, 6))
        rating = np.clip(
            np.round(2 * (3.5 + (tastes[user] * kinds[item]).sum(axis=1) / 2.5 + rng.normal(0, 0.5, len(cells)))) / 2,
            0.5,
            5,
        )
        return _case(quick, "user", pl.DataFrame({"user": user, "item": item, "rating": rating}))
