"""Warm processes that run the commands of a workflow's jobs; they know neither graphs nor kernels.

The command of a job is a thin client. It hands its arguments to the workflow's *server*, which has imported what
commands need and forks a child for each. A child that needs something costly to open (a CUDA context) borrows a
*resident*: a process that the server keeps for as long as it is sound. All of them end with the workflow, however that
ends.
"""
