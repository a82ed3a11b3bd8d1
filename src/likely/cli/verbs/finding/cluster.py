"""`likely cluster`: groups of rows that no column names."""

from typing import Any

import click

from likely.cli.options import Reading, Result, data_argument, in_and_out, seed_option, verb

_METHODS = ("kmeans", "mixture", "single", "complete", "average", "centroid", "ward", "divisive")
_STARTS = ("k-means++", "random_points", "random_partition", "extremes", "perturbed_mean")


@verb(
    "cluster",
    "likely cluster data.csv -k 3 -o out.csv",
    "likely cluster data.csv --choose 8",
    "likely cluster data.csv -k 5 --method ward --drop id --model groups.likely",
    "likely cluster data.csv --choose 6 --method mixture",
    "likely cluster new.csv --with groups.likely",
)
@data_argument
@click.option("-k", "--clusters", type=click.IntRange(1), metavar="K", help="How many clusters.")
@click.option("--choose", type=click.IntRange(2), metavar="MAX", help="Choose the number, up to this one, and say why.")
@click.option(
    "--method", type=click.Choice(_METHODS), default="kmeans", show_default=True, help="Or a mixture, or a hierarchy."
)
@click.option("--init", type=click.Choice(_STARTS), help="Where K-means begins; k-means++ otherwise.")
@click.option("--starts", type=click.IntRange(1), metavar="N", help="Of K-means or a mixture; the best is kept.")
@click.option("--raw", is_flag=True, help="Measure numbers as they are; otherwise in standard deviations.")
@click.option("--kind", "kinds", multiple=True, metavar="COLUMN=KIND", help="What a column is, such as nominal.")
@click.option("--drop", multiple=True, metavar="COLUMN", help="Leave a column out of the distances.")
@click.option("--with", "known", metavar="MODEL", help="Give rows to the clusters of a model that was kept.")
@click.option("--model", "kept", metavar="FILE", help="Keep the clusters in a file.")
@seed_option
@in_and_out
def command(
    data: str,
    clusters: int | None,
    choose: int | None,
    method: str,
    init: str | None,
    starts: int | None,
    raw: bool,
    kinds: tuple[str, ...],
    drop: tuple[str, ...],
    known: str | None,
    kept: str | None,
    seed: int,
    result: Result,
    reading: Reading,
) -> int:
    """Find groups of rows in DATA that are alike; no column has to name them.

    The result is DATA with a column `cluster`; with K-means a column `distance` to the centre, with a mixture the share
    of every cluster in the row (`share_0`, ...). The sizes of the clusters, the error and its spread over the starts
    are messages. With --choose the exit code is 1 where DATA show no clusters; of mixtures BIC chooses.
    """
    from likely.cli.inputs.tables import read_data, without
    from likely.cli.messages import note, say
    from likely.cli.mistakes import ATTENTION
    from likely.cli.stages import doing
    from likely.cli.writing.places import check_model_place, check_place
    from likely.cli.writing.results import show, table_text
    from likely.errors import InputError

    check_place(result.output, (data, known))
    if kept is not None:
        check_model_place(kept, (data, known), "--model")
    if sum(given is not None for given in (clusters, choose, known)) != 1:
        raise InputError("say one of -k (how many clusters), --choose (up to how many) and --with (a kept model)")
    of_starts = [name for name, value in (("--init", init), ("--starts", starts)) if value is not None]
    if method == "mixture" and (init is not None or raw):
        option, why = (
            ("--init", "a mixture has its own") if init is not None else ("--raw", "a mixture has no distances")
        )
        raise InputError(f"{option} is of K-means; {why}")
    if of_starts and method not in ("kmeans", "mixture"):
        raise InputError(f"{of_starts[0]} is of K-means; a hierarchy (--method {method}) has no start")
    if known is not None and (of_starts or raw or kinds or drop or method != "kmeans"):
        note("the settings are those of the model; say --method, --init and so on where it is made")
    given = _kinds(kinds)
    from likely.cli.inputs.tables import spelled_kinds, with_text

    whole = read_data(data, reading, spelled_kinds(given))
    _check_free(whole, ("cluster", "distance"))
    attention = 0
    if known is not None:
        model = _opened(known)
        table = whole.select(name for name in whole.columns if name in model.schema_.names)
        if not table.width:
            wanted = ", ".join(model.schema_.names[:8]) + (", ..." if len(model.schema_.names) > 8 else "")
            raise InputError(f"DATA have none of the columns of {known}: {wanted}")
    else:
        table = with_text(without(whole, drop), given)
        names = [name for name in _names_of_rows(table) if name not in given]
        if names and len(names) < table.width:
            note(f"{', '.join(names)}: every cell is another name, and is left out; say --kind to keep it")
            table = table.drop(names)
        if choose is not None:
            doing(f"comparing up to {choose} clusters")
        if method == "mixture":
            model, told = _mixture(table, clusters, choose, starts, given, seed)
            if told:
                say(told)
            attention = ATTENTION if choose is not None and _count(model) == 1 else 0
        else:
            if choose is not None:
                found = _chosen(table, choose, raw, given, seed)
                say(str(found))
                clusters, attention = found.best, 0 if found.clustered else ATTENTION
            doing(f"clustering {table.height:,} rows")
            model = _model(method, int(clusters or 1), init, starts, raw, given, seed).fit(table)
    say(str(model))
    said, beside = _answers(model, table, known is None)
    _check_free(whole, beside)

    def frame() -> Any:
        import polars as pl

        return whole.with_columns(pl.Series("cluster", said), **{n: pl.Series(column) for n, column in beside.items()})

    def record() -> Any:
        return {
            "clusters": [{"cluster": c, "rows": int((said == c).sum())} for c in range(_count(model))],
            "error": getattr(model, "error_", None),
            "errors": getattr(model, "errors_", None),
            "rows": frame().to_dicts(),
        }

    if kept is not None:
        from likely.store import save

        save(model, kept)
        say(f"wrote {kept}")
    show(result, lambda: table_text(frame()), frame, record)
    return attention


