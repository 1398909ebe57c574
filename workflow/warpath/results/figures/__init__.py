"""One figure per file, each with a docstring (title, blank line, caption) and a function `draw(tables) -> Picture`.

`tables` is the Evidence of a study. Such a file is all that a figure needs: studies name it, `warpath figure` draws it,
and the pages take its title and caption from the docstring. Without data the reason is drawn in its place.
"""

import ast
from collections import namedtuple
from pathlib import Path

from warpath.base import errors

FOLDER = Path(__file__).parent
FORMATS = ["png", "pdf"]  # beside SVG, for slides and papers
# A drawn figure, the table of exactly what it shows, and its main result in a sentence, the alternative text.
Picture = namedtuple("Picture", "figure data reading")


class Nothing(Exception):
    """The reason why there is nothing to draw."""


def require(rows, reason):
    if not len(rows):
        raise Nothing(reason)


def names():
    return sorted(file.stem for file in FOLDER.glob("[a-z]*.py"))


def known(required, by=""):
    """Return the `required` names; UserError, beginning with `by`, when one of them has no file."""
    return errors.require_known(required, names(), "there is no figure", "Figures", by)


def title_and_caption(name):
    """Read both from the docstring without importing the drawing libraries."""
    title, _, caption = ast.get_docstring(ast.parse(Path(FOLDER, f"{name}.py").read_text())).partition("\n")
    return title.rstrip("."), " ".join(caption.split())
