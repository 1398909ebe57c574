"""From run records to tidy tables, figures, re-measured claims and one page to read."""
