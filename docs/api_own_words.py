"""What a parameter means where it is not what its name usually means.

A key is `function.parameter`, `Class.parameter` or `Class.method.parameter`, of the class that wrote the method or of
one that inherits it. These words go before all others.
"""

_SAID = {  # the words, and where they stand
    "objectives, each of some of the rows": "additive.parts",
    "(k,) the place that each group is moved to": "Additive.regrouped.index",
    "places of the groups that are kept, in their new order": "Additive.taken.index",
    "the words that count, in this order; None: those of the texts": "bag_of_words.vocabulary",
    "whether the likelihoods are natural logarithms": "bayes.log Posterior.update.log",
    "what is believed before: a `Beta`, or its two pseudo-counts, of successes and failures": """
        BeliefsDisplay.from_counts.prior BeliefsDisplay.from_sequence.prior
    """,
    "places of the columns in the rows that the graph is given": """
        Bernoulli.onnx_log_density.columns Categorical.onnx_log_density.columns Gaussian.onnx_log_density.columns
        LogNormal.onnx_log_density.columns Multinomial.onnx_log_density.columns
        MultivariateGaussian.onnx_log_density.columns
    """,
    "how many values are drawn": """
        Binomial.sample.size Geometric.sample.size PowerCurve.sample.size Uniform.sample.size
    """,
    "a fitted `Calibrated`": "CalibrationMapsDisplay.from_estimator.estimator",
    "how far from 0 still counts as nothing left, as a share of the feature's size": """
        CalibrationSums.features_hold.tolerance
    """,
    "how far apart still counts as the same, as a share of the number of positives": """
        CalibrationSums.sum_holds.tolerance
    """,
    "the name under which it is found; printed in a study": "candidate.name",
    "the name of the candidate, as a study prints it": "Candidate.name",
    "names of the columns": """
        Categorical.linear_terms.names Gaussian.linear_terms.names MultivariateGaussian.linear_terms.names
        MultivariateGaussianFamily.compare_jointly.names TextDistribution.linear_terms.names
    """,
    "probabilities of the levels of a feature, by level; one mapping for each feature": "Categorical.of.features",
    "the levels of the rows, as places": """
        CategoryCounts.of.codes JointCounts.of.codes PairCounts.of.codes TripleCounts.of.codes
    """,
    "the names of the classes, in the order of their places": """
        class_array.classes from_indicator.classes from_indices.classes from_signs.classes
    """,
    "the name of the feature, for the label of the axis": """
        ClassBoundariesDisplay.name ClassDensitiesDisplay.from_values.name ClassDensitiesDisplay.name
        ClassHistogramDisplay.name
    """,
    "of the feature, as `NaiveBayes` has it; auto: guessed": "ClassDensitiesDisplay.from_values.kind",
    "not used; there so that every estimator is called alike": """
        Clusterer.fit.y Clusterer.fit_predict.y Hierarchy.fit.y Hierarchy.fit_predict.y KMeans.fit.y
        KMeans.fit_predict.y KMeans.fit_transform.y KMeans.partial_fit.y KMeans.score.y Mixture.fit.y
        Mixture.fit_predict.y Mixture.score.y PCA.fit.y PCA.fit_transform.y PCA.forget.y PCA.partial_fit.y
        PolynomialBasis.fit.y PolynomialBasis.fit_transform.y RadialBasis.fit.y RadialBasis.fit_transform.y
        Recommender.fit.y Recommender.forget.y Recommender.partial_fit.y SplineBasis.fit.y SplineBasis.fit_transform.y
    """,
    "a fitted `KMeans` or `Hierarchy`": "ClustersDisplay.from_estimator.estimator",
    "the number of the first row that is taken": "Codes.rows.start DesignPlan.rows.start Membership.rows.start",
    "a fitted `PCA`": "ComponentsDisplay.from_estimator.estimator",
    "the variables that are given, or an event": "Conditional.given",
    "the variables whose distribution it is": "Conditional.of Joint.conditional.of",
    "how many of the variables are given; they come first": "Conditional.of_masses.given",
    "the space of the worlds, which holds the given variables": "Conditional.over.prior",
    "the values of the variables that are asked of, by name": "Conditional.p.values",
    'the names of the measures: "learning" (recall, precision) or "medical" (sensitivity, specificity)': """
        Confusion.frame.vocabulary Confusion.report.vocabulary Evaluation.frame.vocabulary Measure.named.vocabulary
    """,
    "which measure, by any of its names, or a `Measure`": "Confusion.measure.name measure.name",
    "how many evenly spaced probability-costs": "CostCurve.frame.points",
    "the share of the positives where it is used; None: that among the rows": """
        CostCurve.probability_cost.prior Evaluation.best_point.prior RocCurve.accuracies.prior RocCurve.at.prior
        RocCurve.best_point.prior RocCurve.isometric_slope.prior RocCurve.point.prior
        RocCurve.posterior_threshold.prior RocCurve.prices.prior RocCurve.threshold_curve.prior
    """,
    "what mistakes cost: a nested mapping costs[truth][said], a matrix, or a `CostMatrix`": "CostMatrix.of.source",
    "probabilities, which sum to 1": "cross_entropy.p entropy.p kl_divergence.p",
    "the probabilities of the other distribution": "cross_entropy.q kl_divergence.q",
    "how many draws of the model's parameters and its calibration are taken": "Decider.estimate_prior.n_draws",
    "the row, a value for every feature, at which the features that are not drawn are held": "decision_regions.at",
    "the two features that are drawn, by place or by name": "decision_regions.features",
    "a fitted classifier, or a `Population`, whose best rule is taken": "decision_regions.model",
    "coordinates along the first feature": "decision_regions.x",
    "coordinates along the second feature; None: the model has one feature": "decision_regions.y",
    "a fitted `Hierarchy`": "DendrogramDisplay.from_estimator.estimator",
    "what makes intervals (n, k, 2) of the log joints under every draw and of the model's own": """
        DependenceBayes.over_draws.ends ProportionalOdds.over_draws.ends
    """,
    "the places of the levels (n, d); -1 where a cell is missing": "DependenceTree.terms_at.u",
    "a fitted `DependenceBayes`": "DependenceTreeDisplay.from_estimator.estimator",
    "a model with a `learning_rate`; it is fitted once for each of the rates": "DescentDisplay.from_rates.estimator",
    "how many are drawn": """
        Dirichlet.sample.n mean_law.n MultivariateT.sample.n NormalInverseGamma.sample.n NormalInverseWishart.sample.n
        Predictive.sample.n PredictiveLevel.sample.n
    """,
    "the order of Minkowski's distance; below 1 it is no metric": """
        distance_matrix.p is_metric.p minkowski.p norm.p TableDistance.learned.p
    """,
    "how many points are drawn": "Ellipse.points.n",
    "of the test: how often it may reject what is true": "ErrorDifference.larger.level",
    'what the score is of: "log-loss" or "Brier"': "Evaluation.decomposition.score",
    'which measure of the answers, by any of its names: "recall" is "sensitivity"': "Evaluation.measure.name",
    '"macro": classes count alike; "weighted": by their rows; "hand-till": all pairs': "Evaluation.roc_area.average",
    "how far to go from the point, in every coordinate": "Expansion.after.step",
    "of the gamma distribution: by which x is divided": "ExponentialForm.gamma.scale",
    "of the gamma distribution: the exponent of x, plus 1": "ExponentialForm.gamma.shape",
    "the mean number of events": "ExponentialForm.poisson.rate",
    "a fitted `NaiveBayes(weighting=...)`": "ExponentsDisplay.from_estimator.estimator",
    "the amount at each x": "fit_line.y Line.residuals.y",
    "places of classes (n,)": "from_indices.codes",
    'what the rate is of: "poisson" counts or "exponential" waits': "Gamma.reference.likelihood",
    "how many rows the sum is of, where `data` is a sum": "Gamma.update.rows",
    "whether the logarithm is given, which is never too large": "gamma_function.log",
    "values for which the function is asked": "gamma_function.x",
    "how many classes": "GaussianFamily.fold_scores.classes MultivariateGaussianFamily.fold_scores.classes",
    "the share of the second class": "GaussianScores.with_prior.share",
    "whether a vector has the rows of the grid one after the other, or its columns": "GridDisplay.from_vectors.order",
    "groves of the same classes": "Grove.joined.parts",
    "the figure of every node (nodes, k)": "Grove.steps.of Grove.sums_of_steps.of",
    "the figure of every leaf (leaves, m)": "Grove.sums.of",
    "the class of each row, as its place (n,)": "Grove.with_rows.codes",
    "the posterior of the hypotheses": "HypothesesDisplay.from_posterior.found",
    "a fitted tree or forest": "ImportanceDisplay.from_estimator.estimator permutation_importance.model",
    'what a shuffled column costs: "bits" or "errors" of a row': "ImportanceDisplay.from_estimator.loss",
    "a probability, or several": "information_content.p Predictive.quantile.p",
    "the variables that are given, one or several": "Joint.conditional.given",
    "what is known: variables whose every combination of values counts by itself, or an event; None: nothing": """
        Joint.cube.given Joint.mutual_information.given Joint.mutually_independent.given
    """,
    "variables, sets of them, or events": "Joint.cube.parts Joint.mutually_independent.parts",
    "the variables; None: all of them": "Joint.entropy.of",
    '"error" refuses rows with a missing cell, "drop" leaves them out': "Joint.observed.missing",
    "numbers of clusters (n,), as `encode` gives them": "KMeans.decode.codes",
    "all weights as one vector (size,)": """
        Layers.as_matrices.weights Layers.back_propagate.weights Layers.forward.weights Layers.input_slopes.weights
        Layers.outputs.weights Layers.split.weights Optimizer.of.weights Optimizer.step.weights
    """,
    "what each row weighs (n,); None: all count once": "Layers.back_propagate.share",
    "above the entries of the legend": "legend.title",
    "the family of what is fitted to the values, or its name": "LikelihoodDisplay.from_data.family",
    "the name of the parameter; None: the only one": """
        LikelihoodDisplay.from_data.parameter LikelihoodDisplay.from_fit.parameter
    """,
    "which number of the parameter, where it has several: its place; (): the only one": """
        LikelihoodDisplay.from_fit.index
    """,
    "all classes that there will be, where the first rows do not have them all": """
        LogisticRegression.partial_fit.classes NeuralNetwork.partial_fit.classes Perceptron.partial_fit.classes
        Pool.partial_fit.classes
    """,
    "a fitted linear classifier of two classes": "MarginLossDisplay.from_estimator.estimator",
    "what it is computed from: an event, or a quantity of the variables": "Masses.define.of",
    "the number: a variable, or a quantity made of them": "Masses.variance.of",
    'the average that the formula is for: "micro" has one of its own; None: a class': "Measure.formula_of.average",
    "how many rows": "Membership.whole.rows TextFamily.check_folds.rows",
    "the weights of the perceptron (m,)": "mistake_bound.weights",
    "a fitted `Mixture`": "MixtureDisplay.from_estimator.model MixtureDisplay.from_passes.model",
    "how many starts are drawn": "MixtureDisplay.from_values.starts",
    "(k,) how many rows each group has": "Moments.of_sums.rows Scatter.of_sums.rows",
    "logarithm of each component's weight (k,)": "MultivariateGaussianFamily.share_out.log_prior",
    "the number of the column, from 0": "MultivariateT.marginal.column NormalInverseWishart.marginal.column",
    "how many words": "NaiveBayes.top_terms.n TellingTermsDisplay.from_estimator.n TextBayes.top_terms.n",
    "shares of the classes; None: those that were learned": """
        NearestExemplar.predict_log_proba.prior NearestNeighbors.predict.prior
    """,
    "the amount of each row; beside a table X also the name of its column that holds it": """
        NearestNeighborsRegressor.fit.y NearestNeighborsRegressor.forget.y NearestNeighborsRegressor.out_of_fold.y
        NearestNeighborsRegressor.partial_fit.y NearestNeighborsRegressor.tune.y NeuralNetworkRegressor.fit.y
        Regressor.score.y
    """,
    "a fitted `NeuralNetwork` or `NeuralNetworkRegressor`": "NetworkDisplay.from_estimator.estimator",
    "the probability or error rate itself": "normal_is_valid.share standard_error.share",
    "how many columns": "NormalInverseWishart.reference.columns",
    "places of the columns that are kept": "NormalInverseWishart.taken.columns",
    "the parameters at which it is asked: a number, or an array (p,)": "observed_information.at",
    "the two classes, the positive one last": "OperatingPoint.of.names",
    "the share of the positives": "OperatingPoint.of.prior",
    "(size,) how much of each weight is added to its gradient": "Optimizer.step.decay",
    "the gradient at these weights (size,)": "Optimizer.step.gradient",
    "what the curves show, for the label of the axis": "PassesDisplay.from_values.measure",
    "of how many rows the weights are": "Pool.rule_of.rows",
    "a fitted `Pool`": "PoolWeightsDisplay.from_estimator.estimator",
    "the hypothesis that it is held against; None: all others together": """
        Posterior.evidence_for.against Posterior.likelihood_ratio.against Posterior.log_odds.against
        Posterior.odds.against Posterior.prior_odds.against
    """,
    "the name of the hypothesis": """
        Posterior.evidence_for.name Posterior.likelihood_ratio.name Posterior.log_odds.name Posterior.odds.name
        Posterior.p.name Posterior.prior_odds.name
    """,
    "a likelihood for each hypothesis, or rows of them for several pieces of evidence": "Posterior.update.likelihood",
    "what is believed before, one prior or more: each a `Beta`, or its two pseudo-counts": """
        prior_effect.priors PriorEffectDisplay.from_counts.priors PriorEffectDisplay.from_sequence.priors
    """,
    "a fitted model that can `transform`": "ProjectionDisplay.from_estimator.estimator",
    "how many trials": "proportion_bounds.n proportion_interval.n",
    "the item of each rating": "Ratings.of.items",
    "the ratings, numbers": "Ratings.of.ratings",
    "the user of each rating": "Ratings.of.users",
    "scores of items": "Ratings.within.scores",
    "a fitted `Recommender`": "RecommendationsDisplay.from_estimator.estimator",
    "how many items": "RecommendationsDisplay.from_estimator.n Recommender.recommend.n",
    "of a user who is not among those learned, by item": "RecommendationsDisplay.from_estimator.ratings",
    "how many; None: all": "Recommender.nearest_items.n Recommender.nearest_users.n",
    "how many items for each user": "Recommender.recommend_all.n",
    "the probability of the positive class (n,), or of every class (n, k)": "reliability.p",
    "how many points of the curve of means, evenly spaced from 0 to 1": """
        RocBands.of.points RocDisplay.from_cross_validation.points
    """,
    'what the interval is symmetric on: "logit" or "linear"': "RocCurve.area_interval.scale",
    "the place of the variable among the names": "SampleSpace.along.axis",
    "the names of variables": "SampleSpace.axes.names SampleSpace.of_names.names",
    "the name of the variable": """
        SampleSpace.axis.name SampleSpace.has.name SampleSpace.place.name SampleSpace.values.name
        SampleSpace.with_variable.name
    """,
    "a value of the variable": "SampleSpace.has.value SampleSpace.place.value",
    "the values that it takes": "SampleSpace.with_variable.values",
    "the number of the batch, from 0": "Source.batch.number TableSource.batch.number Tree.put.number",
    "how much each column counts (d,)": "TableDistance.learned.weights",
    "rows ready to be compared": "TableDistance.pairs.points TableDistance.tile.points",
    "the rows on the other side": "TableDistance.pairs.q TableDistance.tile.q",
    "the number of the row among the second points, for each pair": "TableDistance.pairs.row",
    "how many rows each class has": "TableFacts.of.classes",
    "how many words of each class": "TextBayes.summary.n",
    "how many folds there are to be": "TextFamily.check_folds.folds",
    "which rows are positive (n,): True or False, 1 or 0": "threshold_curve.y",
    "what the transformer learns from beside the rows, if it does": "Transformer.fit.y Transformer.fit_transform.y",
    "the statistic of the batch: anything with `+`": "Tree.put.statistic",
    "a fitted `DecisionTree`": "TreeDisplay.from_estimator.estimator TreePartitionDisplay.from_estimator.estimator",
    "not used by this map": "UnchangedMap.fit.prior UnchangedMap.fit.rising",
    "a fitted `Perceptron`": "WeightSpaceDisplay.from_estimator.estimator",
}

OWN = {place: words for words, places in _SAID.items() for place in places.split()}