def _model(
    method: str, clusters: int, init: str | None, starts: int | None, raw: bool, kinds: dict[str, str], seed: int
) -> Any:
    from likely import Hierarchy, KMeans

    shared: dict[str, Any] = {"n_clusters": clusters, "standardize": not raw, "kinds": kinds or "auto"}
    if method == "kmeans":
        return KMeans(
            init=init or "k-means++", n_init="auto" if starts is None else starts, random_state=seed, **shared
        )
    if method == "divisive":
        return Hierarchy(direction="divisive", **shared)
    return Hierarchy(method, **shared)


def _mixture(
    table: Any, clusters: int | None, choose: int | None, starts: int | None, kinds: dict[str, str], seed: int
) -> tuple[Any, str]:
    """A mixture of so many components, or of the number that BIC chooses; and what is told of the choice."""
    from likely.data.columns.schema import schema_of
    from likely.data.inputs import read_input
    from likely.distributions import MultivariateGaussianFamily
    from likely.models import mixture_path

    family: Any = "auto"
    if kinds:  # as "auto" does: numbers have Gaussian vectors together
        columns = schema_of(read_input(table), kinds).columns
        vectors = MultivariateGaussianFamily()
        family = {column.name: vectors if column.kind == "numeric" else column.kind for column in columns}
    numbers = range(1, choose + 1) if choose is not None else [int(clusters or 1)]
    path = mixture_path(table, numbers, family=family, n_init=starts or 10, random_state=seed)
    return path.best(), str(path) if choose is not None else ""


def _check_free(table: Any, names: Any) -> None:
    from likely.errors import InputError

    for name in names:
        if name in table.columns:
            raise InputError(f"DATA have a column {name!r} already: rename it")


def _is_mixture(model: Any) -> bool:
    return getattr(model, "_estimator_type", None) == "density_estimator"


def _answers(model: Any, table: Any, learned: bool) -> tuple[Any, dict[str, Any]]:
    """The cluster of every row, and what stands beside it."""
    if _is_mixture(model):
        shares = model.predict_proba(table)
        return model.predict(table), {f"share_{j}": shares[:, j] for j in range(shares.shape[1])}
    said = model.labels_ if learned else model.predict(table)
    return said, {"distance": model.transform(table)[range(table.height), said]} if hasattr(model, "transform") else {}


def _chosen(table: Any, most: int, raw: bool, kinds: dict[str, str], seed: int) -> Any:
    import warnings

    from likely.models.clustering import choose_clusters

    with warnings.catch_warnings():  # what is found says it, too
        warnings.simplefilter("ignore")
        return choose_clusters(table, most, standardize=not raw, kinds=kinds or None, random_state=seed)


def _kinds(pairs: tuple[str, ...]) -> dict[str, str]:
    from likely.cli.options import read_kinds

    return read_kinds(pairs)


def _opened(path: str) -> Any:
    from likely.cli.inputs.tables import open_model
    from likely.errors import InputError

    model = open_model(path)
    if not hasattr(model, "labels_") and not _is_mixture(model):
        raise InputError(f"{path} holds a {type(model).__name__}, which has no clusters; keep some with --model")
    return model


def _count(model: Any) -> int:
    sizes = model.weights_ if _is_mixture(model) else getattr(model, "cluster_weight_", ())
    return int(getattr(model, "n_clusters_", None) or len(sizes))


def _names_of_rows(table: Any) -> list[str]:
    """Columns of text in which no two rows agree."""
    import polars as pl

    texts = [name for name in table.columns if table[name].dtype in (pl.String, pl.Categorical)]
    return [name for name in texts if table.height > 2 and table[name].n_unique() == table.height]
