"""The files, beside records, that the tables, figures and page are made from: code, templates and published numbers.

Imports are read from the source text, so that planning a workflow loads no drawing library.
"""

import ast
import functools
from pathlib import Path

from warpath.base.places import WORKFLOW
from warpath.results import claims, figures, published

# Modules that decide what a result says. An edit of any other (paths, messages, file handling) makes no result anew.
SCOPE = ("warpath.results", "warpath.runs.overhead", "warpath.algorithms.bounds")
RESULTS = WORKFLOW / "warpath" / "results"
TEMPLATES = sorted(
    file for pattern in ("page.*", "**/*.js", "**/*.LICENSE") for file in (WORKFLOW / "report").glob(pattern)
)


def of_tables():
    return imported(RESULTS / "gather.py")


def of_figure(name):
    code = imported(figures.source(name), Path(figures.__file__))
    return [*code, *published_for(code)]


def of_page(papers):
    """For a page with the claims of these papers."""
    judging = imported(Path(claims.__file__), *(claims.FOLDER / f"{paper}.py" for paper in papers)) if papers else []
    code = dict.fromkeys([*imported(RESULTS / "page.py"), *judging])
    return [*code, *published_for(judging), *TEMPLATES]


def imported(*files):
    """These source files and all that they import within SCOPE, directly or not."""
    reached, queue = {}, list(files)
    while queue:
        file = queue.pop()
        if file not in reached:
            reached[file] = None
            queue.extend(_imports(file))
    return list(reached)


def published_for(code):
    """The CSV files of published numbers that this code reads, those of the papers that it names, and their reader."""
    nodes = [node for file in code for node in _nodes(file)]
    if not any(isinstance(node, ast.Attribute) and node.attr == "published" for node in nodes):
        return []
    constants = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    tables = sorted(published.FOLDER.glob("*.csv"))
    return [Path(published.__file__), *([table for table in tables if table.stem in constants] or tables)]


@functools.cache
def _nodes(file):
    """The syntax tree as a list; empty for a file that is not valid Python, whose job will report that."""
    try:
        return list(ast.walk(ast.parse(file.read_text())))
    except SyntaxError:
        return []


@functools.cache
def _imports(file):
    names = [name for node in _nodes(file) for name in _imported_names(node)]
    return [source for source in map(_source, names) if source]


def _imported_names(node):
    """Dotted names of what a statement imports: of `from a import b`, a.b where that is a module, else a."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        names = [f"{node.module}.{alias.name}" for alias in node.names]
        return [name if _source(name) else node.module for name in names]
    return []


@functools.cache
def _source(module):
    """The source file of a module within SCOPE, or None."""
    if not (module or "").startswith(SCOPE):
        return None
    path = WORKFLOW.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.exists()), None)
