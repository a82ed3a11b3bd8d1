"""Make the golden files of clusters and components: `python tests/golden/unlabelled/make_unlabelled_files.py`.

They are made once per version of the format and then kept: later versions of the library must still read them. Beside
them lies what the models answered when they were saved.
"""

import json
from pathlib import Path
from typing import Any

import polars as pl

from likely import PCA, Hierarchy, KMeans
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


def models() -> dict[str, Any]:
    return {
        "kmeans": KMeans(2, standardize=True, random_state=0).fit(TABLE),
        "hierarchy": Hierarchy("average", n_clusters=3).fit(TABLE),
        "pca": PCA(2, standardize=True).fit(TABLE),
    }


def answers(model: Any) -> list[list[str]]:
    """What a model says of the table: distances and clusters, or scores."""
    said = model.transform(TABLE) if hasattr(model, "transform") else model.predict(TABLE)[:, None].astype(float)
    return [[value.hex() for value in row] for row in said.tolist()]


if __name__ == "__main__":
    told = {}
    for name, model in models().items():
        save(model, HERE / f"{name}_{FORMAT_VERSION}.likely")
        told[name] = answers(model)
    (HERE / f"answers_{FORMAT_VERSION}.json").write_text(json.dumps(told, indent=1) + "\n")
