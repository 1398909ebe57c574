import json
import re
import shutil

import pandas as pd
import pytest
import synthetic
from test_studies import PAPERS

from warpath import cli
from warpath.base import places
from warpath.results import charts, claims, publish
from warpath.runs import plan

SETTINGS = ["--settings", json.dumps({"study": "quickstart"})]
HOSTILE = "went | wrong <script>alert(1)</script> [here](x)"


@pytest.fixture
def results(begin, tmp_path):
    """The results of a finished workflow: three sound runs, a wrong one, and one with a hostile message."""
    records = [
        *[synthetic.record(launch=launch) for launch in ("b64", "b256")],
        synthetic.record(algorithm="bfs/cpu_queue", launch="default", device="cpu"),
        synthetic.record(algorithm="sssp/racy", status="wrong"),
        synthetic.record(algorithm="sssp/two_kernel", status="out_of_memory", error=HOSTILE),
    ]
    records[0]["environment"] |= {"device_name": HOSTILE, HOSTILE: 1}
    for sample in records[3]["samples"]:
        sample["wrong_vertices"] = 3353 // 2
    skipped = (("bfs/peer_igraph", "igraph is not installed"),)
    begin(*records, name="quickstart", figures=["speedup"], claims=["pathak2021", "harish2007"], skipped=skipped)
    cli.main(["gather", *SETTINGS])
    cli.main(["figure", "speedup"])
    return tmp_path


def test_study_becomes_a_folder_with_page_figures_and_tables(results, capsys):
    (results / "mine").mkdir()
    (results / "mine/earlier.svg").touch()
    assert cli.main(["publish", "mine", *SETTINGS]) == 0
    files = sorted(path.name for path in (results / "mine").iterdir())
    assert files == ["README.md", "claims.csv", "page.json", "speedup.svg", "summary.csv", "timings.parquet"]
    text = (results / "mine/README.md").read_text()
    title, answer = [line for line in text.splitlines() if line][:2]
    assert title.startswith("# ") and "runs gave right answers" in answer
    assert "folded away" not in text, "nothing is folded on this page"
    assert "5 runs: 3 ok, 1 wrong answer, 1 out of memory" in text
    assert "- CPU, sequential: Example CPU; 1 run, 4 sources and 20 samples a run, " in text
    assert "Left out: bfs/peer\\_igraph, because igraph is not installed." in text
    assert "| wrong answer | sssp/racy | rome99 | 1 | 50 % of the compared distances |" in text
    repeated = "To repeat it at commit 0123456789ab, with graphs that are bundled, generated or in a mirror"
    assert repeated in text and "snakemake --cores 1 --resources gpu=1 --config study=quickstart\n" in text
    assert "](speedup.svg)" in text and "**holds**" in text
    assert len(pd.read_csv(results / "mine/summary.csv")) == 5
    assert len(pd.read_csv(results / "mine/claims.csv")) > 5


def test_runs_of_a_checkout_with_changes_are_not_published(results, capsys):
    record = synthetic.record(launch="b64")
    record["environment"]["commit"] = "0123456789ab-dirty"
    synthetic.write(results / "results/runs", record)
    cli.main(["gather", *SETTINGS])
    assert cli.main(["publish", "other", *SETTINGS]) == 2
    assert "1 of 5 runs were measured in a checkout with changes (0123456789ab-dirty)" in capsys.readouterr().err
    assert not (results / "other").exists()


def test_published_rows_are_of_commits_or_named_in_the_document():
    """Some were measured before rows of a checkout with changes were refused."""
    text = " ".join((places.ROOT / "docs/h200/README.md").read_text(encoding="utf-8").split())
    for file in places.ROOT.glob("docs/h200/*/summary.csv"):
        rows = len(publish.uncommitted(pd.read_csv(file)))
        assert not rows or f" {rows} of {file.parent.name}'" in text, f"{file}: {rows} rows with -dirty"


def test_hostile_text_stays_text(results):
    cli.main(["publish", "mine", *SETTINGS])
    lines = [line for line in (results / "mine/README.md").read_text().splitlines() if "went" in line]
    # Pipes of a run's end, of the line on devices, of a value and of a name in the environment.
    assert [line.replace(r"\|", "").count("|") for line in lines] == [6, 0, 3, 3]
    for line in lines:
        assert r"\<script\>" in line and r"\[here\]" in line


def test_what_cannot_be_published_is_one_line(results, begin, capsys):
    def refused(*arguments):
        assert cli.main(["publish", *arguments]) == 2
        return capsys.readouterr().err

    cli.main(["publish", "mine", *SETTINGS])
    (results / "mine/page.json").unlink()
    assert refused("mine", "--again").endswith("was it written by publish?\n")
    begin(synthetic.record(), name="rejaud")
    assert refused("other", *SETTINGS).endswith("holds the runs of quickstart, not of rejaud; choose with --study\n")
    (results / places.SUMMARY).unlink()
    assert refused("other", *SETTINGS) == f"warpath: {places.SUMMARY}: not found; run the workflow first\n"
    assert not (results / "other").exists()


