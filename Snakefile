# The workflow at a glance: one study, from the graphs' sources to a report.
#
#   snakemake --cores 1 --resources gpu=1                          the study that config/config.yaml names
#   snakemake --cores 1 --resources gpu=1 --config study=rejaud    another one
#   snakemake results/runs/rome99.csv --cores 1 --resources gpu=1  the runs of one graph alone


configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/graphs.smk"
include: "workflow/rules/runs.smk"
include: "workflow/rules/results.smk"


wildcard_constraints:
    graph=r"[A-Za-z0-9._-]+",
    problem="bfs|sssp|apsp",
    algorithm="[a-z0-9_]+",
    launch=r"[A-Za-z0-9.-]+",


# On a cluster these stay where Snakemake was started: they need the internet, or are over in seconds.
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
        "results/report.html",
        [run.record for run in STUDY.runs],  # by name: a report made without some of them is no reason to be content
    message:
        "study: {STUDY.name}"


# Snakemake's own lock outlives a kill and then refuses a plain rerun (profiles/default turns it off); this one does not.
onstart:
    with errors.one_line():
        folder.alone()
        processes.let_sigterm_wait()
        folder.date_to_now("kernels", "resources", "results")
        slurm.refuse_what_slurm_would_break(workflow)
        slurm.cancel_what_a_killed_workflow_left(workflow)
        repeat.remember_cluster(sys.argv, here=workflow.local_exec)


onsuccess:
    print(*overhead.lines(STUDY.runs, since=STARTED), sep="\n")


# A failure costs what failed: the tables, figures and report are built from whatever there is, and say what is missing.
onerror:
    shell("python -m warpath salvage --settings {SETTINGS_JSON:q} || true")
    for table in rules.gather_results.output:
        workflow.persistence.cleanup_metadata(table)  # what is salvaged must not pass for complete
    print(*overhead.lines(STUDY.runs, since=STARTED), sep="\n")
    print("What failed and how to do it again:", repeat.step("failures", SETTINGS))
