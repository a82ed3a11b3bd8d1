"""The worked examples of group GEN, through the public classifiers and distributions."""

import numpy as np
import pytest
from catalogue import check, covered, covers, differs, ids

from likely import GaussianBayes, NaiveBayes
from likely.data.sizes import document_cells
from likely.data.words import bag_of_words
from likely.decisions.boundaries import decision_points
from likely.distributions import (
    Bernoulli,
    Gaussian,
    GaussianFamily,
    HistogramFamily,
    KernelDensityFamily,
    Multinomial,
    MultivariateGaussian,
    fit,
    posterior,
)
from likely.errors import InputError
from likely.numeric.linear import correlation, covariance_from
from likely.numeric.logspace import log_sum_exp, normalize
from likely.statistics import Membership


def _joint(model, X):
    """Joint probabilities of each class with each row, by class name."""
    joint = np.exp(model.log_likelihood(X) + np.log(model.class_prior_))
    return [dict(zip(model.classes_.tolist(), row, strict=True)) for row in joint.tolist()]


def _weather(ex, **options):
    rows = np.array(ex.inputs["rows"], dtype=object)
    return NaiveBayes("categorical", **options).fit(rows, ex.inputs["play"])


@covers("EX-GEN-01")
def test_fish_posterior_ratios(ex):
    lengths = [int(name) for name in ex.inputs["likelihood"]]
    table = np.log(np.array(list(ex.inputs["likelihood"].values())))  # (length, sex)
    ratio = dict(zip(map(str, lengths), np.exp(table[:, 0] - table[:, 1]).tolist(), strict=True))
    check(ex.id, "ratio", ratio)
    p = normalize(table + np.log(0.5))
    check(ex.id, "classes", {str(x): "MF"[row.argmax()] for x, row in zip(lengths, p, strict=True)})
    at = lengths.index(11)
    prior = np.log([ex.inputs["prior_M"], 1 - ex.inputs["prior_M"]])
    p = normalize(table[at : at + 1] + prior)[0]
    check(ex.id, "ratio_11_twice_as_many_females", p[0] / p[1])
    check(ex.id, "class_11_twice_as_many_females", "MF"[p.argmax()])


@covers("EX-GEN-02")
def test_histogram_classifier_with_empty_bins(ex):
    rows = [(int(x), sex) for sex in "MF" for x, n in ex.inputs[f"n_{sex}"].items() for _ in range(n)]
    X = np.array([[x] for x, _ in rows])
    y = np.array([sex for _, sex in rows])
    bare = NaiveBayes("categorical", alpha=0, unseen="prior").fit(X, y)
    assert bare.class_count_.tolist() == [100, 100]
    check(ex.id, "total_M", int((y == "M").sum()))
    check(ex.id, "total_F", int((y == "F").sum()))
    check(ex.id, "p_M_given_4", bare.predict_proba([[4]])[0, 1])
    check(ex.id, "p_F_given_18", bare.predict_proba([[18]])[0, 0])
    # at 20 cm both likelihoods are zero: no posterior, and what is left is the prior
    assert np.isneginf(bare.log_likelihood([[20]])).all()
    assert bare.predict_proba([[20]])[0].tolist() == [0.5, 0.5]
    smooth = NaiveBayes("categorical", alpha=1, unseen="prior").fit(X, y)
    check(ex.id, "p_M_given_4_smoothed", smooth.predict_proba([[4]])[0, 1])
    check(ex.id, "p_M_given_20_smoothed", smooth.predict_proba([[20]])[0, 1])
    check(ex.id, "training_bayes_error", 1 - bare.score(X, y))


@covers("EX-GEN-03")
def test_weather(ex):
    model = _weather(ex, alpha=0)
    counts = model.statistic_.given.parts[0]
    for k, label in enumerate(["no", "yes"]):
        table = {
            name: dict(zip(counts.levels[j], counts.table(j)[k].tolist(), strict=True))
            for j, name in enumerate(ex.inputs["attributes"])
        }
        check(ex.id, f"counts_{label}", table)
    check(ex.id, "p_hot_given_yes", model.distribution_.parts[0].probability(1)["hot"][1])
    query = np.array([ex.inputs["query"]], dtype=object)
    joint = _joint(model, query)[0]
    check(ex.id, "joint_yes", joint["yes"])
    check(ex.id, "joint_no", joint["no"])
    check(ex.id, "ratio", joint["yes"] / joint["no"])
    p = model.predict_proba(query)[0]
    check(ex.id, "posterior_no", p[0])
    check(ex.id, "posterior_yes", p[1])
    check(ex.id, "decision", model.predict(query)[0])


