# From a URL to Parquet CSR. Jobs get catalogues and mirrors through the environment, not as params: naming another
# catalogue or mirror repeats nothing.


rule download_file:
    output:
        places.download("{graph}", "{file}"),
    log:
        places.log("download", "{graph}", "{file}"),
    wildcard_constraints:
        file=r"[^/]+(?<!\.origin\.json)",
    localrule: True
    conda:
        ENVIRONMENT
    message:
        "download: {wildcards.graph} {wildcards.file}"
    shell:
        command("python -m warpath download {wildcards.graph:q} {wildcards.file:q} 2>&1 | tee {log:q}")


rule prepare_graph:
    input:
        graph_inputs,
    output:
        places.prepared("{graph}"),
    log:
        places.log("prepare", "{graph}"),
    conda:
        ENVIRONMENT
    threads: graph_threads
    resources:
        mem_mb=graph_memory_mb,
    params:
        recipe=graph_recipe,
    message:
        "graph: {wildcards.graph}"
    shell:
        command("python -m warpath prepare {wildcards.graph:q} --threads {threads} 2>&1 | tee {log:q}")
