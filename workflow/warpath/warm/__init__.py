"""Warm processes that run the commands of a workflow's jobs; they know neither graphs nor kernels.

The command of a job is a thin client. It hands its arguments to the workflow's *server*, which has imported what
commands need and keeps a child waiting for the next one. A child is used for one command; or it is lent, as a
*resident*, to one command after the other, as long as it is sound, because what it holds is costly to open (a CUDA
context). All of them end with the workflow, however that ends.

    client or command → server                      server → client or command
    bytes: a command, with its streams              how it ended, as subprocess has it
    {"borrow": "module:function", "apart", ...}     {"process": number}, with a link to it; then how it ended, or None
"""
