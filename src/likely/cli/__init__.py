"""The command `likely`: one verb per module, loaded when it is called.

Nothing here or at the top of a verb imports more than Click, so that help answers at once.
"""

from likely.cli.command import likely, main

__all__ = ["likely", "main"]
