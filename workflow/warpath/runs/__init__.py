"""Runs: which there are, what each measures, how each answer is checked, and the record that is kept."""
