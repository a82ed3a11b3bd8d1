"""Compile a kernel when it is first called, and survive a cache that cannot be used.

numba is imported here, at the first call of the first kernel, never at `import likely`. Kernels release the
GIL, so that Python threads run them side by side. `fastmath={"contract"}` allows fused multiply-add and
nothing that would change the meaning of NaN; kernels whose sums may be reordered say so themselves.

What is compiled is paid for by everyone once, in a new environment, so a kernel that a first use meets allocates
nothing: each `np.zeros` inside takes a fifth of a second to compile. What it fills and what it works in are arguments,
which the decorator's `makes` and `scratch` supply. `min` and `max` of two numbers are dear too; a choice
(`a if a < b else b`) is not. So are tuples, slices, and arrays chosen by a condition. A literal number as an argument
of another kernel is a type of its own, for which that is compiled again. A loop costs about as much as four array
arguments. `bench/first_use.py` measures it.
"""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

_DEFAULTS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract"},
    "no_cfunc_wrapper": True,  # nobody calls a kernel from C
}
FEW = 1 << 16  # cells: below, a kernel that could only save time is not worth compiling
REORDER = {"contract", "reassoc", "nsz"}  # lets a reduction use the vector units; NaN keeps its meaning


class Kernel:
    """A function that is compiled at its first call.

    `makes` and `scratch` are called with the arguments and give further ones, in this order: the arrays that the
    kernel fills for the caller, and those that it only works in. A call returns what was made, then what the kernel
    itself returns.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        makes: Callable[..., tuple[Any, ...]] | None,
        scratch: Callable[..., tuple[Any, ...]] | None,
        options: dict[str, Any],
    ) -> None:
        self.function = function
        self.makes = makes
        self.scratch = scratch
        self.options = {**_DEFAULTS, **options}
        self.compiled: Any = None
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__

    def __call__(self, *arguments: Any) -> Any:
        made = self.makes(*arguments) if self.makes else ()
        work = self.scratch(*arguments) if self.scratch else ()
        told = self._run(*arguments, *made, *work)
        if not made:
            return told
        if told is not None:
            return (*made, told)
        return made if len(made) > 1 else made[0]

    @property
    def _numba_type_(self) -> Any:
        """By which numba lets another kernel call this one."""
        if self.compiled is None:
            self.compiled = self._compile(cache=True)
        return self.compiled._numba_type_

    @property
    def kept(self) -> bool:
        """Whether a compiled form of it lies in the cache; True too where there is no cache to lie in."""
        if self.compiled is None:
            self.compiled = self._compile(cache=True)
        place = self.compiled.stats.cache_path
        return not place or any(Path(place).glob(f"*.{self.__name__}-*.nbi"))

    def _run(self, *arguments: Any) -> Any:
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


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    makes: Callable[..., tuple[Any, ...]] | None = None,
    scratch: Callable[..., tuple[Any, ...]] | None = None,
    inner: bool = False,
    **options: Any,
) -> Any:
    """Decorator: make a function a kernel; an `inner` one is called by other kernels alone, and compiled for them."""
    if inner:
        options["no_cpython_wrapper"] = True
    if function is None:
        return lambda f: Kernel(f, makes, scratch, options)
    return Kernel(function, makes, scratch, options)
