"""How a workflow begins, submits its jobs, ends and is repeated."""
