# Right answers, then one job per algorithm × graph × launch.

# What --cores says. Under a cluster's scheduler there is no such number, neither here nor on the node that runs the job;
# there a job has the cores that it is given (`set-threads` in a profile asks for more).
ALL_CORES = (not workflow.remote_exec and workflow.resource_settings.cores) or 1


rule compute_oracle:
    input:
        rules.prepare.output,
    output:
        "resources/oracles/{graph}/{problem}.parquet",
    log:
        "logs/oracle/{graph}/{problem}.log",
    resources:
        mem_mb=lambda wildcards: GRAPHS[wildcards.graph].memory_mb,
    params:
        sources=lambda wildcards: STUDY.sources_flag(wildcards.graph, wildcards.problem),
        seed=SETTINGS["timing"]["seed"],
    message:
        "right answers: {wildcards.problem} on {wildcards.graph}"
    shell:
        "{WARPATH} oracle resources/graphs/{wildcards.graph:q} {wildcards.problem} --sources {params.sources}"
        " --seed {params.seed} --output {output:q} > {log:q} 2>&1"


rule probe_device:
    output:
        "results/probe.json",
    log:
        "logs/probe.log",
    threads: 1 if STUDY.device == "cuda" else ALL_CORES
    resources:
        gpu=int(STUDY.device == "cuda"),
    params:
        device=STUDY.device,
    message:
        "what this device can do at best"
    shell:
        "{WARPATH} probe --device {params.device} --output {output:q} > {log:q} 2>&1"


rule measure_run:
    input:
        rules.prepare.output,
        rules.compute_oracle.output,
        lambda wildcards: STUDY.run(**wildcards).kernel_files,
    output:
        "results/runs/{graph}/{problem}/{algorithm}/{launch}.json",
    log:
        "logs/runs/{graph}/{problem}/{algorithm}/{launch}.log",
    # A run on the CPU takes every core, so that nothing else of the workflow disturbs it; one on the GPU takes the GPU.
    threads: lambda wildcards: 1 if STUDY.run(**wildcards).uses_gpu else ALL_CORES
    resources:
        gpu=lambda wildcards: int(STUDY.run(**wildcards).uses_gpu),
        mem_mb=lambda wildcards: GRAPHS[wildcards.graph].memory_mb,
    params:
        device=lambda wildcards: STUDY.run(**wildcards).device,
        timing=" ".join(
            f"--{key.replace('_', '-')} {SETTINGS['timing'][key]}"
            for key in plan.TIMING
        ),
    message:
        "run: {wildcards.problem}/{wildcards.algorithm} {wildcards.launch} on {wildcards.graph}"
    shell:
        "{WARPATH} run {output:q} --device {params.device} {params.timing} > {log:q} 2>&1"
