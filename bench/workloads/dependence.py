"""Averaged one-dependence estimators: joint counts of pairs beside a NumPy script of the same counts."""

import time

import numpy as np

ROWS, COLUMNS, LEVELS, CLASSES = 500_000, 20, 8, 2


def table(rows: int = ROWS, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Nominal columns whose levels lean on the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, CLASSES, rows)
    X = (rng.integers(0, LEVELS, (rows, COLUMNS)) + (rng.random((rows, COLUMNS)) < 0.2) * y[:, None]) % LEVELS
    return X.astype(np.int32), y


def by_numpy(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Joint counts of every pair of columns by class, one histogram for each."""
    out = np.zeros((COLUMNS, COLUMNS, CLASSES * LEVELS * LEVELS), dtype=np.int64)
    for i in range(COLUMNS):
        for j in range(i, COLUMNS):
            out[i, j] = np.bincount((y * LEVELS + X[:, i]) * LEVELS + X[:, j], minlength=out.shape[2])
    return out


def main(rows: int = ROWS) -> None:
    """Print seconds of both, of the read that bounds them, and whether the counts are the same."""
    from likely import DependenceBayes

    X, y = table(rows)
    DependenceBayes(kinds="nominal", calibrate=False).fit(X[:1000], y[:1000])  # compiles
    begin = time.perf_counter()
    model = DependenceBayes(kinds="nominal", calibrate=False).fit(X, y)
    ours = time.perf_counter() - begin
    begin = time.perf_counter()
    theirs_counts = by_numpy(X, y)
    theirs = time.perf_counter() - begin
    begin = time.perf_counter()
    X.sum()
    read = time.perf_counter() - begin
    counts = model.statistic_.given.parts[0]
    same = all(
        np.array_equal(counts.block(i, j).ravel(), theirs_counts[i, j])
        for i in range(COLUMNS)
        for j in range(i + 1, COLUMNS)
    )
    pairs = COLUMNS * (COLUMNS - 1) // 2
    print(f"rows {rows:,}: ours {ours:.2f} s, NumPy {theirs:.2f} s ({theirs / ours:.1f} times), a read {read:.4f} s, "
          f"ours per pair of columns {ours / pairs / read:.2f} reads; memory of the counts "
          f"{counts.count.nbytes / 2**20:.1f} MB; same counts: {same}")  # fmt: skip


if __name__ == "__main__":
    main()
