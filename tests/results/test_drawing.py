"""What replaces slow parts of Matplotlib draws the same pixels."""

import io

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from warpath.results import style
from warpath.results.words import Words

PLACES = [(0.2, 0.3, "1.07"), (0.5, 0.5, "two\nlines, gjp"), (0.8, 0.7, "(≈ ○")]


@pytest.fixture
def ax():
    style.apply()
    with mpl.rc_context({"figure.constrained_layout.use": False}):
        yield plt.figure(figsize=(3, 2)).add_axes((0, 0, 1, 1))
    plt.close("all")


def pixels(figure, **options):
    stream = io.BytesIO()
    figure.savefig(stream, format="png", **options)
    return np.asarray(Image.open(stream).convert("RGB"))


@pytest.mark.parametrize("va", ["top", "bottom", "center", "center_baseline"])
@pytest.mark.parametrize("ha", ["left", "center", "right"])
def test_words_are_where_text_would_be(ax, ha, va):
    texts = [
        ax.text(x, y, text, ha=ha, va=va, fontsize=11, fontweight="bold", color="red", in_layout=False)
        for x, y, text in PLACES
    ]
    by_text = pixels(ax.figure)
    renderer = ax.figure.canvas.get_renderer()
    box = np.array([text.get_window_extent(renderer).extents for text in texts])
    for text in texts:
        text.remove()
    words = Words(ax, ha=ha, va=va)
    for x, y, text in PLACES:
        words.add(x, y, text, 11, "red", "bold")
    assert (by_text == pixels(ax.figure)).all() and (by_text == (255, 0, 0)).all(axis=2).any()
    assert words.get_window_extent(renderer).extents == pytest.approx([*box[:, :2].min(0), *box[:, 2:].max(0)])


def test_words_without_text_take_no_room(ax):
    words = Words(ax, in_layout=True)
    words.add(0.5, 0.5, "", 11)
    assert words.texts() == [] and not words.get_window_extent().width > 0


def test_png_has_the_pixels_size_and_metadata_that_matplotlib_writes(ax, tmp_path):
    ax.plot([0, 1], [0, 1], "o-")
    ax.figure.savefig(tmp_path / "own.png", backend="module://warpath.results.png", metadata={"Title": "größer ≈"})
    own = Image.open(tmp_path / "own.png")
    assert own.mode == "RGB" and own.text["Title"] == "größer ≈" and own.info["dpi"] == pytest.approx((144, 144), 1e-3)
    assert (np.asarray(own) == pixels(ax.figure)).all()