@covers("EX-GEN-04")
def test_denominator_is_not_the_product_of_marginals(ex):
    model = _weather(ex, alpha=0)
    query = np.array([ex.inputs["query"]], dtype=object)
    everyone = NaiveBayes("categorical", alpha=0).partial_fit(np.array(ex.inputs["rows"], dtype=object), ["all"] * 14)
    product = float(np.exp(everyone.log_likelihood(query))[0, 0])
    joint = _joint(model, query)[0]
    check(ex.id, "product_of_marginals", product)
    check(ex.id, "p_x_under_model", np.exp(model.log_evidence(query)[0]))
    check(ex.id, "posterior_yes", model.predict_proba(query)[0, 1])
    differs(ex.id, "posterior_yes", model.predict_proba(query)[0, 1])
    check(ex.id, "yes_over_product", joint["yes"] / product)
    check(ex.id, "no_over_product", joint["no"] / product)
    check(ex.id, "sum_over_product", (joint["yes"] + joint["no"]) / product)


@covers("EX-GEN-05")
def test_bernoulli_documents(ex):
    sport, informatics = np.array(ex.inputs["sport"]), np.array(ex.inputs["informatics_substitute"])
    X, y = np.vstack([sport, informatics]), np.array(["S"] * 6 + ["I"] * 5)
    model = NaiveBayes("bernoulli", alpha=0).fit(X, y)
    counts = model.statistic_.given.parts[0]
    check(ex.id, "n_S", np.vstack([sport]).sum(axis=0))
    check(ex.id, "n_I", informatics.sum(axis=0))
    probability = model.distribution_.parts[0].probability
    check(ex.id, "p_I", probability[0])
    check(ex.id, "p_S", probability[1])
    check(ex.id, "prior_S", model.class_prior_[1])
    check(ex.id, "p_I_w2", probability[0, 1])
    check(ex.id, "p_I_w6", probability[0, 5])
    differs(ex.id, "p_I_w2", probability[0, 1])
    differs(ex.id, "p_I_w6", probability[0, 5])
    assert counts.weight.tolist() == [5, 6]
    for name, bits in ex.inputs["queries"].items():
        joint = _joint(model, [bits])[0]
        check(ex.id, f"{name}_S", joint["S"])
        check(ex.id, f"{name}_I", joint["I"])
        check(ex.id, f"{name}_class", model.predict([bits])[0])
        check(ex.id, f"{name}_posterior_S", model.predict_proba([bits])[0, 1])


def _sport_counts(ex):
    X = np.vstack([ex.inputs["sport"], ex.inputs["informatics_substitute"]]).astype(float)
    return X, np.array(["S"] * 6 + ["I"] * 5)


def _word_counts(words, size=8):
    return np.bincount([int(word[1:]) - 1 for word in words], minlength=size)


@covers("EX-GEN-06")
def test_multinomial_documents(ex):
    X, y = _sport_counts(ex)
    model = NaiveBayes("multinomial", alpha=0).fit(X, y)
    check(ex.id, "n_S", X[y == "S"].sum(axis=0))
    check(ex.id, "n_I", X[y == "I"].sum(axis=0))
    check(ex.id, "total_S", int(X[y == "S"].sum()))
    check(ex.id, "total_I", int(X[y == "I"].sum()))
    words = model.distribution_.parts[0]
    for name, document in ex.inputs["queries"].items():
        counts = _word_counts(document)
        by_position = np.exp(counts @ np.log(words.probability).T)  # without the coefficient, as the example has it
        check(ex.id, f"{name}_lik_I", by_position[0])
        check(ex.id, f"{name}_lik_S", by_position[1])
        check(ex.id, f"{name}_joint_I", by_position[0] * model.class_prior_[0])
        check(ex.id, f"{name}_joint_S", by_position[1] * model.class_prior_[1])
        p = model.predict_proba([counts])[0]
        check(ex.id, f"{name}_posterior_I", p[0])
        check(ex.id, f"{name}_posterior_S", p[1])
        check(ex.id, f"{name}_class", model.predict([counts])[0])
    differs(ex.id, "D1_lik_I", float(np.exp(_word_counts(ex.inputs["queries"]["D1"]) @ np.log(words.probability[0]))))


