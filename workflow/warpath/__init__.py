"""Batch experiments with GPU graph algorithms: from a public graph to a checked, timed and plotted answer."""

__version__ = "0.1.0"
