"""What parameters of methods, fitted attributes and public values mean, where nothing nearer says it.

A key is the name of a parameter; where it means something else than usual, `api_own_words` says what.
"""

METHODS = {
    # models
    "given": "the parameters of the model, by name",
    "summed": "whether the model kept the sums of its rows",
    "against": "the class, or classes, that stand on the other side; None: all others together",
    "for_class": "the class that the evidence is for; None: of each row the most probable one",
    "prior": "shares of the classes where the answer is used; None: those that were learned",
    "outcome": "what the wrapper around the model said of the rows in the end",
    "n_draws": "how many parameters are drawn from what the rows leave open",
    "folds": "the fold of each row (n,), numbered from 0",
    "beside": "what else has a value for each row, such as groups",
    "choices": "the values to try, by the parameter's name; None: usual ones",
    "input_features": "names of the columns; None: those that `fit` saw",
    "parameters": "new values of the constructor's parameters, by name",
    "deep": "whether the parameters of estimators inside are listed too",
    "class_": "the class whose words are listed",
    "kept": "scores of rows left out, and their classes",
    "graph": "the graph of ONNX to which the nodes are added",
    "user": "the user's name",
    "item": "the item's name",
    "ratings": "ratings by item of a user who is not among those learned, or instead of those; None: the learned ones",
    "times": "when each rating was given; of a pair that occurs twice the later one counts",
    # families and distributions
    "statistic": "the sums over rows, as `summarize` gives them",
    "fitted": "the distribution that was estimated from the statistic",
    "rng": "a generator of NumPy",
    "current": "the distribution as the last pass of EM left it",
    "i": "the place of the first group or column",
    "j": "the place of the second group or column",
    "before": "the statistic of the first sample",
    "after": "the statistic of the second sample",
    "how": "which prior holds a component open, and how heavy it is",
    "seen": "a statistic for each fold, of the rows that are not in it",
    "learning": "whether the rows are to be learned, and not only asked about",
    "batches": "rows with their membership, in pieces",
    "weight": "(n,) what each row weighs; None: all count once",
    "size": "what has how many columns, values and words, by name",
    "most": "the most rows or values that are worth listing",
    "length": "how many there are in all",
    "rows": "the rows themselves",
    "texts": "the texts, None where one is missing",
    "concentration": "the concentrations of the levels (k, d)",
    "above": "the lower bound; None: none",
    "below": "the upper bound; None: none",
    "kind": 'of the interval: "equal-tailed", or "highest-density", the shortest',
    "level": "the level, by its name or place",
    "point": "the point that it is asked of",
    "trial": "the number of the trial, from 1",
    "count": "how many successes",
    # judging
    "measure": "the name of a measure, or a function of it",
    "of": "the class that it is of; None: the positive one of two, else an average",
    "average": '"macro": classes count alike; "weighted": by their rows; "micro": all answers together; None: none',
    "repeat": "which of the repeats, from 0",
    "result": "what was found: the result that is drawn or looked into",
    "top": "how many of them are shown; an `Audit` takes a share below 1 too",
    "digits": "decimals of the numbers; None: as many as the interval bears out",
    "threshold": "from which score on a row is called positive",
    "thresholds": "the scores from which on rows are called positive; None: all that occur",
    "step": "the number of the step of the curve, from 0",
    "end": "which end of a vertical step is taken: its high or its low one",
    "ranking": "rows in the order of their scores, already checked",
    "probability_cost": "share of the expected cost that falls to the positives, between 0 and 1",
    "truth": "the class of each row",
    "said": "what was answered of each row",
    "TP": "positives called positive",
    "FP": "negatives called positive",
    "TN": "negatives called negative",
    "FN": "positives called negative",
    "folder": "where the report, the model and the figures are put",
    "scores_or_posterior": "scores (n,) of the positive class, or probabilities (n, k)",
    "answers": "what was answered of each row",
    "middle": "from the weights of the two losses to what lies between",
    # pictures
    "found": "what is drawn: the result of the function that the text above names",
    "evidence": "what `evidence` of a model gave",
    "law": "the distribution that is drawn",
    "label": "what it is called in the legend",
    "estimators": "fitted models, by the names that the legend has for them",
    "rates": "the learning rates to try",
    "passes": "after which passes of EM it is drawn",
    "component": "the number of the direction, from 0",
    "colorbar": "whether a bar beside it explains the colours",
    "radius": "of the circle",
    "d": "targets (n,), +1 or -1",
    "max_depth": "levels of the tree that are drawn; None: all",
    "max_clusters": "the largest number of clusters that is tried",
    "n_neighbors": "how many neighbours decide",
    "class_prior": "shares of the classes; None: those among the rows",
    "order": "the order in which they come",
    # tables, sums and engines
    "batch": "some rows of the table",
    "encoded": "rows of a batch that are encoded already, by `plan.rows`",
    "terms": "numbers for the columns of the matrix (..., m)",
    "findings": "what `examine` found in the table",
    "moments": "the sums over rows",
    "cells": "the cells of the rows, column by column",
    "row_weight": "what each row weighs",
    "q_row": "the number of the row among the first points, for each pair",
    "apart": "sums before the root",
    "number": "the number of the batch, from 0",
    "stop": "the number of the first row that is not taken",
    "left_out": "(n,) whether each row is left out",
    "items": "what there is to work on",
    "work": "what is done with each item; a function of one argument",
    "summarize": "from a batch to its statistic; a pure function",
    # trees and networks
    "leaf": "numbers of nodes that are leaves",
    "sign": "1 to add the rows, -1 to take them away",
    "signal": "errors of the outputs (n, k) that are sent back",
    "t": "targets (n, k)",
    "layers": "a matrix of weights for every layer, (units, 1 + inputs)",
    "dtype": "of the weights",
    "augmented": "the weights (w_0, w_1, ..., w_m), that of the constant first",
    "outputs": "values of the function (2^n,), in the order 00..0, 00..1, ..., 11..1",
    "smoothing": "which steps are kept from 0 and 1, as of `Calibrated`",
    # probability and estimation
    "event": "what is asked about: an event, a mapping of values, or a text such as 'a and not b'",
    "a": "the first: a variable, some variables, or an event",
    "b": "the second: a variable, some variables, or an event",
    "case": "what is to be labelled",
    "symbols": "the symbols, one after the other",
    "bits": "a text of 0 and 1",
    "masses": "not negative numbers, one for every world",
    "possible": "whether each value is possible at all",
    "more": "values by the names of their variables",
    "space": "the variables with their values",
    "part": "a space of some of these values",
    "entries": "numbers, one for each value",
    "deviations": "the two standard deviations",
    "expected": "counts of all cells, as the E step gives them",
    "hidden": "the counts that were not observed, to begin with; None: shared out evenly",
    "parameter": "the value of the parameter",
    "theta": "the parameters; those left out are free",
    "g": "a function of the parameters, in the order of `estimate`",
    "noise_variance": "the variance of the values about the line",
}