@covers("EX-GEN-07")
def test_add_one_smoothing(ex):
    X, y = _sport_counts(ex)
    model = NaiveBayes("multinomial", alpha=1).fit(X, y)
    probability = model.distribution_.parts[0].probability
    check(ex.id, "p_I", probability[0])
    check(ex.id, "p_S", probability[1])
    check(ex.id, "sums", probability.sum(axis=1))
    check(ex.id, "posterior_S", model.predict_proba([_word_counts(ex.inputs["query"])])[0, 1])


@covers("EX-GEN-08")
def test_spam_by_bits(ex):
    model = Bernoulli(np.array([ex.inputs["theta_pos"], ex.inputs["theta_neg"]]))
    x = np.array([ex.inputs["x"]], dtype=float)
    likelihood = np.exp(model.log_density(x))[0]
    check(ex.id, "lik_pos", likelihood[0])
    check(ex.id, "lik_neg", likelihood[1])
    ratio = likelihood[0] / likelihood[1]
    check(ex.id, "likelihood_ratio", ratio)
    check(ex.id, "ml_class", ["spam", "ham"][likelihood.argmax()])
    prior = np.array([ex.inputs["p_spam"], 1 - ex.inputs["p_spam"]])
    check(ex.id, "prior_odds", prior[0] / prior[1])
    p = posterior(model, prior, x)[0]
    check(ex.id, "posterior_odds", p[0] / p[1])
    check(ex.id, "map_class", ["spam", "ham"][p.argmax()])
    check(ex.id, "prior_odds_needed", 1 / ratio)
    only_b = np.array([[np.nan, 1, np.nan], [np.nan, 0, np.nan]])
    factor = np.exp(np.diff(model.log_density(only_b)[:, ::-1]))[:, 0]
    check(ex.id, "factor_b_present", factor[0])
    check(ex.id, "factor_when_b_absent", factor[1])


@covers("EX-GEN-09")
def test_spam_by_counts(ex):
    model = Multinomial(np.array([ex.inputs["theta_pos"], ex.inputs["theta_neg"]]), np.array([4.0, 4.0]))
    x = np.array([ex.inputs["x"]], dtype=float)
    likelihood = np.exp(model.log_density(x))[0]  # with the coefficient 4! / 3! = 4, as the example has it
    check(ex.id, "lik_pos", likelihood[0])
    check(ex.id, "lik_neg", likelihood[1])
    check(ex.id, "likelihood_ratio", likelihood[0] / likelihood[1])
    check(ex.id, "log_ratio", float(-np.diff(model.log_density(x)[0])[0]))
    check(ex.id, "ml_class", ["spam", "ham"][likelihood.argmax()])


def _emails(ex, **options):
    names = list(ex.inputs["documents"])
    counts, vocabulary = bag_of_words([ex.inputs["documents"][name] for name in names], **options)
    label = {name: label for label, members in ex.inputs["classes"].items() for name in members}
    return counts, vocabulary, np.array([label[name] for name in names])


@covers("EX-GEN-10")
def test_two_text_models_on_eight_emails(ex):
    counts, _, y = _emails(ex, stop_words=ex.inputs["stop_words"])
    bits = (counts.toarray() > 0).astype(float)
    multinomial = NaiveBayes("multinomial").fit(counts, y).distribution_.parts[0].probability
    bernoulli = NaiveBayes("bernoulli").fit(bits, y).distribution_.parts[0].probability
    for k, label in enumerate(["ham", "spam"]):
        check(ex.id, f"{label}_count_sum", counts.toarray()[y == label].sum(axis=0))
        check(ex.id, f"{label}_bit_sum", bits[y == label].sum(axis=0))
        check(ex.id, f"{label}_multinomial", multinomial[k])
        check(ex.id, f"{label}_bernoulli", bernoulli[k])


