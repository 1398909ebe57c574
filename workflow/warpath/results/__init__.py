"""From run records to tidy tables, figures, re-measured claims and one page to read."""

TIMINGS, SUMMARY = "results/timings.parquet", "results/summary.csv"
FIGURES, REPORT, PROBE = "results/figures", "results/report.html", "results/probe.json"
