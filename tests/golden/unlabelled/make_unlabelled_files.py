"""Make the golden files of models without labels: `python tests/golden/unlabelled/make_unlabelled_files.py`.

They are made once per version of the format and then kept: later versions of the library must still read them. Beside
them lies what the models answered when they were saved.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from likely import PCA, Hierarchy, KMeans, Mixture, Recommender
from likely.store import save
from likely.store.model_file import FORMAT_VERSION

HERE = Path(__file__).parent
TABLE = pl.DataFrame(
    {
        "outlook": ["sunny", "sunny", "overcast", "rainy", "rainy", None, "overcast", "sunny"],
        "degrees": [29.5, 27.0, 28.0, 21.0, None, 18.5, 20.0, 24.0],
        "windy": [False, True, False, False, True, True, True, False],
    }
)
CRITICS = {
    "Amy": {"Heat": 5, "Up": 3.5, "Alien": 2},
    "Ben": {"Heat": 4, "Up": 4, "Big": 3},
    "Cleo": {"Up": 1, "Alien": 4.5, "Big": 2},
    "Dan": {"Alien": 5},
}


def models() -> dict[str, Any]:
    return {
        "kmeans": KMeans(2, standardize=True, random_state=0).fit(TABLE),
        "hierarchy": Hierarchy("average", n_clusters=3).fit(TABLE),
        "pca": PCA(2, standardize=True).fit(TABLE),
        "mixture": Mixture(2, "auto", pseudo_rows=0.5, random_state=0).fit(TABLE),
        "recommender": Recommender(normalize="standard", shrinkage=1.0).fit(CRITICS),
    }


def answers(model: Any) -> list[list[str]]:
    """What a model says: of the table distances, clusters, scores or shares; of every critic and film a rating."""
    if isinstance(model, Recommender):
        said = model.predict([(user, item) for user in model.users_ for item in model.items_])[:, None]
    elif isinstance(model, Mixture):
        said = np.column_stack([model.predict_proba(TABLE), model.score_samples(TABLE)])
    elif hasattr(model, "transform"):
        said = model.transform(TABLE)
    else:
        said = model.predict(TABLE)[:, None].astype(float)
    return [[value.hex() for value in row] for row in said.tolist()]


if __name__ == "__main__":
    kept = HERE / f"answers_{FORMAT_VERSION}.json"
    told = json.loads(kept.read_text()) if kept.exists() else {}
    for name, model in models().items():
        if name not in told:  # else made by an earlier version of the library, which is what it is for
            save(model, HERE / f"{name}_{FORMAT_VERSION}.likely")
            told[name] = answers(model)
    kept.write_text(json.dumps(told, indent=1) + "\n")
