"""The key of a run: a digest of what was measured. Records are kept by it, so what has the same key is measured once.

It has the names of the run, the number of its process, the kind of device, the code of the algorithm, the warm-up, and
the content and sources of its graph. How often and how long a run is measured is not in it. Comments and layout of the
code do not count.
"""

import ast
import functools
import hashlib
import importlib.metadata
import json
import re
from pathlib import Path

from warpath.algorithms import discovery
from warpath.base.files import state

JUDGE = 2  # to be raised when a change of this package makes earlier records of all runs incomparable

# A string, a comment, a preprocessor line, a word or number, or another character.
TOKEN = re.compile(
    r"""
    (?P<text> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
    | (?P<comment> //(?:\\\n|[^\n])* | /\*.*?\*/ )
    | (?P<directive> ^[ \t]*\#(?:\\\n|/\*.*?\*/|(?!//)[^\n])* )
    | (?P<word> \w+ )
    | (?P<sign> [^\s\w] )
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
DISTRIBUTIONS = ("{}", "python-{}", "{}-cu12", "{}-cu13")  # names under which a module is installed


def planned(run, warmup, kernels=discovery.KERNELS):
    """Digest all of the key but what the graph decides, which is not known before it is prepared."""
    described = discovery.named(f"{run.problem}/{run.algorithm}", kernels, run.program)
    names = run.graph, run.problem, run.algorithm, run.launch, run.placement, run.device
    return _digest([JUDGE, *names, run.process, warmup, code(described, kernels), _library(described.library)])


def whole(planned, graph_digest, sources):
    """Digest the whole key, with the content of the graph and the vertices that are searched from."""
    return _digest([planned, graph_digest, list(sources)])


def code(described, folder=discovery.KERNELS):
    """Digest the text of an algorithm's code files without comments and layout."""
    files = discovery.code_files(described, folder)
    if described.program:
        return of_files(files)
    return _code(*((path, state(path)) for path in files))


def of_files(paths):
    return _digest([hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in paths])


@functools.cache
def _code(python, *native):
    tokens = [token for file, _ in native for token in _tokens(file.read_text())]
    return _digest([python_text(python[0].read_text()), *tokens])


def python_text(source):
    """Return Python code as it is parsed, without docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


@functools.cache
def _tokens(source):
    found = []
    for match in TOKEN.finditer(source):
        if match.lastgroup == "directive":
            line = re.sub(r"/\*.*?\*/|\\\n", " ", match[0], flags=re.DOTALL)
            found.append(" ".join(line.split()) + "\n")
        elif match.lastgroup != "comment":
            found.append(match[0])
    return found


def _library(module):
    """The version of a peer's library; empty without one."""
    for pattern in DISTRIBUTIONS if module else ():
        try:
            return f"{module} {importlib.metadata.version(pattern.format(module))}"
        except importlib.metadata.PackageNotFoundError:
            continue
    return module or ""


def _digest(parts):
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
