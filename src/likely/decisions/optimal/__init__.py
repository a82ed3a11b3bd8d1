"""The best possible on a known population: its error, boundaries and regions."""
