"""The timing settings on the command line. Their descriptions and defaults are in config.schema.yaml."""

RUN = ("warmup", "repetitions", "budget", "time_limit", "energy")  # what `warpath run` takes
ORACLE = ("sources", "seed")


def chosen(arguments, names):
    """Return these settings from parsed arguments; those that are absent are the workflow's, by hand the defaults.

    How a run is measured is no part of its command in a workflow: Snakemake would repeat every run when it changes.
    """
    values = {name: getattr(arguments, name) for name in names}
    if None in values.values():
        from warpath.base import settings

        used = settings.handed() if settings.workflow() else settings.defaults()
        defaults = used["timing"]
        values = {name: defaults[name] if value is None else value for name, value in values.items()}
    return values
