"""Short texts in the cells of a table, drawn as Matplotlib's Text draws them, in a third of its time."""

import functools

from matplotlib.artist import Artist
from matplotlib.font_manager import FontProperties

from warpath.results import style


class Words(Artist):
    """Lines of text centred at places of axes, which do not count in its layout. Add all before drawing."""

    zorder = 3  # as Text

    def __init__(self, ax):
        super().__init__()
        self.words = []
        self.set_in_layout(False)
        self.set_transform(ax.transData)
        ax.add_artist(self)

    def add(self, x, y, text, size, colour=style.INK, weight="normal"):
        if text:
            self.words.append(((x, y), text, _font(size, weight), colour))

    def texts(self):
        return [text for _, text, _, _ in self.words]

    def draw(self, renderer):
        if not self.words:
            return
        measured = functools.cache(lambda text, font: renderer.get_text_width_height_descent(text, font, False))
        places = self.get_transform().transform([place for place, *_ in self.words])
        top = renderer.get_canvas_width_height()[1]
        gc = renderer.new_gc()
        for (x, y), (_, text, font, colour) in zip(places.tolist(), self.words, strict=True):
            width, height, descent = measured(text, font)
            _, line, below = measured("lp", font)  # the least height of a line, as in Text
            baseline = y + max(descent, below) - max(height, line) / 2
            gc.set_foreground(colour)
            renderer.draw_text(gc, x - width / 2, top - baseline if renderer.flipy() else baseline, text, font, 0)
        gc.restore()


@functools.cache
def _font(size, weight):
    return FontProperties(size=size, weight=weight)
