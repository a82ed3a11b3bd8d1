"""A reduction addressed by batch number: the same bits in any order of arrival, and no batch counted twice.

Batch i is leaf i of a binary tree. A node is added up as soon as both its children have arrived, left plus right,
so the grouping of the additions depends on the numbers alone. At most one partial sum per level and gap is held.
"""

from typing import Any


class Tree:
    """Collect numbered statistics into their sum.

    >>> tree = Tree()
    >>> [tree.put(i, s) for i, s in [(2, "c"), (0, "a"), (1, "b"), (1, "b")]]
    [True, True, True, False]
    >>> tree.result()
    'abc'
    """

    def __init__(self) -> None:
        self._nodes: dict[tuple[int, int], Any] = {}  # (level, place) -> partial sum
        self._seen: set[int] = set()

    def put(self, number: int, statistic: object) -> bool:
        """Add batch `number`; False when it was here already (a batch that was tried again)."""
        if number in self._seen:
            return False
        self._seen.add(number)
        level, place = 0, number
        while (level, place ^ 1) in self._nodes:
            sibling = self._nodes.pop((level, place ^ 1))
            statistic = sibling + statistic if place & 1 else statistic + sibling
            level, place = level + 1, place >> 1
        self._nodes[level, place] = statistic
        return True

    def result(self) -> Any:
        """The sum of all batches; None when there were none.

        The numbers must be 0, 1, ... without a gap; what is then left of the tree are its right-most branches.
        """
        if len(self._seen) != max(self._seen, default=-1) + 1:
            missing = next(i for i in range(max(self._seen)) if i not in self._seen)
            raise ValueError(f"batch {missing} never arrived")
        total = None
        for node in sorted(self._nodes):
            total = self._nodes[node] if total is None else self._nodes[node] + total
        return total
