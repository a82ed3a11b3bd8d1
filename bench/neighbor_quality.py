"""Nearest neighbours on real tables with levels and gaps beside scikit-learn's: `python -m bench.neighbor_quality`.

Both have 5 neighbours and the same folds. The peer has levels one-hot encoded, gaps filled (mean, or a level of their
own), and stands there twice: with numbers as they are, and with every column of the encoded table divided by its
deviation. `likely` has the table as it is.
"""

import sys
from typing import Any

from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import likely
from bench.tree_quality import Verdict, judge

SETS = (
    "mushroom", "house_votes_84", "soybean", "adult", "hepatitis", "titanic", "heart_disease", "credit_approval",
    "german_credit", "horse_colic", "audiology", "zoo",
)  # fmt: skip


def peers() -> dict[str, Any]:
    """scikit-learn's neighbours, behind one-hot codes and filled gaps."""
    return {
        "encoded": KNeighborsClassifier(5),
        "scaled": make_pipeline(StandardScaler(with_mean=False), KNeighborsClassifier(5)),
    }


def line(found: Verdict) -> str:
    """A row of the printed table."""
    cells = f"{found.accuracy[0]:.3f}", f"{found.accuracy[1]:.3f}", f"{found.more_right:+.3f}"
    return " | ".join((*cells, f"{found.log_loss[0]:.3f}", f"{found.log_loss[1]:.3f}", f"{found.more_loss:+.3f}"))


def main() -> None:
    names = sys.argv[1:] or SETS
    for kind, theirs in peers().items():
        print(f"\n| 5 neighbours, peer {kind} | accuracy | peer | difference | log-loss | peer | difference |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for name in names:
            print(f"| {name} | {line(judge(name, likely.NearestNeighbors(5), theirs))} |", flush=True)


if __name__ == "__main__":
    main()
