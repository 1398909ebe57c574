"""Programs in any language, the user's or others', as algorithms: a folder with program.yaml and an adapter is one.

kernels/programs/warpath.h is what a program has to be. `description` reads program.yaml, `build` makes the program,
`library` calls its functions, and `command` runs one that cannot be loaded.
"""