@covers("EX-GEN-11")
def test_dating(ex):
    rows, queries = np.array(ex.inputs["rows"], dtype=object), np.array(ex.inputs["queries"], dtype=object)
    bare = NaiveBayes("categorical", alpha=0).fit(rows, ex.inputs["labels"])
    smooth = NaiveBayes("categorical", alpha=1).fit(rows, ex.inputs["labels"])
    assert [len(levels) for levels in smooth.distribution_.parts[0].levels] == ex.inputs["arity"]
    plus = bare.classes_.tolist().index("+")
    check(ex.id, "prior_pos", bare.class_prior_[plus])
    check(ex.id, "prior_neg", bare.class_prior_[1 - plus])
    likelihood = np.exp(bare.log_likelihood(queries))
    check(ex.id, "lik1_pos", likelihood[0, plus])
    check(ex.id, "lik1_neg", likelihood[0, 1 - plus])
    first, second = _joint(bare, queries)
    check(ex.id, "joint1_pos", first["+"])
    check(ex.id, "joint1_neg", first["-"])
    check(ex.id, "joint2_pos", second["+"])
    check(ex.id, "joint2_neg", second["-"])
    corrected = _joint(smooth, queries)[1]
    check(ex.id, "joint2_laplace_pos", corrected["+"])
    check(ex.id, "joint2_laplace_neg", corrected["-"])
    check(ex.id, "class1", bare.predict(queries)[0])
    check(ex.id, "class2_laplace", smooth.predict(queries)[1])


@covers("EX-GEN-12")
def test_density_of_a_temperature(ex):
    one = Gaussian(np.array([[float(ex.inputs["mean"])]]), np.array([[ex.inputs["sd"] ** 2]]))
    density = float(np.exp(one.log_density(np.array([[float(ex.inputs["x"])]])))[0, 0])
    check(ex.id, "density", density)
    differs(ex.id, "density", density)


@covers("EX-GEN-13")
def test_one_dimensional_gaussian_classifier(ex):
    X = np.array(ex.inputs["S"] + ex.inputs["T"], dtype=float)[:, None]
    y = ["S"] * 6 + ["T"] * 6
    model = GaussianBayes("full", class_prior="uniform").fit(X, y)
    query = np.array(ex.inputs["x"], dtype=float)[:, None]
    for name, prior in [("equal", None), ("weighted", {"S": ex.inputs["prior_S"], "T": 1 - ex.inputs["prior_S"]})]:
        log_p = model.predict_log_proba(query, prior=prior)
        for x, value in zip(ex.inputs["x"], log_p[:, 0] - log_p[:, 1], strict=True):
            check(ex.id, f"{name}_{x}", value)
            if f"{name}_{x}" in ex.printed:
                assert round(value, 2) != ex.printed[f"{name}_{x}"]
        check(ex.id, f"classes_{name}", model.predict(query, prior=prior).tolist())


@covers("EX-GEN-17")
def test_three_gaussian_classes(ex):
    rng = np.random.default_rng(ex.inputs["seed"])
    true = ex.inputs["true"]
    means = np.array([true[k]["mean"] for k in "ABC"], dtype=float)
    covariances = np.array([true[k]["cov"] for k in "ABC"], dtype=float)
    law = MultivariateGaussian.of(means, covariances)

    def draw(n):
        member = np.repeat(np.arange(3), n)
        return law.sample(member, rng), np.array(list("ABC"))[member]

    X, y = draw(ex.inputs["n_train"])
    model = GaussianBayes("full", ddof=1, class_prior=ex.inputs["prior"]).fit(X, y)
    assert np.abs(model.means_ - means).max() < 0.4
    assert np.abs(model.covariances_ - covariances).max() < 1.0
    many, labels = draw(200_000)
    best = np.array(list("ABC"))[law.log_density(many).argmax(axis=1)]
    check(ex.id, "best_accuracy", float((best == labels).mean()))
    check(ex.id, "best_accuracy_per_class", [float((best == labels)[labels == k].mean()) for k in "ABC"])
    accuracy = model.score(*draw(ex.inputs["n_test"]))
    assert abs(accuracy - ex.expected["best_accuracy"]["value"]) < 0.06
    grid = np.stack(np.meshgrid(np.linspace(-8, 8, 60), np.linspace(-8, 8, 60)), axis=-1).reshape(-1, 2)
    assert set(model.predict(grid)) == {"A", "B", "C"}  # three areas


