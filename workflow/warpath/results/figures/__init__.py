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


def draw(name, tables, folder):
    """Write `<folder>/<name>.svg`, `.png` and `.csv` (the data that the picture shows)."""
    from warpath.results import style

    style.apply()
    try:
        picture = importlib.import_module(f"warpath.results.figures.{name}").draw(tables)
    except Nothing as reason:
        draw_failed(name, str(reason), folder)
    else:
        save(picture, name, title_and_caption(name)[0], folder)


def draw_failed(name, reason, folder):
    """Write in place of the figure `name` why it could not be drawn."""
    import matplotlib.pyplot as plt
    import pandas as pd

    figure, title = plt.figure(figsize=(12, 2)), title_and_caption(name)[0]
    figure.text(0.01, 0.5, f"{title}\nNothing to show: {reason}", va="center", wrap=True)
    save(Picture(figure, pd.DataFrame({"reason": [reason]}), reason), name, title, folder)


def save(picture, name, title, folder):
    """Write `<folder>/<name>.svg` and `.png` with a margin around all that is drawn, and any data as `.csv`."""
    import matplotlib.pyplot as plt

    from warpath.results import svg

    figure, drawn, about = picture.figure, io.StringIO(), {"Title": title, "Description": picture.reading}
    if figure.axes and (layout := figure.get_layout_engine()):
        layout.execute(figure)
    figure.set_layout_engine(None)  # `savefig` draws a figure that still has one twice
    box = figure.get_tightbbox().padded(0.2)
    figure.savefig(drawn, format="svg", bbox_inches=box, metadata=about | {"Date": None})
    with atomic(Path(folder, f"{name}.svg")) as temporary:
        temporary.write_text(svg.compact(drawn.getvalue()), encoding="utf-8")
    with atomic(Path(folder, f"{name}.png")) as temporary:  # in a third of the time with this compression
        figure.savefig(temporary, format="png", bbox_inches=box, metadata=about, pil_kwargs={"compress_level": 1})
    if picture.data is not None:
        with atomic(Path(folder, f"{name}.csv")) as temporary:
            picture.data.to_csv(temporary, index=False, float_format="%.6g")
    plt.close(figure)
