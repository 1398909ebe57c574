# Where people look for it; the workflow is in workflow/Snakefile.
include: "workflow/Snakefile"
