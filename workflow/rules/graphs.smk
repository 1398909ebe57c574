# From a URL to Parquet CSR.

GRAPH_OPTIONS = " ".join(f"--catalogue {shlex.quote(path)}" for path in settings.catalogues(SETTINGS))
MIRRORS = " ".join(f"--mirror {shlex.quote(mirror)}" for mirror in SETTINGS["mirrors"])


def graph_inputs(wildcards):
    return GRAPHS[wildcards.graph].inputs() if wildcards.graph in GRAPHS else []


rule download:
    output:
        "resources/downloads/{graph}/{file}",
    log:
        "logs/download/{graph}/{file}.log",
    wildcard_constraints:
        file=r"[^/]+(?<!\.origin\.json)",
    retries: 1
    params:
        options=GRAPH_OPTIONS,
        mirrors=MIRRORS,
    shell:
        "{WARPATH} download {wildcards.graph:q} {wildcards.file:q} {params.options} {params.mirrors} 2>&1 | tee {log:q}"


rule prepare:
    input:
        graph_inputs,
    output:
        vertices="resources/graphs/{graph}/vertices.parquet",
        edges="resources/graphs/{graph}/edges.parquet",
    log:
        "logs/prepare/{graph}.log",
    threads: 2
    resources:
        mem_mb=lambda wildcards: GRAPHS[wildcards.graph].memory_mb,
    params:
        options=GRAPH_OPTIONS,
        recipe=lambda wildcards: GRAPHS[wildcards.graph].recipe,
    shell:
        "{WARPATH} prepare {wildcards.graph:q} {params.options} --threads {threads} 2>&1 | tee {log:q}"
