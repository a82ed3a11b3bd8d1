"""The command `likely`: one verb per module, loaded when it is called.

Nothing here or at the top of a verb imports more than Click, so that help answers at once.
"""

TYPE_CHECKING = bool()  # noqa: UP018 - editors would believe a plain False; `typing` takes time to import

if TYPE_CHECKING:
    from likely.cli.command import likely as likely

__all__ = ["likely", "main"]


def main() -> None:
    """Run the command; signals and streams are seen to before anything else is imported."""
    try:
        from likely.cli.signals import catch_signals, code_of_signal, leave_signals
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    try:
        catch_signals()
        from likely.cli.writing.streams import open_streams

        open_streams()
        from likely.cli.command import likely

        likely.main()
    except KeyboardInterrupt:
        raise SystemExit(code_of_signal() or 130) from None
    finally:
        leave_signals()


def __getattr__(name: str) -> object:
    if name == "likely":
        from likely.cli.command import likely

        return likely
    raise AttributeError(f"module 'likely.cli' has no attribute {name!r}")