def test_a_page_is_made_again_from_its_own_tables(results, monkeypatch):
    cli.main(["publish", "mine", *SETTINGS])
    folder = results / "mine"
    before = (folder / "README.md").read_text()
    tables = {name: (folder / name).read_bytes() for name in ("summary.csv", "timings.parquet")}
    described = {"title": "A new title", "description": "New.", "figures": ["time_by_algorithm"], "claims": []}
    monkeypatch.setattr(plan.schemas, "read", lambda path, schema: described)
    shutil.rmtree(results / "results")
    assert cli.main(["publish", "mine", "--again"]) == 0
    after = (folder / "README.md").read_text()
    assert after.startswith("# A new title") and "](time_by_algorithm.svg)" in after
    assert after.partition("## Environment")[2] == before.partition("## Environment")[2]
    assert "Left out: bfs/peer" in after
    assert {name: (folder / name).read_bytes() for name in tables} == tables
    assert not (folder / "claims.csv").exists() and not (folder / "speedup.svg").exists()


def test_rows_without_a_record_or_a_program_are_those_of_the_folder(results, begin):
    cli.main(["publish", "mine", *SETTINGS])
    before = pd.read_csv("mine/summary.csv", index_col=["algorithm", "launch"])
    shutil.rmtree("results/runs")
    new, waiting = synthetic.record(launch="b64", median_ms=77, device="cuda"), ("rome99", "bfs/level", "b256", "cuda")
    begin(new, missing=[waiting], name="quickstart", skipped=(("bfs/cpu_queue", "not built"),))
    (results / "mine/probe.json").write_text(json.dumps(synthetic.RATES))
    cli.main(["gather", *SETTINGS])
    assert cli.main(["publish", "mine", "--newer"]) == 0
    after = pd.read_csv("mine/summary.csv", index_col=["algorithm", "launch"])
    assert sorted(after.index.map("/".join)) == ["bfs/cpu_queue/default", "bfs/level/b256", "bfs/level/b64"]
    changed = after[after["median_ms"] != before["median_ms"].reindex(after.index)]
    assert changed["median_ms"].item() == pytest.approx(77, rel=0.2) and changed["percent_of_limit"].item() > 0


PUBLISHED = sorted(file.parent.name for file in places.ROOT.glob("docs/h200/*/summary.csv"))


@pytest.mark.parametrize("study", PUBLISHED)
def test_a_published_page_is_what_its_tables_give(tmp_path, monkeypatch, study):
    """With its first sentences, every claim by its numbers and marks, what was measured on what, and what ended how."""
    published, folder = places.ROOT / "docs/h200" / study, tmp_path / study
    monkeypatch.setattr(charts, "draw", lambda name, tables, drawn: shutil.copy(published / f"{name}.svg", drawn))
    shutil.copytree(published, folder)
    assert cli.main(["publish", str(folder), "--again"]) == 0
    summary = pd.read_csv(folder / "summary.csv")
    parts = summary.reindex(columns=["phase_filter_ms", "phase_compute_ms"]).sum(axis=1)
    assert not len(summary[parts > summary["median_ms"]])
    for file in [published / "README.md", *published.glob("claims.csv")]:
        assert (folder / file.name).read_text() == file.read_text(), f"run: warpath publish {published} --again"


SPANS = """source-order-faster source-order-faster-in-core to-process-edge-indifferent-to-order largest-block-fastest
configuration-hardly-matters to-process-edge-always-pays to-process-edge-faster-out-of-core to-process-edge-faster
two-flags-faster two-flags-faster-with-many-edges blocked-beats-gpu blocked-beats-cpu scan-suits-sparse"""


def test_the_front_pages_count_the_verdicts_and_tell_the_numbers_of_the_published_tables():
    tables = [places.ROOT / "docs/h200" / paper / "claims.csv" for paper in PAPERS]
    judged = pd.concat(pd.read_csv(table) for table in tables if table.exists()).fillna({"apart": ""})
    counts, apart = claims.counted(judged.itertuples())
    partly, fails = "{direction holds} hold in direction but not in size", "{does not hold} do not hold"
    told = f"hold, {partly}, {fails}, and for {{depends}} it depends".format(**counts)
    words = [" ".join((places.ROOT / page).read_text().split()) for page in ("README.md", "docs/h200/README.md")]
    assert [text.count(told) and f" {counts['holds']} " in text for text in words] == [True, True]
    assert claims.apart_in_words(apart).rstrip(".") in words[1]
    found = judged.set_index("name")["found"][SPANS.split()]
    spans = [" to ".join(re.findall(r"(?:from|to) ([\d.]+)×", each)[:2]) for each in found]
    assert [span for span in spans if span not in words[1]] == []
