"""Compile a kernel when it is first called, and survive a cache that cannot be used.

numba is imported here, at the first call of the first kernel, never at `import likely`. Kernels release the
GIL, so that Python threads run them side by side. `fastmath={"contract"}` allows fused multiply-add and
nothing that would change the meaning of NaN; kernels whose sums may be reordered say so themselves.
"""

import pickle
from collections.abc import Callable
from typing import Any

_DEFAULTS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}}
REORDER = {"contract", "reassoc", "nsz"}  # lets a reduction use the vector units; NaN keeps its meaning


class Kernel:
    """A function that is compiled at its first call."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        self.function = function
        self.options = {**_DEFAULTS, **options}
        self.compiled: Any = None
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__

    def __call__(self, *arguments: Any) -> Any:
        compiled = self.compiled
        if compiled is None:
            compiled = self.compiled = self._compile(cache=True)
        try:
            return compiled(*arguments)
        except (OSError, EOFError, pickle.UnpicklingError, ImportError, AttributeError):
            # A full disk or a damaged cache file: compile for this process alone.
            if not compiled.stats.cache_path:
                raise
            self.compiled = self._compile(cache=False)
            return self.compiled(*arguments)

    def _compile(self, cache: bool) -> Any:
        import numba

        try:
            return numba.njit(cache=cache, **self.options)(self.function)
        except RuntimeError:  # nowhere to write a cache
            if not cache:
                raise
            return self._compile(cache=False)


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Decorator: make a function a kernel."""
    if function is None:
        return lambda f: Kernel(f, **options)
    return Kernel(function, **options)
