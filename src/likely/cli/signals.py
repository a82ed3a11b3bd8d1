"""Interrupt, terminate and hang-up end the command alike: nothing half-written stays, and the exit code tells which.

The first signal is raised as an exception where the program is, so that everything under way ends in order. A callback
that cannot raise swallows it: then it is raised again. Where nobody catches it (compiled code turns it into errors of
its own, and it may come while the command is ending already) no traceback is shown. Compiled code may keep it: after a
moment of grace, or at a second signal, what is unfinished is taken away here and the process ends. Nothing is imported
here that takes time, because signals come early too.
"""

import os
import signal
import sys

TYPE_CHECKING = bool()  # noqa: UP018 - editors would believe a plain False; `typing` takes time to import

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType
    from typing import Any

_GRACE = 3.0  # seconds in which everything under way can end in order
_SOON = 0.01  # seconds until a signal that was swallowed comes again
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # not all systems have all of them
_received: list[int] = []


class Stopped(KeyboardInterrupt):
    """A signal that ends the process; raised like the interrupt that it mostly is."""


def catch_signals() -> None:
    """From now on signals end the process in order; those that are ignored (nohup) stay so."""
    _received.clear()
    sys.unraisablehook, sys.excepthook = _swallowed, _uncaught
    for number in _numbers():
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _stop)


def interruptible() -> None:
    """Signals end a wait for input too: Polars, once imported, has the system resume what an interrupt stopped."""
    for number in _numbers():
        if signal.getsignal(number) is _stop:
            signal.siginterrupt(number, True)


def leave_signals() -> None:
    """When all is done: a signal that still comes ends the process as the system does it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
    sys.unraisablehook = sys.__unraisablehook__
    for number in _numbers():
        if signal.getsignal(number) is _stop:
            signal.signal(number, signal.SIG_DFL)


def code_of_signal() -> int | None:
    """The exit code if a signal came: 130 after an interrupt, 143 after a request to terminate."""
    return 128 + _received[0] if _received else None


def _numbers() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]


def _stop(number: int, frame: "FrameType | None") -> None:
    if _received:
        _end(number, frame)
    _received.append(number)
    _raise(number, frame)


def _raise(number: int, frame: "FrameType | None") -> None:
    _after(_GRACE, _end)
    raise Stopped


def _swallowed(told: "sys.UnraisableHookArgs") -> None:
    """What a callback could not raise."""
    if isinstance(told.exc_value, Stopped):
        _after(_SOON, _raise)
    else:
        sys.__unraisablehook__(told)


def _uncaught(kind: type[BaseException], error: BaseException, trace: "TracebackType | None") -> None:
    """What came out of the command: after a signal the exit code says it all."""
    if _received:
        _end(_received[0], None)
    sys.__excepthook__(kind, error, trace)


def _after(seconds: float, call: "Callable[[int, FrameType | None], None]") -> None:
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, call)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _end(number: int, frame: "FrameType | None") -> None:
    """End now, whatever is under way."""
    places: Any = sys.modules.get("likely.data.sources.places.unfinished")
    if places is not None:
        places.remove_unfinished()
    os._exit(code_of_signal() or 128 + number)