@covers("EX-GEN-18")
def test_shared_covariance_is_linear(ex):
    law = MultivariateGaussian.of(np.array(ex.inputs["means"], dtype=float), np.array(ex.inputs["cov"]))
    coef, intercept = law.linear()
    log_prior = np.log(ex.inputs["prior"])
    check(ex.id, "w", coef)
    check(ex.id, "w0", intercept + log_prior)
    x = np.array([ex.inputs["x"]], dtype=float)
    scores = (x @ coef.T + intercept + log_prior)[0]
    check(ex.id, "linear_scores", scores)
    check(ex.id, "score_differences", scores - scores[0])
    quadratic = (law.log_density(x) + log_prior)[0]
    check(ex.id, "quadratic_differences", quadratic - quadratic[0])
    check(ex.id, "posterior", posterior(law, ex.inputs["prior"], x)[0])


@covers("EX-GEN-19")
def test_spherical_shared_is_nearest_mean(ex):
    means = np.array(ex.inputs["means"], dtype=float)
    law = MultivariateGaussian.of(means, ex.inputs["sigma2"] * np.eye(2))
    points = np.array(ex.inputs["points"], dtype=float)
    check(ex.id, "equal", posterior(law, ex.inputs["prior"], points).argmax(axis=1))
    check(ex.id, "nearest", np.linalg.norm(points[:, None] - means, axis=2).argmin(axis=1))
    check(ex.id, "skewed", posterior(law, ex.inputs["skewed_prior"], points).argmax(axis=1))
    (boundary,) = decision_points(means[:, 0], [1, 1], ex.inputs["skewed_prior"])
    check(ex.id, "boundary_x_skewed", boundary)


@covers("EX-GEN-20")
def test_gaussian_naive_bayes_is_diagonal(ex):
    X = np.array(ex.inputs["x_a"] + ex.inputs["x_b"], dtype=float)
    y = ["a"] * 4 + ["b"] * 4
    naive = NaiveBayes(ddof=ex.inputs["ddof"]).fit(X, y)
    diagonal = GaussianBayes("diagonal", ddof=ex.inputs["ddof"]).fit(X, y)
    query = [ex.inputs["query"]]
    check(ex.id, "loglik_a", naive.log_likelihood(query)[0, 0])
    check(ex.id, "loglik_b", naive.log_likelihood(query)[0, 1])
    check(ex.id, "loglik_a_as_diagonal_gaussian", diagonal.log_likelihood(query)[0, 0])
    check(ex.id, "posterior_a", naive.predict_proba(query)[0, 0])


@covers("EX-GEN-21")
def test_missing_values(ex):
    model = _weather(ex, alpha=0)
    query = np.array([ex.inputs["query_missing"]], dtype=object)
    joint = _joint(model, query)[0]
    check(ex.id, "joint_yes", joint["yes"])
    check(ex.id, "joint_no", joint["no"])
    check(ex.id, "posterior_no", model.predict_proba(query)[0, 0])
    rows = np.array(ex.inputs["rows"], dtype=object)
    row, column = ex.inputs["blank"]
    rows[row, column] = None
    blanked = NaiveBayes("categorical", alpha=0).fit(rows, ex.inputs["play"])
    check(ex.id, "sunny_given_no_after_blank", blanked.distribution_.parts[0].probability(0)["sunny"][0])
    counts = blanked.statistic_.given.parts[0]
    sunny = counts.levels[0].index("sunny")
    check(ex.id, "count_over", [counts.table(0)[0, sunny], counts.table(0)[0].sum()])


@covers("EX-GEN-22")
def test_posterior_from_log_joints(ex):
    alpha = np.array(ex.inputs["alpha"])
    check(ex.id, "posterior", normalize(alpha[None])[0])
    check(ex.id, "log_sum", log_sum_exp(alpha))
    check(ex.id, "gamma", alpha.max())  # the shift that log_sum_exp takes
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(alpha - ex.printed["gamma"]).sum())  # the printed one overflows


@covers("EX-GEN-23")
def test_naive_bayes_is_linear_in_the_bits(ex):
    law = Bernoulli(np.array([ex.inputs["theta_neg"], ex.inputs["theta_pos"]]))
    coef, constant = law.linear()
    prior = [1 - ex.inputs["prior_pos"], ex.inputs["prior_pos"]]
    weights, bias = coef[1] - coef[0], constant[1] - constant[0] + np.log(prior[1] / prior[0])
    check(ex.id, "weights", weights)
    check(ex.id, "bias", bias)
    check(ex.id, "log_odds", weights @ ex.inputs["x"] + bias)
    check(ex.id, "posterior_pos", posterior(law, prior, np.array([ex.inputs["x"]], dtype=float))[0, 1])


