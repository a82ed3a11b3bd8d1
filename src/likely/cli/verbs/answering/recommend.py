"""`likely recommend`: what people would like, from what they and others have rated."""

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from likely.cli.options import Reading, Result, in_and_out, seed_option, verb

if TYPE_CHECKING:
    import polars as pl

    from likely.models.recommend import Recommender


@verb(
    "recommend",
    "likely recommend ratings.csv -o lists.csv --model tastes.likely",
    "likely recommend ratings.csv --columns user_id,movie,stars --user 12 -n 5",
    "likely recommend tastes.likely --rated Heat=5 --rated Big=2",
    "likely recommend tastes.likely --user Ann --because Heat",
    "likely recommend tastes.likely --pairs wanted.csv -o expected.csv",
    "likely recommend tastes.likely --learn more.csv --forget gone.csv --model newer.likely",
    "likely recommend ratings.csv --evaluate",
)
@click.argument("data")
@click.option("--columns", metavar="NAMES", help="Of users, items, ratings and perhaps times; otherwise in this order.")
@click.option("-n", "--number", type=click.IntRange(1), default=10, show_default=True, help="Items of a list.")
@click.option("--user", metavar="NAME", help="A list for this user; otherwise for all.")
@click.option("--rated", multiple=True, metavar="ITEM=RATING", help="A list for somebody new, who rated this.")
@click.option("--because", metavar="ITEM", help="What each neighbour says of an item to --user, or to somebody new.")
@click.option("--alike", is_flag=True, help="Who rates like --user, or like somebody new.")
@click.option("--like", metavar="ITEM", help="Which items are rated like this one.")
@click.option("--pairs", metavar="FILE", help="The expected rating of each pair of a table with users and items.")
@click.option("--evaluate", is_flag=True, help="How good it is: a fifth of each user's ratings is held out.")
@click.option("--by", type=click.Choice(["user", "item"]), default="user", show_default=True, help="Whose neighbours.")
@click.option("--similarity", type=click.Choice(["euclidean", "pearson", "cosine"]), help="cosine otherwise.")
@click.option("--normalize", type=click.Choice(["none", "center", "standard"]), help="center otherwise.")
@click.option("-k", "--neighbours", type=click.IntRange(0), help="That speak for an item; 0 is all, 40 otherwise.")
@click.option("--shrinkage", type=float, help="n shared ratings count n / (n + this); 20 otherwise.")
@click.option("--min-overlap", type=click.IntRange(1), help="Shared ratings that a neighbour needs; 1 otherwise.")
@click.option("--damping", type=float, help="Draws scores that few speak for to the own mean; 1 otherwise.")
@click.option("--learn", metavar="FILE", help="Ratings to learn besides.")
@click.option("--forget", metavar="FILE", help="Ratings to unlearn.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of the intervals.")
@click.option("--model", "kept", metavar="FILE", help="Keep the ratings and settings in a file.")
@seed_option
@in_and_out
def command(
    data: str,
    columns: str | None,
    number: int,
    user: str | None,
    rated: tuple[str, ...],
    because: str | None,
    alike: bool,
    like: str | None,
    pairs: str | None,
    evaluate: bool,
    by: str,
    similarity: str | None,
    normalize: str | None,
    neighbours: int | None,
    shrinkage: float | None,
    min_overlap: int | None,
    damping: float | None,
    learn: str | None,
    forget: str | None,
    confidence: float,
    kept: str | None,
    seed: int,
    result: Result,
    reading: Reading,
) -> None:
    """Say what people would like that they have not rated yet.

    DATA are ratings, a row each: who rated, what, how, and perhaps when; or a model that --model has kept. The result
    is a list for every user, or for one, with the rating that is expected, how many neighbours say so, and for one
    person the interval that holds the rating.
    """
    from likely.cli.messages import note, say
    from likely.cli.ratings import is_model, open_recommender, read_ratings_table
    from likely.cli.stages import doing
    from likely.cli.writing.places import check_model_place, check_place
    from likely.errors import InputError
    from likely.intervals.quantiles import check_confidence

    check_confidence(confidence)
    reads = (data, pairs, learn, forget)
    check_place(result.output, reads)
    if kept is not None:
        check_model_place(kept, reads, "--model")
    asked = [name for name, given in _questions(because, alike, like, pairs, evaluate).items() if given]
    if len(asked) > 1:
        raise InputError(f"say one of {' and '.join(asked)}: they are different questions")
    if user is not None and rated:
        raise InputError("say --user, or --rated of somebody new, not both")
    if (because is not None or alike) and user is None and not rated:
        raise InputError(f"{asked[0]}: say of whom, by --user or --rated")
    given: dict[str, Any] = {"similarity": similarity, "normalize": normalize}
    given |= {"shrinkage": shrinkage, "min_overlap": min_overlap, "damping": damping}
    settings = {"by": by, **{name: value for name, value in given.items() if value is not None}}
    settings |= {} if neighbours is None else {"k": neighbours or None}
    if is_model(data):
        model = open_recommender(data)
        if settings != {"by": "user"}:
            note("the settings are those of the model; say --by, --similarity and so on where it is made")
    else:
        from likely.models.recommend import Recommender

        table = read_ratings_table(data, reading, columns)
        doing(f"learning {table.height:,} ratings")
        model = Recommender(**settings).fit(table)
    for path, change in ((learn, model.partial_fit), (forget, model.forget)):
        if path is not None:
            change(read_ratings_table(path, reading, columns))
    say(str(model))
    if kept is not None:
        from likely.store import save

        save(model, kept)
        say(f"wrote {kept}")
    if evaluate:
        _judge(model, number, confidence, seed, result)
        return
    doing("asking the neighbours")
    _show(result, _answer(model, Asked(user, rated, because, alike, like, pairs), number, confidence, reading))


