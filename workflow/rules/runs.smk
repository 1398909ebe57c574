# The right answers, and one job per algorithm × graph × launch.


rule compute_oracle:
    input:
        places.outcome(places.prepared("{graph}")),
    output:
        places.outcome(places.oracle("{graph}", "{problem}")),
    log:
        places.log("oracle", "{graph}", "{problem}"),
    priority: SOON
    conda:
        ENVIRONMENT
    resources:
        mem_mb=oracle_memory_mb,
        runtime=minutes("compute_oracle", 120),
    params:
        sources=sources_flag,
        seed=SETTINGS["timing"]["seed"],
        again=lambda wildcards: due(places.oracle(*wildcards)),
    message:
        "right answers: {wildcards.problem} on {wildcards.graph}"
    shell:
        step(
            "oracle resources/graphs/{wildcards.graph:q} {wildcards.problem} --sources {params.sources}"
            " --seed {params.seed} --output resources/oracles/{wildcards.graph:q}/{wildcards.problem}.parquet"
            " > {log:q} 2>&1"
        )


rule probe_device:
    output:
        places.outcome(places.PROBE),
    log:
        places.log("probe"),
    priority: SOON
    conda:
        ENVIRONMENT
    threads: lambda wildcards: 1 if STUDY.device == "cuda" else all_cores()
    resources:
        gpu=int(STUDY.device == "cuda"),
        runtime=minutes("probe_device", 30),
    params:
        device=STUDY.device,
        again=probe_due,
    message:
        "rates of the device"
    shell:
        step("probe --device {params.device} > {log:q} 2>&1")


rule build_program:
    output:
        places.program("{program}"),
    log:
        places.log("programs", "{program}"),
    wildcard_constraints:
        program=either(PROGRAMS),
    priority: SOON
    conda:
        ENVIRONMENT
    threads: lambda wildcards: all_cores()
    params:
        folder=lambda wildcards: PROGRAMS[wildcards.program].place or wildcards.program,
        code=lambda wildcards: key.of_files(PROGRAMS[wildcards.program].files),
        again=lambda wildcards: outcome.again(here(places.program(wildcards.program))),
    message:
        "building {wildcards.program}"
    shell:
        step("programs build {params.folder:q} > {log:q} 2>&1")


# A run is due again when what is known of its key changes, not when its files do: an edited comment measures nothing.
# The job then looks for a kept record with the whole key before it measures.
rule measure_run:
    input:
        places.outcome(places.prepared("{graph}")),
        places.outcome(places.oracle("{graph}", "{problem}")),
        build_of,
    output:
        places.record("{graph}", "{problem}", "{algorithm}", "{launch}"),
    log:
        places.log("runs", "{graph}", "{problem}", "{algorithm}", "{launch}"),
    wildcard_constraints:
        algorithm=either(run.algorithm for run in STUDY.runs if run.device == STUDY.device or run.uses_gpu),
    priority: run_priority
    conda:
        ENVIRONMENT
    threads: run_threads
    resources:
        gpu=run_gpus,
        mem_mb=run_memory_mb,
        runtime=minutes("measure_run", RUN_MINUTES, RUN_MINUTES - 20),
    params:
        options=run_options,
    message:
        "run: {wildcards.problem}/{wildcards.algorithm} {wildcards.launch} on {wildcards.graph}"
    shell:
        command("run {output:q} {params.options} > {log:q} 2>&1")


# Runs without a GPU, apart from the others because all tasks of a job array get the resources of the first one.
use rule measure_run as measure_baseline with:
    wildcard_constraints:
        algorithm=either(run.algorithm for run in STUDY.runs if run.device != STUDY.device and not run.uses_gpu),
    threads: lambda wildcards: all_cores()
    resources:
        gpu=0,
        machine=1,
        mem_mb=run_memory_mb,
        runtime=minutes("measure_baseline", RUN_MINUTES, RUN_MINUTES - 20),