@covers("EX-GEN-24")
def test_a_duplicated_word_counts_twice(ex):
    word = np.array([[0.8], [0.2]])  # a likelihood ratio of 4 when present
    prior = [ex.inputs["prior_odds"] / (1 + ex.inputs["prior_odds"]), 1 / (1 + ex.inputs["prior_odds"])]
    assert word[0, 0] / word[1, 0] == pytest.approx(ex.inputs["lr_word"])
    copies = [posterior(Bernoulli(np.tile(word, n)), prior, np.ones((1, n)))[0, 0] for n in ex.inputs["copies"]]
    check(ex.id, "posterior", copies)


@covers("EX-GEN-25")
def test_text_learner_over_positions(ex):
    counts, vocabulary, y = _emails(ex)
    check(ex.id, "vocabulary", list(vocabulary))
    model = NaiveBayes("multinomial").fit(counts, y)
    p = model.distribution_.parts[0].probability
    names = model.classes_.tolist()
    check(ex.id, "total_words", {name: int(counts.toarray()[y == name].sum()) for name in names})
    check(ex.id, "p", {name: dict(zip(vocabulary, p[k].tolist(), strict=True)) for k, name in enumerate(names)})
    query, _ = bag_of_words([ex.inputs["query"]], vocabulary=vocabulary)  # z is no word of it
    check(ex.id, "positions_used", int(query.sum()))
    joint = np.exp(query.toarray() @ np.log(p).T)[0] * model.class_prior_
    check(ex.id, "joint", dict(zip(names, joint.tolist(), strict=True)))
    check(ex.id, "class", model.predict(query)[0])


@covers("EX-GEN-26")
def test_word_order_and_count_form(ex):
    X, y = _sport_counts(ex)
    model = NaiveBayes("multinomial", alpha=0).fit(X, y)
    words = model.distribution_.parts[0]
    counts = _word_counts(ex.inputs["query"])
    check(ex.id, "counts", counts)
    places = [int(word[1:]) - 1 for word in ex.inputs["query"]]
    by_position = np.log(words.probability)[:, places].sum(axis=1)
    coefficient = np.exp(words.log_density(counts[None].astype(float))[0] - by_position)
    check(ex.id, "coefficient", coefficient[0])
    check(ex.id, "posterior_by_positions", normalize((by_position + np.log(model.class_prior_))[None])[0, 1])
    check(ex.id, "posterior_by_counts", model.predict_proba([counts])[0, 1])


@covers("EX-GEN-27")
def test_draw_labelled_points(ex):
    names = list(ex.inputs["prior"])
    S, T = (np.array([-1.0, 1.0]) * ex.inputs["sd"][k] + ex.inputs["mean"][k] for k in names)
    model = NaiveBayes(class_prior=ex.inputs["prior"]).fit(np.concatenate([S, T])[:, None], ["S", "S", "T", "T"])
    X, y = model.sample(ex.inputs["n"], random_state=ex.inputs["seed"])
    check(ex.id, "p_S", float((y == "S").mean()))
    check(ex.id, "overall_mean", float(X.mean()))
    for k in names:  # x comes from the class that was drawn
        assert abs(X[y == k].mean() - ex.inputs["mean"][k]) < 0.06
        assert abs(X[y == k].std() - ex.inputs["sd"][k]) < 0.06


@covers("EX-GEN-28")
def test_three_treatments_of_a_number(ex):
    x = np.array(ex.inputs["S"] + ex.inputs["T"], dtype=float)[:, None]
    groups = Membership.of_labels(np.repeat([0, 1], 6), 2)
    query = np.array([[float(ex.inputs["query"])]])

    def table(values):
        S, T = values.tolist()
        return {"S": S, "T": T, "posterior_S": S / (S + T)}

    gaussian = fit(GaussianFamily(ddof=1), x, groups)
    check(ex.id, "gaussian", table(np.exp(gaussian.log_density(query))[0]))
    kernel = fit(KernelDensityFamily(bandwidth=ex.inputs["bandwidth"]), x, groups)
    check(ex.id, "kernel", table(np.exp(kernel.log_density(query))[0]))
    histogram = fit(HistogramFamily(bins=tuple(ex.inputs["edges"])), x, groups)
    check(ex.id, "discretised", table(histogram.bin_probability(query)[0, 0]))
    assert posterior(histogram, [0.5, 0.5], query)[0, 0] == pytest.approx(0.6)


