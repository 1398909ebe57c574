"""One figure per file, each with a docstring (title, blank line, caption) and a function `draw(tables) -> Picture`.

`tables` is the Evidence of a study. Such a file is all that a figure needs: studies name it, `warpath figure` draws it,
and the pages take its title and caption from the docstring. A figure without data raises Nothing with the reason, which
is then drawn in its place.
"""

import ast
import importlib
import io
from pathlib import Path
from typing import Any, NamedTuple

from warpath.base import errors
from warpath.base.files import atomic

FOLDER = Path(__file__).parent
FORMATS = ["png", "pdf"]  # beside SVG, for slides and papers


class Picture(NamedTuple):
    """A drawn figure, the table of exactly what it shows, and its main result in a sentence, the alternative text."""

    figure: Any
    data: Any
    reading: str


class Nothing(Exception):
    """The reason why there is nothing to draw."""


def names():
    return sorted(file.stem for file in FOLDER.glob("[a-z]*.py"))


def known(required, by=""):
    """Return the `required` names; UserError, beginning with `by`, when one of them has no file."""
    return errors.require_known(required, names(), "there is no figure", "Figures", by)


def title_and_caption(name):
    """Read both from the docstring without importing the drawing libraries."""
    title, _, caption = ast.get_docstring(ast.parse(Path(FOLDER, f"{name}.py").read_text())).partition("\n")
    return title.rstrip("."), " ".join(caption.split())


def draw(name, tables, folder, also=()):
    """Write `<folder>/<name>.svg`, `.csv` (the data that the picture shows), and further formats, as png or pdf."""
    from warpath.results import style

    style.apply()
    try:
        picture = importlib.import_module(f"warpath.results.figures.{name}").draw(tables)
    except Nothing as reason:
        draw_failed(name, str(reason), folder)
    else:
        save(picture, name, title_and_caption(name)[0], folder, also)


def draw_failed(name, reason, folder):
    """Write in place of the figure `name` why it could not be drawn."""
    import matplotlib.pyplot as plt
    import pandas as pd

    figure, title = plt.figure(figsize=(12, 2)), title_and_caption(name)[0]
    figure.text(0.01, 0.5, f"{title}\nNothing to show: {reason}", va="center", wrap=True)
    save(Picture(figure, pd.DataFrame({"reason": [reason]}), reason), name, title, folder)


def save(picture, name, title, folder, also=()):
    """Write `<folder>/<name>.svg` and other formats with a margin around all that is drawn, and any data as `.csv`."""
    import matplotlib.pyplot as plt

    from warpath.results import svg

    figure, drawn, about = picture.figure, io.StringIO(), {"Title": title}
    described = about | {"Description": picture.reading, "Date": None}
    if figure.axes and (layout := figure.get_layout_engine()):
        layout.execute(figure)
    figure.set_layout_engine(None)  # `savefig` draws a figure that still has one twice
    box = figure.get_tightbbox().padded(0.2)
    figure.savefig(drawn, format="svg", bbox_inches=box, metadata=described)
    with atomic(Path(folder, f"{name}.svg")) as temporary:
        temporary.write_text(svg.compact(drawn.getvalue()), encoding="utf-8")
    for kind in FORMATS:
        Path(folder, f"{name}.{kind}").unlink(missing_ok=True)  # of earlier tables
    for kind in also:
        figure.savefig(Path(folder, f"{name}.{kind}"), bbox_inches=box, metadata=about)
    if picture.data is not None:
        with atomic(Path(folder, f"{name}.csv")) as temporary:
            picture.data.to_csv(temporary, index=False, float_format="%.6g")
    plt.close(figure)
