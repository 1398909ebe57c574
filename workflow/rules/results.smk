# Tables from the records, figures from the tables, and one page of it all. `code` digests the source files that
# decide what an output says: an edit of one makes that output anew, and measures nothing.


TABLES = "workflow/warpath/results/*.py"
PUBLISHED = "config/papers/*/numbers.csv", "config/papers/*/claims.py"
PAGE = "workflow/warpath/results/claims/*.py", "workflow/report/**/*.*"


report: "../report/workflow.rst"


rule gather_results:
    input:
        probe=places.outcome(places.PROBE),
        # A function, because Snakemake hashes a plain list once for each of its items.
        records=lambda wildcards: [run.record for run in STUDY.runs],
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
        code=lambda wildcards: digest_of(TABLES),
        settings=lambda wildcards: SETTINGS_JSON,
    message:
        "tables"
    shell:
        command("gather --settings {params.settings:q} > {log:q} 2>&1")


rule tabulate_graph:
    input:
        records=records_of,
    output:
        places.graph_table("{graph}"),
    log:
        places.log("runs", "{graph}"),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        code=lambda wildcards: digest_of(TABLES),
        settings=lambda wildcards: SETTINGS_JSON,
    message:
        "runs on {wildcards.graph}"
    shell:
        command("table {wildcards.graph:q} --settings {params.settings:q} 2>&1 | tee {log:q}")


rule draw_figure:
    input:
        tables=[places.TIMINGS, places.SUMMARY],
    output:
        report(
            places.figure("{figure}", "svg"),
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
        places.figure("{figure}", "csv"),
        outcome=places.outcome(places.figure("{figure}", "svg")),
    log:
        places.log("figures", "{figure}"),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        code=lambda wildcards: [
            digest_of(TABLES, *PUBLISHED, f"workflow/warpath/results/figures/{wildcards.figure}.py"),
            key.of_files(claims.files(STUDY.claims, "numbers.csv")),
        ],
        about=lambda wildcards: figures.title_and_caption(wildcards.figure),
        again=lambda wildcards: due(places.figure(wildcards.figure, "svg")),
        papers=lambda wildcards: STUDY.claims,
    message:
        "figure: {wildcards.figure}"
    shell:
        step("figure {wildcards.figure} --papers {params.papers:q} > {log:q} 2>&1", "{output.outcome:q}")


rule write_report:
    input:
        tables=[places.TIMINGS, places.SUMMARY],
        figures=[places.figure(name, suffix) for name in FIGURES for suffix in ("svg", "csv")],
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
        code=lambda wildcards: [digest_of(TABLES, *PUBLISHED, *PAGE), key.of_files(claims.files(STUDY.claims))],
        settings=lambda wildcards: SETTINGS_JSON,
        # What the page shows of the study's file.
        study=lambda wildcards: [STUDY.title, STUDY.description, STUDY.skipped, STUDY.figures, STUDY.claims],
    message:
        "report"
    shell:
        command("report --settings {params.settings:q} > {log:q} 2>&1")


# Never complete while a run has failed or a right answer is missing: it ends the workflow with what failed.
rule check_results:
    input:
        tables=[places.TIMINGS, places.SUMMARY],
        page=places.REPORT,
        records=lambda wildcards: [run.record for run in STUDY.runs],
    output:
        places.COMPLETE,
    log:
        places.log("check"),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        settings=lambda wildcards: SETTINGS_JSON,
    message:
        "what failed"
    shell:
        command("failures --output {output:q} --settings {params.settings:q} > {log:q} 2>&1")
