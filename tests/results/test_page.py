"""The report: its content, its safety against hostile text, and its behaviour in a browser."""

import base64
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import browser
import pytest
import synthetic

from warpath.results import claims, figures, frames, page, published
from warpath.results.evidence import Evidence

SETTINGS = {"study": "quickstart", "device": "host", "timing": {"sources": 4}}
EVIL = '"><script>document.title="owned"</script><img src=x onerror=alert(1)>'


def build(
    folder, records, drawn=("time_by_algorithm", "launch_heatmap"), papers=("singh2017", "pathak2021"), **options
):
    """Write a whole results/ folder for these records; return the path of the page."""
    results = Path(folder, "results")
    tables = synthetic.tables(results / "runs", *records, figures=drawn, claims=papers, **options)
    frames.write(tables.timings, results / "timings.parquet")
    frames.write(tables.summary, results / "summary.csv")
    timings, summary = frames.read(results / "timings.parquet", results / "summary.csv")
    data = figures.Tables(timings, summary, published.read())
    for name in drawn:
        figures.draw(name, data, results / "figures")
    judged = claims.judge(papers, Evidence(*data))
    study = replace(tables.study, title=options.get("name", "A study"))
    page.write(study, SETTINGS, timings, summary, judged, results / "figures", results / "report.html")
    return results / "report.html"