FITTED = {
    "offset_": "(k,) what is added to the sloped log posterior of each class; all 0 where there is no map",
    "weights_": "all weights as one vector; `layers_.as_matrices(weights_)` are its matrices",
    "feature_importances_": "(d,) the share of each column in what all tests gain; they sum to 1",
    "cluster_weight_": "(k,) the weights of the rows of each cluster",
    "labels_": "(n,) the cluster of each row, from 0",
    "n_clusters_": "how many clusters there are",
    "explained_variance_": "(l,) the variance of the rows along each component",
    "explained_variance_ratio_": "(l,) the same as shares of the whole variance",
    "mean_": "(m,) the mean of the rows, which is taken off before they are projected",
    "scale_": "(m,) what columns are divided by first; all 1 unless they are standardised",
    "training_prior_": "(k,) the prior behind the estimator's posteriors",
    "n_features_in_": "how many columns `fit` saw",
    "feature_names_in_": "(d,) their names; only where the table named its columns",
    "n_features_out_": "how many columns `transform` gives",
    "classes_": "(k,) the classes in the order of the columns of `predict_proba`",
    "class_count_": "(k,) the rows of each class, as their weights",
    "class_prior_": "(k,) the shares of the classes that posteriors are made with",
    "n_iter_": "how many passes or steps were taken",
    "converged_": "whether it came to rest before `max_iter`",
    "history_": "what was seen on the way, a figure for every pass",
    "schema_": "the columns of the table: their names, kinds and levels",
    "design_": "how the columns of the table become the numbers that are learned from; `design_.names` names those",
    "sums_": "the sums that the design was learned from",
    "statistic_": "the sums over the rows, from which all else is estimated; they merge and forget",
    "distribution_": "what was estimated from the sums: a distribution of the columns for every class or component",
    "layout_": "which family each column belongs to",
    "floor_": "the least score whose logarithm is taken",
    "known_": "the rows that were learned, with their classes or values and weights",
    "search_": "the rows ready to be searched, as `algorithm` has it",
    "tuning_": "after `tune`: what was tried, and how good each was",
    "distance_": "the distance between rows, its scales learned",
    "plan_": "how cells become what the distance compares",
    "exemplar_codes_": "the class of each exemplar, as its place in `classes_`",
    "exemplar_rows_": "which rows the exemplars are; of medoids only",
    "stored_codes_": "the classes of the stored rows, as places in `classes_`",
    "right_": "under IB3: how often each row that was stored was right about those near it",
    "tries_": "under IB3: how often each row that was stored was asked",
    "seen_": "how many rows of each class, and of all, were met",
    "optimizer_": "the rule of the steps, with what it remembers",
    "layers_": "the network itself: how many units, which functions",
    "stopped_": "why learning ended",
    "oob_log_loss_": "the log-loss out of bag, an `Estimate` in nats",
    "n_components_": "how many components are kept",
    "spread_": "variances along all directions, and what remains",
    "choice_": 'with C="auto": the penalties that were tried, and how good each was',
    "steps_": "rows that were met one by one",
    "centers_": "(m, d) the middles of the basis functions",
    "powers_": "the exponents of the columns in every product",
    "knots_": "the knots of each column",
    "map_": "from scores to probabilities",
    "parents_": "the parent of each column; of the tree only",
}

