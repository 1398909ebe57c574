"""The timing settings on the command line. Their descriptions and defaults are in config.schema.yaml."""

RUN = ("warmup", "repetitions", "budget", "time_limit")  # the settings that `python -m warpath run` takes
ORACLE = ("sources", "seed")


def chosen(arguments, names):
    """Return these settings from parsed arguments, with the schema's defaults for those that are absent.

    The workflow passes all of them, so its jobs never load the schema.
    """
    values = {name: getattr(arguments, name) for name in names}
    if None in values.values():
        from warpath.base import settings

        defaults = settings.defaults()["timing"]
        values = {name: defaults[name] if value is None else value for name, value in values.items()}
    return values
