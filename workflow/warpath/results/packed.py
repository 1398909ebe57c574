"""Tables as columns for scripts: what the report and comparisons embed, small enough for 10,000 runs.

workflow/report/data.js unpacks them. A column of texts is the list of its distinct texts (`levels`) and for each row an
index into it (`codes`, -1 where empty); any other column is a list of numbers (`values`, null where empty).
"""

import base64
import gzip
import json
import math

import pandas as pd

from warpath.results import columns

DIGITS = 6  # significant digits of a number
TIME = "time"  # the type of a column of dates, as seconds since 1970


def of_summary(summary):
    """The columns of a summary that are not empty, each with its type, unit and meaning."""
    return of_table(summary.drop(columns="record", errors="ignore").dropna(axis="columns", how="all"))


def of_table(table):
    """All columns of a table; those of a summary with their units and meanings."""
    described = {column.name: column for column in columns.SUMMARY}
    packed = [_column(name, values, described.get(name)) for name, values in table.items()]
    return {"rows": len(table), "columns": packed}


def _column(name, values, described):
    about = {"unit": described.unit, "meaning": described.meaning} if described else {"unit": "", "meaning": ""}
    if about["unit"] == "UTC":
        return {"name": name, **about, "type": TIME, "values": _seconds(values)}
    if pd.api.types.is_bool_dtype(values.dtype):
        values = values.map({True: "yes", False: "no"})
    if not (pd.api.types.is_numeric_dtype(values.dtype) or values.isna().all()):
        return {"name": name, **about, "type": "text", **of_texts(values)}
    return {"name": name, **about, "type": "number", "values": [_number(value) for value in values]}


def of_texts(values):
    """Texts as levels and codes; None, NaN and the empty text are empty."""
    known = {}
    codes = [-1 if pd.isna(text) or text == "" else known.setdefault(str(text), len(known)) for text in values]
    return {"levels": list(known), "codes": codes}


def _seconds(values):
    moments = pd.to_datetime(values, utc=True, errors="coerce", format="ISO8601")
    return [None if pd.isna(moment) else int(moment.timestamp()) for moment in moments]


def _number(value):
    if pd.isna(value) or math.isinf(value):
        return None
    return int(value) if float(value).is_integer() else float(f"{value:.{DIGITS}g}")


def text(data):
    """The data as compressed JSON in base64, which no HTML parser can mistake for markup."""
    plain = json.dumps(data, separators=(",", ":"), allow_nan=False).encode()
    return base64.b64encode(gzip.compress(plain, mtime=0)).decode()
