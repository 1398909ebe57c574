# One study, from the sources of its graphs to a report.
#
#   snakemake --cores 1 --resources gpu=1                          the study that config/config.yaml names
#   snakemake --cores 1 --resources gpu=1 --config study=rejaud    another study
#   snakemake results/runs/rome99.csv --cores 1 --resources gpu=1  the runs on one graph


configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/graphs.smk"
include: "workflow/rules/runs.smk"
include: "workflow/rules/results.smk"


wildcard_constraints:
    graph=r"[A-Za-z0-9._-]+",
    problem=either(PROBLEMS),
    algorithm="[a-z0-9_]+",
    launch=r"[A-Za-z0-9.-]+",


# On a cluster these run where Snakemake was started: they need the internet or take seconds.
localrules:
    all,
    download_file,
    gather_results,
    draw_figure,
    write_report,
    tabulate_graph,


rule all:
    default_target: True
    input:
        rules.gather_results.output,
        places.REPORT,
        [run.record for run in STUDY.runs],  # a report that lacks some of them does not complete the study
    params:
        study=lambda wildcards: STUDY.name,
    message:
        "study: {params.study}"


onsuccess:
    print(*summary_lines(), sep="\n")


onerror:
    print(*summary_lines(), sep="\n")
    print("What failed and how to do it again:", repeat.step("failures", SETTINGS))