CONSTANTS = {  # what they are, and an example that the tests run
    "likely.distributions.TOO_FEW": """Why two samples are not compared: what a family's `compare` says then.

>>> from likely.distributions import TOO_FEW
>>> TOO_FEW
'too few values'""",
    "likely.evaluation.MEASURES": """Every measure of a confusion matrix that there is, with its formula, its other
names and when it misleads; `find_measure` finds one by any of its names.

>>> from likely.evaluation import MEASURES
>>> [one.name for one in MEASURES][:4]
['accuracy', 'error rate', 'recall', 'precision']
>>> MEASURES[0].caution
'flatters the majority class'""",
    "likely.figures.BAND": """The opacity of an interval behind its curve.

>>> from likely.figures import BAND, canvas, colour
>>> import matplotlib; matplotlib.use("agg")
>>> figure, ax = canvas()
>>> band = ax.fill_between([0, 1], [0.1, 0.2], [0.3, 0.5], color=colour(0), alpha=BAND)
>>> band.get_alpha()
0.2""",
    "likely.figures.COLOURS": """The colours of classes and curves, which everyone can tell apart (Okabe and Ito 2008);
`colour(place)` begins anew after the last.

>>> from likely.figures import COLOURS, colour
>>> len(COLOURS), colour(8) == COLOURS[0]
(8, True)""",
    "likely.figures.INK": """The colour of text and axes.

>>> from likely.figures import INK, canvas
>>> import matplotlib; matplotlib.use("agg")
>>> figure, ax = canvas()
>>> ax.xaxis.label.get_color() == INK
True""",
    "likely.figures.MUTED": """The colour of lines that only help: diagonals, true values, grids.

>>> from likely.figures import MUTED, canvas
>>> import matplotlib; matplotlib.use("agg")
>>> figure, ax = canvas()
>>> ax.axhline(0.5, color=MUTED).get_color() == MUTED
True""",
    "likely.models.ACTIVATIONS": """What units of a network make of their inputs, with its slope, by name: what
`activation` of `NeuralNetwork` may be.

>>> from likely.models import ACTIVATIONS, activation_values
>>> sorted(ACTIVATIONS)
['relu', 'sigmoid', 'tanh']
>>> activation_values("relu", [-1.0, 2.0]).tolist()
[0.0, 2.0]""",
    "likely.models.GATES": """Threshold units that compute the functions of logic; exclusive or takes two layers.

>>> from likely.models import GATES
>>> sorted(GATES)
['AND', 'NAND', 'NOR', 'NOT', 'OR']
>>> GATES["AND"].activation([[0, 1], [1, 1]]).tolist()
[-0.5, 0.5]""",
}
