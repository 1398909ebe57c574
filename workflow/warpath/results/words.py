"""Many short texts as one artist: placed as Matplotlib's Text places them, in a third of its time."""

import functools

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.font_manager import FontProperties
from matplotlib.transforms import Bbox

SPACING = 1.2  # of lines, as in Text
LEFT_OF = {"left": 0, "center": 0.5, "right": 1}  # share of a text's width that is left of its place


class Words(Artist):
    """Texts at places of axes, aligned as Text is. `transform` leads from places to the display (default: the data's).

    Texts in cells do not count in the layout of the axes. Add all before drawing.
    """

    def __init__(self, ax, transform=None, ha="center", va="center", zorder=3, in_layout=False, label=""):
        super().__init__()
        self.words, self.sizes = [], {}
        self.ha, self.va = ha, va
        self.set(transform=transform or ax.transData, zorder=zorder, label=label, clip_on=False, in_layout=in_layout)
        ax.add_artist(self)

    def add(self, x, y, text, size, colour=None, weight="normal"):
        if text:
            self.words.append(((x, y), text, _font(size, weight), colour or mpl.rcParams["text.color"]))

    def texts(self):
        return [text for _, text, _, _ in self.words]

    def get_window_extent(self, renderer=None):
        renderer = renderer or self.get_figure(root=True).canvas.get_renderer()
        boxes = [
            Bbox.from_bounds(x, y - descent, width, height)
            for (x, y), (width, height, descent), *_ in self._placed(renderer)
        ]
        return Bbox.union(boxes) if boxes else Bbox.null()

    def draw(self, renderer):
        gc, top = renderer.new_gc(), renderer.get_canvas_width_height()[1]
        for (x, y), _, text, font, colour in self._placed(renderer):
            gc.set_foreground(colour)
            renderer.draw_text(gc, x, top - y if renderer.flipy() else y, text, font, 0)
        gc.restore()

    def _placed(self, renderer):
        """Yield the start of each line's baseline on the display, its size, the line, its font and colour."""
        if not self.words:
            return
        places = self.get_transform().transform([place for place, *_ in self.words])
        for (x, y), (_, text, font, colour) in zip(places.tolist(), self.words, strict=True):
            lines = text.split("\n")
            sizes = [self._size(renderer, line, font) for line in lines]
            baselines, anchors = _baselines(sizes, self._size(renderer, "lp", font))
            for line, size, baseline in zip(lines, sizes, baselines, strict=True):
                yield (x - size[0] * LEFT_OF[self.ha], y + baseline - anchors[self.va]), size, line, font, colour

    def _size(self, renderer, text, font):
        """Width, height and descent of a text, at least as high as a line."""
        key = type(renderer), self.get_figure(root=True).dpi, text, font
        if key not in self.sizes:
            width, height, descent = renderer.get_text_width_height_descent(text, font, False)
            _, line, below = (0, 0, 0) if text == "lp" else self._size(renderer, "lp", font)
            self.sizes[key] = width, max(height, line), max(descent, below)
        return self.sizes[key]


def _baselines(sizes, line):
    """The heights of the baselines of lines, and of each `va`, from the top of a text; `line` is the least size."""
    least, top, baselines = (line[1] - line[2]) * SPACING, 0, []
    for _, height, descent in sizes:
        above = height - descent
        start, top = top, top - (max(least, above * SPACING) if baselines else above)
        baselines.append(top)
        top -= descent
    return baselines, {"top": 0, "bottom": top, "center": top / 2, "center_baseline": (start - above) / 2}


@functools.cache
def _font(size, weight):
    return FontProperties(size=size, weight=weight)
