# Where people look for it; the workflow is in workflow/Snakefile.
include: "workflow/Snakefile"


# A file that is included does not decide what is made without a target.
rule study:
    default_target: True
    input:
        rules.all.input,
    message:
        "study"