@covers("EX-GEN-29")
def test_mixed_attributes_multiply(ex):
    names = ["yes", "no"]
    prior = [ex.inputs["prior"][k] for k in names]
    mean, sd = (np.array([[float(ex.inputs["temperature"][k][i])] for k in names]) for i in (0, 1))
    density = np.exp(Gaussian(mean, sd**2).log_density(np.array([[float(ex.inputs["query"]["temperature"])]])))[0]
    joint = prior * np.array([ex.inputs["p_sunny"][k] for k in names]) * density
    check(ex.id, "joint", dict(zip(names, joint.tolist(), strict=True)))
    check(ex.id, "posterior_yes", normalize(np.log(joint)[None])[0, 0])
    # the same product inside one model of a nominal and a numeric column
    import polars as pl

    X = pl.DataFrame({"outlook": ["sunny", "rainy", "sunny", "rainy"], "temperature": [70.0, 74.0, 80.0, 88.0]})
    mixed = NaiveBayes().fit(X, ["a", "a", "b", "b"])
    alone = [
        NaiveBayes().fit(X.select(name), ["a", "a", "b", "b"]).log_likelihood(X.select(name)) for name in X.columns
    ]
    assert np.allclose(mixed.log_likelihood(X), alone[0] + alone[1], atol=1e-12)


@covers("EX-GEN-30")
def test_three_covariance_shapes(ex):
    points = np.array(ex.inputs["points"], dtype=float)
    for name, covariance in ex.inputs["covariances"].items():
        S = np.array(covariance, dtype=float)
        law = MultivariateGaussian.of(np.zeros((1, 2)), S)
        check(
            ex.id,
            name,
            {
                "density": np.exp(law.log_density(points))[:, 0].tolist(),
                "determinant": float(np.linalg.det(S)),
                "rho": float(correlation(S)[0, 1]),
                "precision": np.linalg.inv(S).tolist(),
            },
        )


@covers("EX-GEN-31")
def test_covariance_from_deviations_and_correlation(ex):
    variances = [ex.inputs["xvar"], ex.inputs["yvar"]]
    matrix = covariance_from(variances, ex.inputs["rho"])
    check(ex.id, "matrix", matrix)
    check(ex.id, "covxy", matrix[0, 1])
    refused = []
    for rho in ex.inputs["invalid_rho"]:
        with pytest.raises(InputError) as error:
            covariance_from(variances, rho)
        refused.append(error.type is InputError)
    check(ex.id, "invalid_are_errors", refused)
    deviation = np.sqrt(variances)
    check(ex.id, "grid_x_1d", [-3 * deviation[0], 3 * deviation[0]])  # mean -+ 3 deviations
    check(ex.id, "grid_2d", [-2 * deviation.max(), 2 * deviation.max()])


@covers("EX-GEN-33")
def test_word_probabilities_needed(ex):
    sizes = (ex.inputs["vocabulary"], ex.inputs["length"], ex.inputs["classes"])
    check(ex.id, "position_model", document_cells(*sizes, model="positions"))
    differs(ex.id, "position_model", document_cells(*sizes, model="positions"))
    check(ex.id, "bag_of_words", document_cells(*sizes, model="multinomial"))
    check(ex.id, "full_sequence", document_cells(*sizes, model="sequence"))


@covers("EX-GEN-34")
def test_classify_with_printed_gaussians(ex):
    names = list(ex.inputs["fitted"])
    means = np.array([ex.inputs["fitted"][k]["mean"] for k in names])
    covariances = np.array([ex.inputs["fitted"][k]["cov"] for k in names])
    law = MultivariateGaussian.of(means, covariances)
    points = np.array(ex.inputs["points"], dtype=float)
    log_density, p = law.log_density(points), posterior(law, ex.inputs["prior"], points)
    rows = [
        {"x": x, "log_density": d, "posterior": q, "label": names[int(np.argmax(q))]}
        for x, d, q in zip(ex.inputs["points"], log_density.tolist(), p.tolist(), strict=True)
    ]
    check(ex.id, "points", rows)


ELSEWHERE = {"EX-GEN-14", "EX-GEN-15", "EX-GEN-16", "EX-GEN-32"}  # in test_boundaries


def test_every_example_of_the_group_is_covered():
    assert covered(globals()) | ELSEWHERE == set(ids("EX-GEN-"))
