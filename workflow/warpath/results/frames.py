"""Tables from rows, to files and back: every table has the columns of warpath.results.columns, typed and in order.

Further columns follow in alphabetical order: axes and phases of a user's own algorithms.
"""

import contextlib

import numpy as np
import pandas as pd

from warpath.base.errors import UserError
from warpath.base.files import atomic
from warpath.base.text import reason
from warpath.results import columns, statistics

NEEDED = {"graph", "algorithm", "launch"}


def make(rows, wanted):
    """A table of dicts with the `wanted` columns first."""
    others = sorted(set().union(*rows).difference(column.name for column in wanted))
    names = [*(column.name for column in wanted), *others]
    return _typed({name: pd.Series([row.get(name) for row in rows], dtype=object) for name in names}, wanted)


def write(table, path):
    with atomic(path) as temporary:
        if str(path).endswith(".parquet"):
            table.to_parquet(temporary, index=False)
        else:
            table.to_csv(temporary, index=False, float_format="%.9g")


def read(timings, summary):
    """The two tables from their files. Columns that tables of earlier versions lack are filled or left empty.

    Texts are Python's own: figures and pages read them one at a time, which Arrow's make slow.
    """
    with pd.option_context("mode.string_storage", "python"):
        return read_timings(timings), read_summary(summary)


def read_timings(path):
    return _read(path, columns.TIMINGS, pd.read_parquet)


def read_summary(path):
    texts = {column.name: "str" for column in columns.SUMMARY if column.type == "str"}
    options = {"dtype": texts, "keep_default_na": False, "na_values": [""]}
    return _read(path, columns.SUMMARY, pd.read_csv, **options).fillna({"flags": ""})


def _read(path, wanted, reader, **options):
    """The table at `path`, if it has a row for each run or sample."""
    try:
        table = reader(path, **options)
        if missing := NEEDED.difference(table.columns):
            raise ValueError(f"it lacks the columns {', '.join(sorted(missing))}")
        return _complete(table, wanted)
    except (ValueError, KeyError) as error:
        raise UserError(f"{path}: not a table of runs ({reason(error)})") from None


def _complete(table, wanted):
    series = {column.name: pd.Series(None, index=table.index, dtype=object) for column in wanted} | dict(table.items())
    if "process" not in table and "process" in series:
        series["process"] = pd.Series(1, index=table.index)
    if "interval" not in table and {"interval", "samples"} <= set(series):  # of one process
        samples = pd.to_numeric(series["samples"], errors="coerce")
        series["processes"] = samples.where(samples.isna(), 1)
        series["interval"] = samples.map(lambda count: statistics.interval_in_words(1, int(count)), na_action="ignore")
    return _typed(series, wanted)


def _typed(series, wanted):
    types = {column.name: column.type for column in wanted}
    return pd.DataFrame({name: _as(types.get(name) or _type(values), values) for name, values in series.items()})


def _as(type, values):
    """The values in this type, or in a wider one where they do not fit."""
    for narrow in (type, "float64"):
        with contextlib.suppress(TypeError, ValueError, OverflowError), np.errstate(invalid="ignore"):
            return values.astype(narrow)
    return values.astype("str")


def _type(values):
    """The type of a column that is not described."""
    kinds = {"boolean": "boolean", "integer": "Int64", "floating": "Int64", "mixed-integer-float": "Int64"}
    return kinds.get(pd.api.types.infer_dtype(values, skipna=True), "str")
