"""Kernels of algorithms that go through rows step by step: descent, online rules, perceptrons."""
