# Records become tables, tables become figures, and all of it one page.


report: "../report/workflow.rst"


rule gather_results:
    input:
        probe=rules.probe_device.output,
        records=lambda wildcards: [run.record for run in STUDY.runs],  # a list is hashed as a whole for each of its items
    output:
        timings="results/timings.parquet",
        summary=report(
            "results/summary.csv",
            caption="../report/summary.rst",
            category="Tables",
            labels={"table": "summary, a row per run"},
        ),
    log:
        "logs/gather.log",
    params:
        settings=lambda wildcards: SETTINGS_JSON,
    message:
        "tables of {STUDY.name}"
    shell:
        "python -m warpath gather --settings {params.settings:q} > {log:q} 2>&1"


rule draw_figure:
    input:
        rules.gather_results.output,
        lambda wildcards: os.path.relpath(figures.source(wildcards.figure)),
    output:
        report(
            "results/figures/{figure}.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
        "results/figures/{figure}.png",
        "results/figures/{figure}.csv",
    log:
        "logs/figures/{figure}.log",
    params:
        about=lambda wildcards: figures.title_and_caption(wildcards.figure),
    message:
        "figure: {wildcards.figure}"
    shell:
        "python -m warpath figure {wildcards.figure} > {log:q} 2>&1"


rule write_report:
    input:
        rules.gather_results.output,
        expand("results/figures/{figure}.{suffix}", figure=FIGURES, suffix=["svg", "csv"]),
    output:
        report(
            "results/report.html",
            caption="../report/page.rst",
            category="Report",
            labels={"page": "the whole study on one page"},
        ),
    log:
        "logs/report.log",
    params:
        settings=lambda wildcards: SETTINGS_JSON,
    message:
        "report of {STUDY.name}"
    shell:
        "python -m warpath report --settings {params.settings:q} > {log:q} 2>&1"
