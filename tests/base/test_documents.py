"""Links in the documents lead to files and headings that exist; the package has the rooms that docs/design.md lists."""

import re

import pytest

from warpath.base import places

FOLDERS = ("config", "docs", "kernels", "resources/bundled")
PAGES = [*places.ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (places.ROOT / folder).rglob("*.md"))]


def _anchors(page):
    """The anchors that headings get on GitHub."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(places.ROOT)))
def test_links_resolve(page):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)
    targets = re.findall(r"\]\((?!https?:)([^()\s]+)\)", text)
    broken = []
    for target in targets:
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        if not file.exists() or (anchor and anchor not in _anchors(file)):
            broken.append(target)
    assert broken == []


def test_a_room_of_the_package_imports_from_itself_and_the_rooms_above_it():
    package, above = places.WORKFLOW / "warpath", {"__version__"}
    rooms = re.findall(r"^\| `(\w+)/` ", (places.ROOT / "docs/design.md").read_text(), re.MULTILINE)
    assert set(rooms) == {path.parent.name for path in package.glob("*/*.py")}
    for room in rooms:
        above.add(room)
        for module in (package / room).rglob("*.py"):
            lines = re.findall(r"^\s*from warpath(?:\.(\w+)| import (.+)$)", module.read_text(), re.MULTILINE)
            assert {name for line in lines for name in re.findall(r"\w+", " ".join(line))} <= above, module