def _questions(
    because: str | None, alike: bool, like: str | None, pairs: str | None, evaluate: bool
) -> dict[str, bool]:
    return {
        "--because": because is not None,
        "--alike": alike,
        "--like": like is not None,
        "--pairs": pairs is not None,
        "--evaluate": evaluate,
    }


class Asked(NamedTuple):
    """What is asked of a recommender: one of these, or lists."""

    user: str | None
    rated: tuple[str, ...]
    because: str | None
    alike: bool
    like: str | None
    pairs: str | None


def _answer(model: "Recommender", asked: Asked, number: int, confidence: float, reading: Reading) -> "pl.DataFrame":
    """What was asked, as a table."""
    import polars as pl

    from likely.cli.ratings import named, new_person

    who: dict[str, Any] = {}
    if asked.user is not None:
        who = {"user": named(asked.user, model.ratings_.users, "--user", "user")}
    elif asked.rated:
        who = {"ratings": new_person(asked.rated, model.ratings_.items)}
    if asked.pairs is not None:
        return _expected(model, asked.pairs, confidence, reading)
    if asked.like is not None:
        item = named(asked.like, model.ratings_.items, "--like", "item")
        return _frame(model.nearest_items(item, number), "item")
    if asked.because is not None:
        item = named(asked.because, model.ratings_.items, "--because", "item")
        return _frame(model.because(**who, item=item), "user" if model.by == "user" else "item")
    if asked.alike:
        return _frame(model.nearest_users(**who, n=number), "user")
    if not who:
        lists: pl.DataFrame = model.recommend_all(number)
        return lists
    best, residuals = model.recommend(**who, n=number), model.residuals_
    ends = [residuals.around(each.score, each.support, confidence) for each in best]
    return pl.DataFrame(
        {
            "item": [each.item for each in best],
            "score": [each.score for each in best],
            "low": [each.low for each in ends],
            "high": [each.high for each in ends],
            "support": [each.support for each in best],
        },
        strict=False,
    )


def _expected(model: "Recommender", path: str, confidence: float, reading: Reading) -> "pl.DataFrame":
    """A table of pairs with the rating that is expected, and its interval."""
    import polars as pl

    from likely.cli.inputs.tables import read_data
    from likely.errors import InputError

    texts = [isinstance(names[0], str) for names in (model.ratings_.users, model.ratings_.items)]
    table = read_data(path, reading)
    pair = ["user", "item"] if {"user", "item"} <= set(table.columns) else table.columns[:2]
    if len(pair) < 2:
        raise InputError(f"--pairs {path}: pairs have columns user and item")
    spelled = [name for name, text in zip(pair, texts, strict=True) if text and table[name].dtype != pl.String]
    table = table.with_columns(pl.col(spelled).cast(pl.String)) if spelled else table
    said = model.predict_interval(table.select(user=pair[0], item=pair[1]), confidence)
    columns = {"expected": "value", "low": "low", "high": "high"}
    for name in columns:
        if name in table.columns:
            raise InputError(f"--pairs {path}: there is a column {name!r} already: rename it")
    return table.with_columns(**{n: pl.Series([getattr(e, part) for e in said]) for n, part in columns.items()})


def _frame(rows: Any, what: str) -> "pl.DataFrame":
    """Neighbours or contributions, a row each; `what` they are names."""
    import polars as pl

    fields = type(rows[0])._fields if rows else ("name",)
    columns = {what if name == "name" else name: [getattr(row, name) for row in rows] for name in fields}
    return pl.DataFrame(columns, strict=False)


def _judge(model: "Recommender", number: int, confidence: float, seed: int, result: Result) -> None:
    import numpy as np
    import polars as pl

    from likely.cli.messages import note
    from likely.cli.stages import doing
    from likely.cli.writing.results import show
    from likely.errors import InputError
    from likely.evaluation import evaluate_recommender, split_ratings
    from likely.models.recommend import Recommender

    doing("judging on held-out ratings")
    if int(np.bincount(model.ratings_.user).max()) < 5:
        raise InputError("--evaluate holds out a fifth of each user's ratings, and no user has five")
    learned, held = split_ratings(model.ratings_, 0.2, seed)
    report = evaluate_recommender(Recommender(**model.get_params()).fit(learned), held, number, confidence=confidence)
    if not report.ndcg.defined:
        note(f"precision and NDCG: {report.ndcg.note}")
    figures = {"rmse": report.rmse, "mae": report.mae, "precision": report.precision, "ndcg": report.ndcg}

    def frame() -> Any:
        ends = {name: (e.value, e.low, e.high) if e.defined else (None,) * 3 for name, e in figures.items()}
        rows = [(name, *three) for name, three in ends.items()]
        return pl.DataFrame(rows, schema=["measure", "value", "low", "high"], orient="row")

    show(result, lambda: str(report), frame, lambda: figures)


def _show(result: Result, found: "pl.DataFrame") -> None:
    from likely.cli.writing.results import show, table_text

    show(result, lambda: table_text(found), lambda: found, found.to_dicts)
