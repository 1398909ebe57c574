# Tables from the records, figures from the tables, and one page of it all. `code` lists the source files that decide
# what an output says: an edit of one makes that output anew, and measures nothing.


report: "../report/workflow.rst"


rule gather_results:
    input:
        probe=rules.probe_device.output,
        # A function, because Snakemake hashes a plain list once for each of its items.
        records=lambda wildcards: [run.record for run in STUDY.runs],
        code=lambda wildcards: USE.code(dependencies.of_tables()),
    output:
        timings=places.TIMINGS,
        summary=report(
            places.SUMMARY,
            caption="../report/summary.rst",
            category="Tables",
            labels={"table": "summary, a row per run"},
        ),
    log:
        places.log("gather"),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        settings=lambda wildcards: SETTINGS_JSON,
    message:
        "tables"
    shell:
        command("python -m warpath gather --settings {params.settings:q} > {log:q} 2>&1")


rule draw_figure:
    input:
        tables=rules.gather_results.output,
        code=lambda wildcards: USE.code(dependencies.of_figure(wildcards.figure)),
    output:
        report(
            places.figure("{figure}", "svg"),
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
        places.figure("{figure}", "png"),
        places.figure("{figure}", "csv"),
    log:
        places.log("figures", "{figure}"),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        about=lambda wildcards: figures.title_and_caption(wildcards.figure),
    message:
        "figure: {wildcards.figure}"
    shell:
        command("python -m warpath figure {wildcards.figure} > {log:q} 2>&1")


rule write_report:
    input:
        tables=rules.gather_results.output,
        figures=[places.figure(name, suffix) for name in FIGURES for suffix in ("svg", "csv")],
        code=lambda wildcards: USE.code(dependencies.of_page(STUDY.claims)),
    output:
        report(
            places.REPORT,
            caption="../report/page.rst",
            category="Report",
            labels={"page": "the whole study on one page"},
        ),
    log:
        places.log("report"),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        settings=lambda wildcards: SETTINGS_JSON,
        # What the page shows of the study's file.
        study=lambda wildcards: [STUDY.title, STUDY.description, STUDY.skipped, STUDY.figures, STUDY.claims],
    message:
        "report"
    shell:
        command("python -m warpath report --settings {params.settings:q} > {log:q} 2>&1")