class Reader(HTMLParser):
    """A page as a list of tags with attributes, and its visible text by section."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.sections, self.here, self.silent = [], {}, None, 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag == "section":
            self.here = dict(attributes)["id"]
        self.silent += tag in ("script", "style")

    def handle_endtag(self, tag):
        self.here = None if tag == "section" else self.here
        self.silent -= tag in ("script", "style")

    def handle_data(self, data):
        if self.here and not self.silent:
            self.sections[self.here] = self.sections.get(self.here, "") + data

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def endings():
    yield from synthetic.quickstart()
    yield synthetic.record("rome99", "sssp/bellman_ford", status="timeout", error="not finished after 240 s")
    wrong = synthetic.record("rome99", "sssp/racy", status="wrong", error="17 wrong vertices")
    wrong["samples"][0]["wrong_vertices"] = 17
    yield wrong
    yield synthetic.record("rome99", "bfs/queue", status="failed", error="CUDA_ERROR_ILLEGAL_ADDRESS")
    yield synthetic.record("rome99", "bfs/scan", status="out_of_memory", error="needs 3 TB")
    yield synthetic.record("rome99", "bfs/frontier", "b1024", status="unsupported", error="too many threads")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return build(tmp_path_factory.mktemp("page"), list(endings()), missing=[("rome99", "bfs/frontier", "b64", "host")])


@pytest.fixture(scope="module")
def read(report):
    return Reader(report.read_text())


def test_page_is_self_contained(report, read):
    text = report.read_text()
    assert not re.search(r"""(src|href|url)\s*[=(]\s*["']?\s*(https?:)?//""", text)
    assert "@import" not in text and not read.all("iframe") and not read.all("link")[1:]
    policy = next(
        attributes["content"]
        for attributes in read.all("meta")
        if "content" in attributes and "-src" in attributes["content"]
    )
    assert "default-src 'none'" in policy
    assert all(image["src"].startswith("data:image/svg+xml;base64,") for image in read.all("img"))


def test_figures_have_alternatives_and_their_data(read):
    images = read.all("img")
    assert len(images) == 2
    assert images[0]["alt"].startswith("Time by algorithm and graph. The kernels ran in CPU emulation")
    assert b"<svg" in base64.b64decode(images[0]["src"].split(",")[1])
    assert "median ms" in read.sections["figures"] and "email-Eu-core" in read.sections["figures"]


def test_runs_without_a_right_answer_are_listed_with_their_messages(read):
    text = read.sections["endings"]
    for words in ("not finished after 240 s", "17 wrong vertices", "CUDA_ERROR_ILLEGAL_ADDRESS", "needs 3 TB"):
        assert words in text
    assert "too many threads" in text and "not run yet" in text
    assert text.index("Failed (1)") < text.index("Wrong answer (1)") < text.index("Timed out (1)")


def test_emulation_is_noted_at_the_top(report):
    assert "times say nothing about a GPU" in report.read_text().split("<main")[0]


def test_every_row_links_to_its_record(report, read):
    rows = [attributes for attributes in read.all("tr") if "data-status" in attributes]
    assert len(rows) == len(list(endings())) + 1
    links = [attributes["href"] for attributes in read.all("a") if attributes["href"].startswith("runs/")]
    assert len(links) == len(rows) - 1  # one run is missing
    for link in links:
        assert json.loads(Path(report.parent, unquote(link)).read_text())["format"] == 1


def test_claims_come_with_verdict_place_and_reason(read):
    text = read.sections["claims"]
    assert "holds 1" in text and "singh2017, section 5" in text and "This study does not run" in text
    wrong = next(attributes for attributes in read.all("tr") if attributes.get("id") == "claim-pathak2021-racy-wrong")
    assert wrong


def test_job_overhead_adds_up(read):
    text = " ".join(read.sections["costs"].split())
    jobs = len(list(endings()))
    assert f"{jobs} jobs measured for {jobs * 0.2:.1f} s and waited 0.0 s for a device" in text
    assert f"Job overhead: {jobs * 0.4:.1f} s, 0.40 s per job, 67 % of their time" in text


def test_environment_and_commands(read):
    text = read.sections["environment"]
    for words in (
        "snakemake --cores 1 --resources gpu=1 --config study=quickstart",
        "Example CPU",
        "numpy 2.4.6",
        "0123456789ab",
    ):
        assert words in text
    assert "python -m warpath run" in text and "sources: 4" in text


def test_runs_from_different_environments_are_told_apart(tmp_path):
    other = synthetic.record(launch="b64")
    other["environment"]["driver"] = "999.1"
    first = synthetic.record()
    first["environment"]["driver"] = "580.5"
    text = Reader(build(tmp_path, [first, other], drawn=()).read_text()).sections["environment"]
    assert "999.1" in text and "580.5" in text and "(1 runs)" in text


def test_every_entry_of_the_environment_is_shown_except_those_of_one_run(tmp_path):
    record = synthetic.record()
    record["environment"] |= {"nvrtc": "13.2", "software": {"cupy": "13.6.0"}}
    record["environment"] |= {"sensors_before": {"load": 0.123}, "worker": {"process": 4711}}
    text = Reader(build(tmp_path, [record], drawn=()).read_text()).sections["environment"]
    assert "nvrtc" in text and "13.2" in text and "cupy 13.6.0" in text
    assert "0.123" not in text and "4711" not in text


def test_stand_ins_are_named_at_the_top(tmp_path):
    record = synthetic.record("web-Google.stand-in", stand_in_for="web-Google")
    top = build(tmp_path, [record], drawn=()).read_text().split("<main")[0]
    assert "web-Google.stand-in is a generated graph that stands in for web-Google" in top


def test_hostile_text_stays_text(tmp_path):
    record = synthetic.record("rome99", status="failed", error=EVIL)
    record["environment"] |= {"device_name": EVIL, "software": EVIL, "commit": EVIL}
    record["command"] = EVIL
    record["flags"] = [EVIL]
    text = build(
        tmp_path, [record, synthetic.record(f"x{EVIL}".replace("/", "|"), flags=[EVIL])], name=EVIL
    ).read_text()
    assert "<script>document" not in text and "<img src=x" not in text
    assert len(Reader(text).all("script")) == 1
    assert "&lt;script&gt;document" in text


def test_missing_or_damaged_record_does_not_stop_the_page(tmp_path):
    records = [synthetic.record(), synthetic.record(launch="b64")]
    results = tmp_path / "results"
    tables = synthetic.tables(results / "runs", *records)
    (results / "runs/rome99/bfs/level/b64.json").unlink()
    (results / "runs/rome99/bfs/level/b256.json").write_text("[]")
    page.write(tables.study, SETTINGS, tables.timings, tables.summary, [], results / "figures", results / "report.html")
    assert "none" in Reader((results / "report.html").read_text()).sections["runs"]


def test_figure_that_was_not_drawn_is_noted(tmp_path):
    results = tmp_path / "results"
    tables = synthetic.tables(results / "runs", synthetic.record(), figures=["speedup"])
    page.write(tables.study, SETTINGS, tables.timings, tables.summary, [], results / "figures", results / "report.html")
    assert "could not be drawn" in (results / "report.html").read_text()


@pytest.fixture(scope="module")
def chromium():
    if browser.missing():
        pytest.skip(browser.missing())
    with browser.chromium() as running:
        yield running


@pytest.fixture
def opened(chromium, report):
    chromium.console()
    chromium.open(report.as_uri())
    yield chromium
    assert chromium.console() == []


CELLS = "#table tbody tr:not([hidden]) td:nth-child"
COLUMN = f"return [...document.querySelectorAll('{CELLS}(' + arguments[0] + ')')].map(c => c.textContent)"


def test_sorting_by_number_and_by_name(opened):
    median = "#table th:nth-child(6) button"
    values = "return [...document.querySelectorAll('#table tbody tr td:nth-child(6)')].map(c => c.dataset.value)"
    opened.click(median)
    up = [float(value) for value in opened.script(values) if value]
    assert up == sorted(up) and len(up) > 20
    assert opened.script(values)[-1] == ""  # rows without a time stay last
    opened.click(median)
    assert [float(value) for value in opened.script(values) if value] == sorted(up, reverse=True)
    assert opened.script(values)[-1] == ""
    assert opened.script("return document.querySelector('#table th:nth-child(6)').ariaSort") == "descending"
    opened.click("#table th:nth-child(3) button")
    launches = [launch for launch in opened.script(COLUMN, 3) if launch.startswith("b")]
    assert launches == sorted(launches, key=lambda launch: int(launch[1:]))  # b64 before b1024


def test_filtering_by_text_and_by_choice(opened):
    everything = len(opened.script(COLUMN, 1))
    opened.type("#find", "gnutella two_kernel")
    assert set(opened.script(COLUMN, 2)) == {"sssp/two_kernel"} and set(opened.script(COLUMN, 1)) == {"p2p-Gnutella08"}
    assert opened.script("return document.getElementById('shown').textContent") == f"5 of {everything} runs"
    opened.click("#filters button[type=reset]")
    opened.script("return new Promise(done => setTimeout(done, 50))")
    assert len(opened.script(COLUMN, 1)) == everything
    opened.click("#filters select[data-filter=status] option:nth-child(2)")
    chosen = opened.script("return document.querySelector('#filters select[data-filter=status]').value")
    shown = opened.script(
        "return [...document.querySelectorAll('#table tbody tr:not([hidden])')].map(r => r.dataset.status)"
    )
    assert set(shown) == {chosen} and 0 < len(shown) < everything


def test_opening_a_record_and_a_figures_data(opened, report):
    opened.type("#find", "rome99 cpu_queue")
    opened.click("#table tbody tr:not([hidden]) a")
    record = json.loads(opened.script("return document.body.textContent"))
    assert (record["graph"], record["algorithm"]) == ("rome99", "cpu_queue")
    opened.open(report.as_uri())
    assert not opened.script("return document.querySelector('figure details').open")
    opened.click("figure details summary")
    assert opened.script("return document.querySelector('figure details').open")
    assert opened.script("return document.querySelector('figure img').naturalWidth") > 500


@pytest.mark.parametrize("width", [360, 1400])
def test_page_never_scrolls_sideways(opened, report, width):
    opened.resize(width, 900)
    opened.open(report.as_uri())
    assert opened.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


CONTRAST = """
const numbers = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((c) => c / 255);
const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const light = (colour) => numbers(colour).map(linear).reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
const behind = (element) => {
  for (; element; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor;
    if (!colour.endsWith(", 0)")) return colour;
  }
  return "rgb(255, 255, 255)";
};
const texts = [...document.querySelectorAll("p, td, th, a, h1, h2, h3, li, span, summary, code, label")];
return texts.filter((element) => element.checkVisibility()).map((element) => {
  const sides = [light(getComputedStyle(element).color), light(behind(element))].sort((x, y) => y - x);
  return [(sides[0] + 0.05) / (sides[1] + 0.05), element.outerHTML.slice(0, 80)];
}).filter(([ratio]) => ratio < 4.5);
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_in_both_schemes(opened, report, scheme):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    opened.ask("POST", "goog/cdp/execute", cmd="Emulation.setEmulatedMedia", params={"features": features})
    opened.open(report.as_uri())
    assert opened.script("return matchMedia('(prefers-color-scheme: dark)').matches") == (scheme == "dark")
    assert opened.script(CONTRAST) == []


def test_print_shows_everything_and_no_controls(opened, report):
    opened.ask("POST", "goog/cdp/execute", cmd="Emulation.setEmulatedMedia", params={"media": "print", "features": []})
    opened.open(report.as_uri())
    shown = "return document.querySelector(arguments[0]).checkVisibility()"
    assert opened.script(shown, "#table") and opened.script(shown, "figure img")
    assert not opened.script(shown, "#filters") and not opened.script(shown, "nav")
    assert len(base64.b64decode(opened.ask("POST", "print"))) > 10_000
    opened.ask("POST", "goog/cdp/execute", cmd="Emulation.setEmulatedMedia", params={"media": "", "features": []})


def test_hostile_names_do_nothing_in_a_browser(chromium, tmp_path):
    failed = synthetic.record("rome99", status="failed", error=EVIL)
    other = synthetic.record(f"x{EVIL}".replace("/", "|"))
    hostile = build(tmp_path, [failed, other], drawn=("time_by_algorithm",), name=EVIL)
    chromium.console()
    chromium.open(hostile.as_uri())
    assert "owned" not in chromium.script("return document.title").removeprefix(EVIL.strip())
    assert chromium.script("return document.querySelectorAll('img[src=x]').length") == 0
    assert chromium.console() == []


def test_skipped_algorithms_are_listed_once_per_reason(tmp_path, monkeypatch):
    why = "NetworKit is not installed (make peers installs it)"
    skipped = (("bfs/peer_networkit", why), ("sssp/peer_networkit", why), ("bfs/peer_cugraph", "cuGraph needs a GPU"))
    study = synthetic.study
    monkeypatch.setattr(synthetic, "study", lambda *args, **options: replace(study(*args, **options), skipped=skipped))
    text = build(tmp_path, [synthetic.record()], drawn=()).read_text()
    (line,) = re.findall(r'<p class="hint" id="skipped">(.*)</p>', text)
    assert line == (
        "Left out here: bfs/peer_cugraph, because cuGraph needs a GPU; "
        f"bfs/peer_networkit, sssp/peer_networkit, because {why}."
    )


def test_no_line_where_no_algorithm_is_skipped(report):
    assert "Left out here" not in report.read_text()
