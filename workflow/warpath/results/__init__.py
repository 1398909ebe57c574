"""From run records to tables, figures, claims with verdicts, and pages."""
