"""`python -m likely` is the command `likely`."""

if __name__ == "__main__":
    try:
        from likely.cli import main

        main()
    except KeyboardInterrupt:  # before the command had taken over the signals
        raise SystemExit(130) from None
