"""Many short texts as one artist: placed as Matplotlib's Text places a line, in a third of its time."""

import functools

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.font_manager import FontProperties
from matplotlib.transforms import Bbox

LEFT_OF = {"left": 0, "center": 0.5, "right": 1}  # share of a text's width that is left of its place


class Words(Artist):
    """Lines of text at places of axes. `transform` leads from places to the display; the default is the data's.

    `va` is "center", or "center_baseline" for the middle of what is above the baseline. Texts in cells do not count in
    the layout of the axes. Add all before drawing.
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
        renderer = renderer or self.get_figure(root=True)._get_renderer()
        boxes = [
            Bbox.from_bounds(x, y - descent, width, height)
            for (x, y), (width, height, descent), _ in self._placed(renderer)
        ]
        return Bbox.union(boxes) if boxes else Bbox.null()

    def draw(self, renderer):
        gc, top = renderer.new_gc(), renderer.get_canvas_width_height()[1]
        for (x, y), _, (_, text, font, colour) in self._placed(renderer):
            gc.set_foreground(colour)
            renderer.draw_text(gc, x, top - y if renderer.flipy() else y, text, font, 0)
        gc.restore()

    def _placed(self, renderer):
        """Yield the start of each text's baseline on the display, its size, and the text as it was added."""
        if not self.words:
            return
        places = self.get_transform().transform([place for place, *_ in self.words])
        for (x, y), word in zip(places.tolist(), self.words, strict=True):
            width, height, descent = size = self._size(renderer, *word[1:3])
            above = height - descent
            yield (x - width * LEFT_OF[self.ha], y - (above - descent if self.va == "center" else above) / 2), size, word

    def _size(self, renderer, text, font):
        """Width, height and descent of a text, at least as high as a line."""
        key = type(renderer), self.get_figure(root=True).dpi, text, font
        if key not in self.sizes:
            width, height, descent = renderer.get_text_width_height_descent(text, font, False)
            _, line, below = (0, 0, 0) if text == "lp" else self._size(renderer, "lp", font)
            self.sizes[key] = width, max(height, line), max(descent, below)
        return self.sizes[key]


@functools.cache
def _font(size, weight):
    return FontProperties(size=size, weight=weight)
