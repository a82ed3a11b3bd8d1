"""Make the golden model files of this version: `python tests/golden/make_model_files.py`.

They are made once per version of the format and then kept: later versions of the library must still read them. Beside
each lies what the model answered when it was saved.
"""

import json
from pathlib import Path
from typing import Any

import polars as pl

from likely import (
    BayesClassifier,
    BoostedTrees,
    DecisionForest,
    DecisionTree,
    FisherDiscriminant,
    InstanceLearner,
    KernelPerceptron,
    LeastSquaresClassifier,
    LogisticRegression,
    NaiveBayes,
    NearestExemplar,
    NearestNeighbors,
    NeuralNetwork,
    Perceptron,
    ProportionalOdds,
    TextBayes,
)
from likely.decisions import Calibrated
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
PLAY = ["no", "no", "yes", "yes", "no", "no", "yes", "yes"]


def models() -> dict[str, Any]:
    numbers = TABLE["degrees"].to_frame()
    return {
        "naive_bayes": NaiveBayes(kinds={"windy": "binary"}, alpha=0.5).fit(TABLE, PLAY),
        "hidden_labels": BayesClassifier().fit(numbers, [None, *PLAY[1:]]),
        "calibrated": Calibrated(NaiveBayes(), cv=2).fit(TABLE, PLAY),
        "tree": DecisionTree(max_depth=2).fit(TABLE, PLAY),
        "forest": DecisionForest(5, random_state=0, oob_score=False).fit(TABLE, PLAY),
        "boosted": BoostedTrees(max_iter=5, min_samples_leaf=1, early_stopping=False, random_state=0).fit(TABLE, PLAY),
        "neighbors": NearestNeighbors(3, alpha=0.5, kinds={"windy": "binary"}).fit(TABLE, PLAY),
        "exemplar": NearestExemplar(kinds={"windy": "binary"}).fit(TABLE, PLAY),
        "instances": InstanceLearner("IB3", kinds={"windy": "binary"}).fit(TABLE, PLAY),
        "logistic": LogisticRegression(C=2.0, kinds={"windy": "binary"}).fit(TABLE, PLAY),
        "least_squares": LeastSquaresClassifier(posterior="calibrated", alpha=0.5).fit(TABLE, PLAY),
        "fisher": FisherDiscriminant().fit(TABLE, PLAY),
        "ordered": ProportionalOdds(order=["no", "yes"]).fit(TABLE, PLAY),
        "perceptron": Perceptron(keep="pocket", max_iter=50, random_state=0).fit(TABLE, PLAY),
        "kernel_perceptron": KernelPerceptron(random_state=0).fit(TABLE, PLAY),
        "network": NeuralNetwork((3,), epochs=20, random_state=0).fit(TABLE, PLAY),
        "words": TextBayes(alpha=0.5).fit(TABLE["outlook"].to_frame(), PLAY),
    }


if __name__ == "__main__":
    kept = HERE / f"answers_{FORMAT_VERSION}.json"
    answers = json.loads(kept.read_text()) if kept.exists() else {}
    for name, model in models().items():
        if name in answers:  # made by an earlier version of the library, which is what it is for
            continue
        save(model, HERE / f"{name}_{FORMAT_VERSION}.likely")
        table = TABLE.select(model.feature_names_in_.tolist())
        answers[name] = [[value.hex() for value in row] for row in model.predict_proba(table).tolist()]
    kept.write_text(json.dumps(answers, indent=1) + "\n")
