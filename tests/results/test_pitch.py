"""The picture of the front page, drawn from published tables."""

from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

from warpath import cli
from warpath.results import claims, libraries, pitch, style

PUBLISHED = Path(__file__).parents[2] / "docs/h200"
README = Path(__file__).parents[2] / "README.md"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A folder with links to the published studies, and the picture."""
    folder = tmp_path_factory.mktemp("published")
    for study in PUBLISHED.iterdir():
        if study.is_dir():
            (folder / study.name).symlink_to(study)
    assert cli.main(["pitch", str(folder)]) == 0
    return folder


def test_factors_are_those_over_the_fastest_gpu_library_and_sorted(drawn):
    table = pd.read_csv(drawn / "pitch.csv").dropna(subset="speedup")
    assert set(table.loc[table["problem"] != "apsp", "device"]) <= set(libraries.ON_GPU)
    for _, rows in table.groupby("problem"):
        assert rows["speedup"].is_monotonic_increasing
        assert (rows["speedup_low"] <= rows["speedup"]).all() and (rows["speedup"] <= rows["speedup_high"]).all()
    assert {"bfs", "sssp", "apsp"} == set(table["problem"])


def test_every_judged_claim_of_a_paper_is_in_the_strip(drawn):
    table = pd.read_csv(drawn / "pitch.csv").dropna(subset="verdict")
    for paper, rows in table.groupby("paper"):
        judged = pd.read_csv(PUBLISHED / paper / "claims.csv")
        judged = judged[(judged["paper"] == paper) & ~judged["verdict"].isin([claims.UNMEASURED, claims.REMARK])]
        assert sorted(rows["name"]) == sorted(judged["name"])


def test_it_is_at_most_400_pixels_high_on_the_page_and_dark_differs_only_in_colours(drawn):
    light, dark = ((drawn / f"pitch-{scheme}.svg").read_text() for scheme in ("light", "dark"))
    _, _, width, height = map(float, ElementTree.fromstring(light).get("viewBox").split())
    assert height * 830 / width <= 400
    assert len(light) == len(dark) and style.INK.lower() in light and style.INK.lower() not in dark


def test_dark_scheme_leaves_other_colours_alone():
    assert style.darkened("fill: #222222; stroke: #abcdef") == f"fill: {style.DARK_SCHEME[style.INK]}; stroke: #abcdef"


def test_the_front_page_shows_what_the_published_tables_give():
    text = README.read_text()
    factors = pd.read_csv(PUBLISHED / "pitch.csv").dropna(subset="speedup")
    for problem in ("bfs", "sssp"):
        rows = factors[factors["problem"] == problem]
        assert f"{style.factor(rows['speedup'].min())[:-1]} to {style.factor(rows['speedup'].max())}" in text
    assert "prefers-color-scheme: dark" in text and "warpath pitch docs/h200" in text


def test_the_front_page_and_the_picture_count_the_claims_of_the_published_tables():
    verdicts = pd.read_csv(PUBLISHED / "pitch.csv").query("paper != 'frontier'")["verdict"].dropna().value_counts()
    holds, direction, fails, depends = verdicts[["holds", "direction holds", "does not hold", "depends"]]
    alternative, prose = README.read_text().split("</picture>")
    said = f"{verdicts.sum()} claims of papers, measured again"
    assert (
        f"Of {said}, {holds} hold, {direction} hold in direction but not in size, {depends} depend and" in alternative
    )
    assert f"and {fails} do not hold" in alternative
    assert f"{holds} claims of the five papers hold, {direction} hold in direction but not in size" in prose
    assert f"{fails} do not hold, and for {depends} it" in prose
    for scheme in ("light", "dark"):
        assert f"{said}: ✓ {holds} hold" in (PUBLISHED / f"pitch-{scheme}.svg").read_text()


def test_the_index_of_published_studies_counts_the_verdicts_of_their_claims():
    verdicts = (claims.HOLDS, claims.PARTLY, claims.FAILS, claims.DEPENDS, claims.UNMEASURED)
    text = (PUBLISHED / "README.md").read_text()
    for study in ("harish2007", "singh2017", "agarwal2015", "rejaud", "pathak2021", "frontier"):
        table = pd.read_csv(PUBLISHED / study / "claims.csv").query(f"paper == {study!r}")
        runs = len(pd.read_csv(PUBLISHED / study / "summary.csv"))
        counts = " | ".join(str(sum(table["verdict"] == verdict)) for verdict in verdicts)
        assert f"| [{study}]({study}/README.md) | {runs} | {counts} |" in text


def test_a_folder_without_the_study_is_named(tmp_path):
    with pytest.raises(pitch.UserError, match="holds no published study"):
        pitch.over_fastest(tmp_path / "frontier")
