# From a URL to Parquet CSR. Catalogues and mirrors are no params: naming another one repeats nothing.


rule download_file:
    output:
        places.outcome(places.download("{graph}", "{file}")),
    log:
        places.log("download", "{graph}", "{file}"),
    wildcard_constraints:
        file=r"[^/]+",
    priority: SOON
    localrule: True
    conda:
        ENVIRONMENT
    params:
        again=lambda wildcards: due(places.download(*wildcards)),
    message:
        "download: {wildcards.graph} {wildcards.file}"
    shell:
        step("download {wildcards.graph:q} 2>&1 | tee {log:q}")


rule prepare_graph:
    input:
        downloaded,
        own_file,
    output:
        places.outcome(places.prepared("{graph}")),
    log:
        places.log("prepare", "{graph}"),
    priority: SOON
    conda:
        ENVIRONMENT
    threads: graph_threads
    resources:
        mem_mb=graph_memory_mb,
        runtime=minutes("prepare_graph", 120),
    params:
        recipe=lambda wildcards: GRAPHS[wildcards.graph].recipe,
        again=graph_due,
    message:
        "graph: {wildcards.graph}"
    shell:
        step("prepare {wildcards.graph:q} --threads {threads} 2>&1 | tee {log:q}")
