"""Make an SVG of matplotlib small, and let it follow the colour scheme of its reader.

Repeated styles become classes, numbers lose digits, names are counted, and what nobody sees goes. In a dark scheme
the colours of warpath.results.style are replaced; those of cells, with an ink of their own, stay.
"""

import re

from warpath.results import style

TAG = re.compile(r"<[a-zA-Z/][^>]*>")  # in texts, < is escaped
STYLE = re.compile(r' style="([^"]*)"')
LONG = re.compile(r"-?\d+\.\d{2,}")
NAME = re.compile(r'( id="|href="#|url\(#)([^")]+)')
COMMAND = re.compile(r"\s+(?=[MLQCZz][\s\"]|\")|(?<=[MLQC])\s+")
UNUSED = re.compile(r'(?<=<g) id="[^"]*"| transform="rotate\(-0 [^"]*"')
NOTHING = 'style="fill: none; stroke: #ffffff"/>'  # a cell without words
FONT = re.compile(r"'[^']*'(?:, '[^']*')*, (?=sans-serif)")


def compact(text):
    """The same picture in fewer bytes, with a style sheet for both schemes."""
    classes, names, groups = {}, {}, []

    def shorten(tag):
        tag = UNUSED.sub("", tag[0])
        if tag.startswith("<g") and not tag.endswith("/>"):
            groups.append(tag != "<g>")
        if tag == "<g>" or tag.endswith(NOTHING) or (tag == "</g>" and not groups.pop()):
            return ""
        tag = NAME.sub(lambda name: name[1] + names.setdefault(name[2], f"n{len(names)}"), tag)
        tag = COMMAND.sub("", tag) if " d=" in tag else tag
        tag = STYLE.sub(lambda each: f' class="{classes.setdefault(FONT.sub("", each[1]), f"c{len(classes)}")}"', tag)
        return LONG.sub(lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), tag)

    body = re.sub(r"\n\s+", "\n", TAG.sub(shorten, text))
    nights, rules = style.night(), [f".{name}{{{declared}}}" for declared, name in classes.items()]
    turned = [re.sub(r"#\w{6}", lambda colour: nights.get(colour[0], colour[0]), rule) for rule in rules]
    dark = "".join(sorted(set(turned).difference(rules)))
    sheet = f"{''.join(rules)}\n@media screen and (prefers-color-scheme: dark){{{dark}}}</style>"
    return body.replace("</style>", sheet, 1)
