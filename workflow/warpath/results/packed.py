"""Tables as columns for scripts: what the report and comparisons embed, small enough for 10,000 runs.

workflow/report/data.js unpacks them. A column of texts is the list of its distinct texts (`levels`) and for each row an
index into it (`codes`, -1 where empty); any other column is a list of numbers (`values`, null where empty). Dates are
seconds since 1970.
"""

import base64
import gzip
import json
import math

import pandas as pd

from warpath.results import columns

DIGITS = 6  # significant digits of a number


def of_table(table, described=columns.SUMMARY):
    """All columns of a table; those that are described with their units and meanings."""
    known = {column.name: {"unit": column.unit, "meaning": column.meaning} for column in described}
    packed = []
    for name, values in table.items():
        about = known.get(name, {"unit": "", "meaning": ""})
        packed.append({"name": name, **about, **_column(values, about["unit"])})
    return {"rows": len(table), "columns": packed}


def _column(values, unit):
    if unit == "UTC":
        moments = pd.to_datetime(values, utc=True, errors="coerce", format="ISO8601")
        return {"type": "time", "values": [None if pd.isna(moment) else int(moment.timestamp()) for moment in moments]}
    if pd.api.types.is_bool_dtype(values.dtype):
        values = values.map({True: "yes", False: "no"})
    if not (pd.api.types.is_numeric_dtype(values.dtype) or values.isna().all()):
        return {"type": "text", **of_texts(values)}
    return {"type": "number", "values": [_number(value) for value in values]}


def of_texts(values):
    """Texts as levels and codes; None, NaN and the empty text are empty."""
    known = {}
    codes = [-1 if pd.isna(text) or text == "" else known.setdefault(str(text), len(known)) for text in values]
    return {"levels": list(known), "codes": codes}


def _number(value):
    if pd.isna(value) or math.isinf(value):
        return None
    return int(value) if float(value).is_integer() else float(f"{value:.{DIGITS}g}")


def text(data):
    """The data as compressed JSON in base64, which no HTML parser can mistake for markup."""
    plain = json.dumps(data, separators=(",", ":"), allow_nan=False).encode()
    return base64.b64encode(gzip.compress(plain, mtime=0)).decode()
