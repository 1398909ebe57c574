# The right answers, and one job per algorithm × graph × launch.


rule compute_oracle:
    input:
        rules.prepare_graph.output,
    output:
        places.oracle("{graph}", "{problem}"),
    log:
        places.log("oracle", "{graph}", "{problem}"),
    conda:
        ENVIRONMENT
    threads: 4
    resources:
        mem_mb=oracle_memory_mb,
    params:
        sources=sources_flag,
        seed=SETTINGS["timing"]["seed"],
    message:
        "right answers: {wildcards.problem} on {wildcards.graph}"
    shell:
        command(
            "python -m warpath oracle resources/graphs/{wildcards.graph:q} {wildcards.problem} --sources {params.sources}"
            " --seed {params.seed} --threads {threads} --output {output:q} > {log:q} 2>&1"
        )


rule probe_device:
    output:
        places.PROBE,
    log:
        places.log("probe"),
    conda:
        ENVIRONMENT
    threads: 1 if STUDY.device == "cuda" else ALL_CORES
    resources:
        gpu=int(STUDY.device == "cuda"),
    params:
        device=STUDY.device,
    message:
        "rates of the device"
    shell:
        command("python -m warpath probe --device {params.device} --output {output:q} > {log:q} 2>&1")


# A run is measured again when the content of its code files changes, which is a param. Their dates do not count,
# so that checking out another commit and back measures nothing. (The oracle must not be `ancient`: Snakemake 9.27 would
# then skip the runs behind an oracle that exists and is due again, even those without a record.)
rule measure_run:
    input:
        rules.prepare_graph.output,
        rules.compute_oracle.output,
        ancient(kernel_files),
    output:
        places.record("{graph}", "{problem}", "{algorithm}", "{launch}"),
    log:
        places.log("runs", "{graph}", "{problem}", "{algorithm}", "{launch}"),
    wildcard_constraints:
        algorithm=either(run.algorithm for run in STUDY.runs if run.device == STUDY.device or run.uses_gpu),
    conda:
        ENVIRONMENT
    # A run on the CPU reserves all cores, so that no other job disturbs it; a run on a GPU reserves the GPU.
    threads: 1 if STUDY.device == "cuda" else ALL_CORES
    resources:
        gpu=int(STUDY.device == "cuda"),
        mem_mb=run_memory_mb,
        runtime=RUN_MINUTES,
    params:
        kernel=kernel_hashes,
        sources=sources_flag,
        seed=SETTINGS["timing"]["seed"],
        device=run_device,
        timing=timing,
    message:
        "run: {wildcards.problem}/{wildcards.algorithm} {wildcards.launch} on {wildcards.graph}"
    shell:
        command("python -m warpath run {output:q} --device {params.device} {params.timing} > {log:q} 2>&1")


# Runs without a GPU, apart from the others because all tasks of a job array get the resources of the first one.
use rule measure_run as measure_baseline with:
    wildcard_constraints:
        algorithm=either(run.algorithm for run in STUDY.runs if run.device != STUDY.device and not run.uses_gpu),
    threads: ALL_CORES
    resources:
        gpu=0,
        mem_mb=run_memory_mb,
        runtime=RUN_MINUTES,


rule tabulate_graph:
    input:
        records=records_of,
        code=lambda wildcards: USE.code(dependencies.of_tables()),
    output:
        places.graph_table("{graph}"),
    log:
        places.log("runs", "{graph}"),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        settings=lambda wildcards: SETTINGS_JSON,
    message:
        "runs on {wildcards.graph}"
    shell:
        command("python -m warpath table {wildcards.graph:q} --settings {params.settings:q} 2>&1 | tee {log:q}")
