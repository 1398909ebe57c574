"""The report: its content, its safety against hostile text, and its behaviour in a browser."""

import base64
import gzip
import hashlib
import html
import json
import re
import shutil
import time
from pathlib import Path

import browser
import pandas as pd
import pytest
import synthetic

from warpath.base.text import escaped
from warpath.results import charts, claims, evidence, frames, page

SETTINGS = {"study": "quickstart", "device": "host", "timing": {"sources": 4}}
FIGURE = "return atob(document.querySelector('figure img').src.split(',')[1])"
AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"
EVIL = '"><script>document.title="owned"</script><img src=x onerror=alert(1)>\x1b[2J\u202e\r'


def build(folder, records, missing=(), **changes):
    """Write a whole results/ folder for these records, of a study with `changes`; return the path of the page."""
    results = Path(folder, "results")
    study = synthetic.study(*records, missing=missing, **changes)
    made = synthetic.tables(*records, folder=results / "runs", missing=missing)
    frames.write(made.timings, results / "timings.parquet")
    frames.write(made.summary, results / "summary.csv")
    data = evidence.read(results / "timings.parquet", results / "summary.csv")
    for name in study.figures:
        charts.draw(name, data, results / "figures")
    judged = claims.judge(study.claims, data)
    page.write(study, SETTINGS, data.timings, data.summary, judged, results / "figures", results / "report.html")
    return results / "report.html"


def sections(report):
    """The visible text of each section of a page."""
    found = re.findall(r'<section id="(\w+)">(.*?)</section>', report.read_text(), re.DOTALL)
    return {name: " ".join(html.unescape(re.sub("<[^>]+>", "", text)).split()) for name, text in found}


def unpacked(text):
    """The data that a page carries for its scripts."""
    packed = re.search(r'id="data">([^<]*)<', text)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def column(data, name):
    """The texts of a column of such data."""
    return texts(next(found for found in data["columns"] if found["name"] == name))


def texts(packed):
    return [None if code < 0 else packed["levels"][code] for code in packed["codes"]]


def ended():
    """The runs of the quick start, one of them noisy, and one for each way in which a run may end."""
    for record in synthetic.of_study("quickstart", "host")[1]:
        noisy = (record["graph"], record["algorithm"], record["launch"]) == ("rome99", "level", "b1024")
        yield record | {"flags": ["noisy"] if noisy else []}
    yield synthetic.record("rome99", "sssp/bellman_ford", status="timeout", error="not finished after 240 s")
    wrong = synthetic.record("rome99", "sssp/racy", status="wrong", error="17 wrong vertices")
    wrong["samples"][0]["wrong_vertices"] = 17
    yield wrong
    yield synthetic.record("rome99", "bfs/queue", status="failed", error="CUDA_ERROR_ILLEGAL_ADDRESS")
    yield synthetic.record("rome99", "bfs/scan", status="out_of_memory", error="needs 3 TB")
    yield synthetic.record("rome99", "bfs/frontier", "b1024", status="unsupported", error="too many threads")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    study = {"figures": ("time_by_algorithm", "launch_heatmap"), "claims": ("singh2017", "pathak2021")}
    study["description"] = f"https://example.org/{'long-name' * 20}"
    absent = [("rome99", "bfs/frontier", "b64", "host")]
    return build(tmp_path_factory.mktemp("page"), list(ended()), absent, **study)


def test_page_is_self_contained(report):
    text = report.read_text()
    assert not re.search(r"""(src|href|url)\s*[=(]\s*["']?\s*(https?:)?//""", text)
    assert "@import" not in text and "<iframe" not in text and text.count("<link") == 1
    policy = html.unescape(re.search('<meta[^>]* content="([^"]*-src[^"]*)"', text)[1])
    assert "default-src 'none'" in policy and "unsafe-eval" not in policy and "script-src 'unsafe" not in policy
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    for script in scripts:
        assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy
    images = re.findall("<img [^>]*>", text)
    assert len(images) == 2 and all('src="data:image/svg+xml;base64,' in image for image in images)
    assert 'alt="Time by algorithm and graph. The kernels ran in CPU emulation' in images[0]


JOBS = len(list(ended()))


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("answers", ["not finished after 240 s", "17 wrong vertices", "CUDA_ERROR_ILLEGAL_ADDRESS", "needs 3 TB"]),
        ("answers", ["too many threads", "not run yet"]),
        ("claims", ["holds 2", "singh2017, section 5", "This study does not run"]),
        ("costs", [f"{JOBS} jobs measured for {JOBS * 0.2:.1f} s and waited 0.0 s for a device"]),
        ("costs", [f"Job overhead: {JOBS * 0.4:.1f} s, 0.40 s per job, 67 % of their time"]),
        ("environment", ["snakemake --cores 1 --resources gpu=1 --config study=quickstart", "sources: 4"]),
        ("environment", ["Example CPU", "numpy 2.4.6", "0123456789ab", "python -m warpath run"]),
    ],
)
def test_sections_tell_what_the_records_say(report, section, words):
    text = sections(report)[section]
    assert [word for word in words if word not in text] == []


def test_the_worst_endings_come_first_and_each_claim_has_a_place(report):
    text = sections(report)["answers"]
    assert text.index("Failed (1)") < text.index("Wrong answer (1)") < text.index("Timed out (1)")
    assert '<tr id="claim-pathak2021-racy-wrong">' in report.read_text()


def test_endings_stay_few_lines_with_the_message_of_the_worst():
    rows = [("bfs/level", f"g{n % 9}", f"b{n}", "failed", f"{chr(0x4E00 + n // 2)} {n}", None) for n in range(300)]
    rows += [("bfs/scan", graph, "b64", "wrong", f"{n} wrong vertices", n) for graph, n in (("a", 5), ("b", 90))]
    names = ["algorithm", "graph", "launch", "status", "error", "wrong_vertices"]
    failed, wrong = page.endings(pd.DataFrame(rows, columns=names).assign(flags=""))
    assert (failed["runs"], len(failed["rows"]), failed["more"]) == (300, page.MOST_ROWS, 150 - page.MOST_ROWS)
    first = failed["rows"][0]
    assert (first["graphs"], first["launches"], first["runs"], first["wrong"]) == ("g0 and g1", "b0 and b1", 2, "")
    assert first["message"] == "\u4e00 0 (of the others only the numbers differ)"
    assert (wrong["rows"][0]["wrong"], wrong["rows"][0]["message"].partition(" (")[0]) == ("90", "90 wrong vertices")


def test_every_run_has_the_paths_of_its_files_and_its_command(report):
    data = unpacked(report.read_text())
    runs = list(map("/".join, zip(*(column(data, name) for name in ("graph", "algorithm", "launch")), strict=True)))
    paths, commands = (dict(zip(runs, texts(data["links"][kind]), strict=True)) for kind in ("record", "command"))
    assert data["rows"] == JOBS + 1 and list(paths.values()).count(None) == 1  # one run is missing
    for run, path in paths.items():
        assert path is None or json.loads((report.parent / path.replace(page.RUN, run)).read_text())["format"] == 1
    assert commands["rome99/bfs/level/b64"] == f"python -m warpath run results/runs/{page.RUN}.json"
    assert commands["rome99/bfs/frontier/b64"].startswith(f"snakemake results/runs/{page.RUN}.json ")


def test_the_page_says_what_its_intervals_are_and_knows_the_jobs_of_all_processes(tmp_path):
    parts = [synthetic.record(median_ms=number, process=number) for number in (1, 2)]
    summary = synthetic.tables(*parts, synthetic.record(launch="b64"), folder=tmp_path).summary
    assert page.intervals(summary).startswith(
        "Intervals of times: range over 2 processes (1 run) and 95 % interval within one process (1 run). "
        "In the median of 1 run, 100 % of the spread of a source's times"
    )
    (further,) = page.further_records(summary)
    assert further["process"] == 2


def test_every_entry_of_the_environment_is_shown_except_those_of_one_run(tmp_path):
    first, other = synthetic.record(), synthetic.record(launch="b64")
    first["environment"] |= {"nvrtc": "13.2", "software": {"cupy": "13.6.0"}, "driver": "580.5"}
    first["environment"] |= {"sensors_before": {"load": 0.123}, "worker": {"process": 4711}}
    other["environment"]["driver"] = "999.1"
    text = sections(build(tmp_path, [first, other]))["environment"]
    for words in ("nvrtc", "13.2", "cupy 13.6.0", "999.1", "580.5", "(1 runs)"):
        assert words in text
    assert "0.123" not in text and "4711" not in text


def test_emulation_stand_ins_and_what_is_left_out_are_said_at_the_top(tmp_path, report):
    why = "NetworKit is not installed (make peers installs it)"
    skipped = (("bfs/peer_networkit", why), ("sssp/peer_networkit", why), ("bfs/peer_cugraph", "cuGraph needs a GPU"))
    text = build(tmp_path, [synthetic.record("web-Google.stand-in")], skipped=skipped).read_text()
    top = text.partition("<main")[0]
    assert "<li><b>1</b> run</li>" in top and "<li><b>20</b> timed solves</li>" in top
    assert '<p class="hint" id="stand-ins">1 generated graph stands in for web-Google.</p>' in top
    (line,) = re.findall(r'<p class="hint" id="skipped">(.*)</p>', text)
    assert line == (
        "Left out here: bfs/peer_cugraph, because cuGraph needs a GPU; "
        f"bfs/peer_networkit, sssp/peer_networkit, because {why}."
    )
    assert "times say nothing about a GPU" in report.read_text().partition("<main")[0]
    assert "Left out here" not in report.read_text()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A page of a study and a graph with hostile names, and of a run with hostile text in its record."""
    failed = synthetic.record("rome99", status="failed", error=EVIL, command=EVIL, flags=[EVIL])
    failed["environment"] |= {"device_name": EVIL, "software": EVIL, "commit": EVIL}
    other = synthetic.record(f"x{EVIL[:-7]}".replace("/", "|"), flags=[EVIL])  # file names are not escaped
    return build(tmp_path_factory.mktemp("hostile"), [failed, other], figures=("time_by_algorithm",), title=EVIL)


def test_hostile_text_stays_text(hostile):
    text = hostile.read_text()
    assert "<script>document" not in text and "<img src=x" not in text
    assert text.count("<script>") == len(page.LIBRARIES) + 1
    assert "&lt;script&gt;document" in text
    assert "\\x1b[2J\\u202e\\r" in text
    assert "\x1b" not in text and EVIL[-2:] not in text
    table = (hostile.parent / "summary.csv").read_text()
    assert "\\x1b[2J" in table and table.replace("\n", "").isprintable()


def test_missing_and_damaged_records_and_figures_do_not_stop_the_page(tmp_path):
    made = synthetic.tables(*(synthetic.record(launch=launch) for launch in ("b256", "b64")), folder=tmp_path)
    (tmp_path / "rome99/bfs/level/b64.json").unlink()
    (tmp_path / "rome99/bfs/level/b256.json").write_text("[]")
    report = tmp_path / "report.html"
    page.write(synthetic.study(figures=["speedup"]), SETTINGS, made.timings, made.summary, [], tmp_path, report)
    assert unpacked(report.read_text())["rows"] == 2 and "could not be drawn" in report.read_text()


@pytest.fixture(scope="module")
def chromium():
    if browser.missing():
        pytest.skip(browser.missing())
    with browser.chromium() as running:
        yield running


@pytest.fixture
def opened(chromium):
    chromium.console()
    yield chromium
    assert chromium.console() == []


GRAPH, ALGORITHM, LAUNCH, MEDIAN = "graph", "algorithm", "launch", "median_ms"


def shown(running, column):
    """The texts of a column of the table of runs."""
    place = running.script("return document.querySelector(arguments[0]).cellIndex", f"#table [data-column={column}]")
    return running.texts(f"#table td:nth-child({place + 1})")


def drawn(running):
    """How many points the chart has."""
    return int(running.text("#note").split()[0].replace(",", ""))


def go(running, report, view=""):
    """Open the page at a view of its explorer."""
    running.open("about:blank")
    running.open(f"{report.as_uri()}#explorer?{view}")
    wait(running, "return document.documentElement.dataset.ready && document.querySelector('#chart > *') !== null")


def wait(running, condition):
    deadline = time.monotonic() + 60
    while not running.script(condition):
        assert time.monotonic() < deadline, running.console()


def test_sorting_by_number_and_by_name(opened, report):
    go(opened, report, "sort=median_ms&columns=median_ms,launch")
    up = [milliseconds(text) for text in shown(opened, MEDIAN) if text]
    assert up == sorted(up) and len(up) > 20
    assert shown(opened, MEDIAN)[-1] == ""  # rows without a time stay last
    opened.click("#table th:nth-child(1) button")
    assert [milliseconds(text) for text in shown(opened, MEDIAN) if text] == sorted(up, reverse=True)
    assert shown(opened, MEDIAN)[-1] == ""
    assert opened.script("return document.querySelector('#table th').ariaSort") == "descending"
    opened.click("#table th:nth-child(2) button")
    launches = [launch for launch in shown(opened, LAUNCH) if launch.startswith("b")]
    assert launches == sorted(launches, key=lambda launch: int(launch[1:]))  # b64 before b1024


def milliseconds(text):
    value, unit = text.split()
    return float(value) * {"ns": 1e-6, "µs": 0.001, "ms": 1, "s": 1000}[unit]


def test_filters_are_kept_in_the_address(opened, report):
    go(opened, report)
    everything = len(shown(opened, GRAPH))
    opened.type("#find", "gnutella two_kernel")
    assert set(shown(opened, ALGORITHM)) == {"sssp/two_kernel"} and set(shown(opened, GRAPH)) == {"p2p-Gnutella08"}
    assert opened.text("#shown") == f"3 of {everything} runs"
    address = opened.script("return location.href")
    opened.click("#clear")
    assert len(shown(opened, GRAPH)) == everything
    go(opened, report, address.partition("?")[2])
    assert len(shown(opened, GRAPH)) == 3
    assert opened.script("return document.getElementById('find').value") == "gnutella two_kernel"
    opened.click(".counted a")
    assert opened.script("return location.hash") == "#runs" and len(shown(opened, GRAPH)) == 3


def test_runs_of_one_graph_are_listed_from_the_fastest_with_their_launches_in_words(opened, report):
    go(opened, report)
    headings = "return [...document.querySelectorAll('#table th')].map(cell => cell.dataset.column)"
    assert opened.script(headings)[:4] == ["graph", "algorithm", "median_ms", "prepare_ms"]
    go(opened, report, "is.graph=rome99")
    assert opened.script(headings)[:3] == ["algorithm", "median_ms", "prepare_ms"]
    times = [milliseconds(text or "inf s") for text in shown(opened, MEDIAN)]
    runs = [(name.split("/")[0], ms) for name, ms in zip(shown(opened, ALGORITHM), times, strict=True)]
    assert sorted(runs) == runs and len(runs) > 10
    words = "return [...document.querySelectorAll('#table td:first-child')].map(cell => cell.dataset.below)"
    assert opened.script(words)[shown(opened, LAUNCH).index("b1024")] == "block 1024"


@pytest.mark.parametrize(
    ("view", "runs"),
    [("is.flags=noisy", 1), ("is.flags=any", 1), ("is.launch=b64&is.problem=bfs", 5), ("is.status=wrong", 1)],
)
def test_filters_for_flags_launches_and_endings(opened, report, view, runs):
    go(opened, report, view)
    assert len(shown(opened, GRAPH)) == runs
    key, _, value = view.split("&")[0].partition("=")
    assert opened.script(f"return document.querySelector('[data-key=\"{key}\"]').value") == value


def test_algorithms_are_ranked_over_the_graphs_of_several_values(opened, report):
    go(opened, report, "is.graph=rome99&is.graph=p2p-Gnutella08&is.problem=bfs")
    assert set(shown(opened, GRAPH)) == {"rome99", "p2p-Gnutella08"}
    means = [float(text.rstrip("×")) for text in opened.texts("#ranking td:nth-child(2)")]
    assert means == sorted(means) and 1 < len(means) <= len(set(shown(opened, ALGORITHM))) and means[0] >= 1
    opened.click("#chips button")
    assert set(shown(opened, GRAPH)) == {"p2p-Gnutella08"}
    assert opened.script("return document.getElementById('chart').ariaLabel").startswith("algorithm by median time")


SAVED = """
URL.createObjectURL = (blob) => { window.saved = blob; return "blob:none" };
HTMLAnchorElement.prototype.click = function () { window.named = this.download };
"""


def test_what_is_filtered_can_be_downloaded(opened, report):
    go(opened, report, "is.graph=rome99&is.algorithm=bfs/level&is.launch=b64")
    opened.script(SAVED)
    opened.click("#download")
    head, row, end = opened.script("return saved.text()").split("\n")
    cells = dict(zip(head.split(","), row.split(","), strict=True))
    assert (cells["graph"], cells["launch"], cells["status"], end) == ("rome99", "b64", "ok", "")
    assert opened.script("return named") == "runs.csv"
    summary = pd.read_csv(report.parent / "summary.csv")
    mine = summary[(summary[["graph", "algorithm", "launch"]] == ["rome99", "bfs/level", "b64"]).all(axis=1)]
    assert float(cells["median_ms"]) == pytest.approx(mine["median_ms"].iloc[0], rel=1e-5)


@pytest.mark.parametrize(
    ("view", "label"),
    [
        ("", "median time by arcs"),
        ("x=block&y=teps&color=none&facet=none&launches=all", "TEPS by block"),
        ("x=graph&y=median_ms&xscale=linear&yscale=linear", "median time by graph"),
        ("x=started&y=status&color=launch&facet=device", "status by started"),
        ("relative=fastest", "median time ÷ that of the fastest by arcs"),
        ("relative=bfs/cpu_queue", "median time ÷ that of bfs/cpu_queue by arcs"),
        ("color=median_ms", "median time by arcs"),
    ],
)
def test_any_field_on_any_axis(opened, report, view, label):
    go(opened, report, view)
    assert opened.script("return document.getElementById('chart').ariaLabel").startswith(label)
    assert drawn(opened) > 5
    assert opened.script("return document.querySelectorAll('#chart svg path[d]').length") > 1


def test_a_colour_in_the_legend_shows_only_its_runs_and_then_all_again(opened, report):
    go(opened, report)
    everything, entry = len(shown(opened, GRAPH)), "#legend li:first-child button"
    opened.click(entry)
    (name,) = set(shown(opened, ALGORITHM))
    assert name in opened.text(entry)
    opened.click(entry)
    assert len(shown(opened, GRAPH)) == everything


def test_runs_that_are_not_drawn_are_counted_with_the_reason(opened, report):
    go(opened, report, "launches=all")
    note = opened.text("#note")
    for words in ("1 timed out", "1 wrong answer", "1 failed", "1 out of memory", "1 unsupported", "1 no result"):
        assert words in note
    assert drawn(opened) == len(shown(opened, GRAPH)) - 6
    go(opened, report, "x=no_such_field")
    assert drawn(opened) == 0


def test_relative_times_are_over_the_same_graph(opened, report):
    go(opened, report, "relative=bfs/cpu_queue&is.algorithm=bfs/cpu_queue")
    assert "1×" in opened.text("#chart [aria-label='y-axis tick label']")


def press(running, key):
    running.script(
        "document.getElementById('chart').dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0]}))", key
    )


MOVE = """
const chart = document.getElementById("chart"), box = chart.querySelector("svg").getBoundingClientRect();
const [x, y] = (window.at ??= ["cx", "cy"].map((name) => Number(chart.querySelector(".active").getAttribute(name))));
chart.dispatchEvent(new PointerEvent(arguments[0], { clientX: box.left + x, clientY: box.top + y, bubbles: true }));
"""


def test_pointing_at_a_point_and_clicking_it_tells_what_the_record_says(opened, report):
    go(opened, report, "find=rome99 bfs/level b1024&launches=all")
    press(opened, "Home")
    for words in ("bfs/level", "rome99", "block 1,024", "95 % interval", "flags: noisy", "3.35 K vertices"):
        assert words in opened.text(".tip")
    assert opened.text("#chart [aria-live]").startswith("bfs/level")
    press(opened, "Escape")
    assert opened.script("return document.querySelector('.tip').hidden")
    press(opened, "Home")
    opened.script(MOVE, "pointermove")
    assert "block 1,024" in opened.text(".tip")
    opened.script(MOVE, "click")
    command = "python -m warpath run results/runs/rome99/bfs/level/b1024.json"
    assert "bfs/level on rome99" in opened.text("dialog[open]") and command in opened.text("dialog[open]")
    assert "run=rome99" in opened.script("return location.hash")
    assert opened.texts("dialog h2, dialog h3")[:2] == ["bfs/level on rome99, block 1024", "Result"]
    assert opened.script("return document.activeElement.closest('dialog') !== null")
    opened.script("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve() }")
    opened.click("dialog .copy")
    assert opened.script("return copied") == command
    opened.click("dialog .close")
    opened.script("return new Promise(done => setTimeout(done, 50))")
    assert not opened.script("return document.querySelector('dialog').open")
    assert "run=" not in opened.script("return location.hash")
    opened.click("#table button.open")
    opened.click("dialog .files a")
    record = json.loads(opened.script("return document.body.textContent"))
    assert (record["graph"], record["algorithm"]) == ("rome99", "level")


def test_a_summary_that_is_dropped_on_the_page_is_shown_beside_its_runs(opened, report):
    go(opened, report, "is.graph=rome99&is.algorithm=bfs/level&launches=all")
    launches = shown(opened, LAUNCH)
    other = pd.read_csv(report.parent / "summary.csv").assign(device_name="NVIDIA A100")
    other["median_ms"] /= 2
    opened.drop("a100.csv", other.to_csv(index=False))
    wait(opened, "return document.getElementById('message').textContent.startsWith('a100.csv: ')")
    assert sorted(shown(opened, LAUNCH)) == sorted(2 * launches)
    legend = [entry.strip() for entry in opened.texts("#legend li")]
    assert legend == [f"a100.csv {drawn(opened) // 2}", f"this page {drawn(opened) // 2}"]
    opened.script("location.hash = '#explorer?columns=median_ms,from&is.from=a100.csv&is.graph=rome99&is.launch=b64'")
    wait(opened, "return document.querySelectorAll('#table tbody tr').length === 3")
    mine = other[(other["graph"] == "rome99") & (other["launch"] == "b64")]["median_ms"].dropna()
    assert sorted(map(milliseconds, filter(None, shown(opened, MEDIAN)))) == pytest.approx(sorted(mine), rel=1e-2)
    opened.click("#table td button")
    assert "From a100.csv" in opened.text("dialog[open]")


def test_an_address_that_was_cut_off_is_followed_as_far_as_it_goes(opened, report):
    opened.open("about:blank")
    opened.open(f"{report.as_uri()}#%E0%A4%A")
    wait(opened, "return document.documentElement.dataset.ready")
    opened.script("location.hash = '#figures%'")


def test_a_mailed_page_has_no_dead_links(opened, report, tmp_path):
    mailed = tmp_path / "inbox" / "report.html"
    mailed.parent.mkdir()
    shutil.copy(report, mailed)
    go(opened, mailed, "run=email-Eu-core/bfs/cpu_queue/default")
    words = "record, not embedded in this page: runs/email-Eu-core/bfs/cpu_queue/default.json"
    assert words in opened.text("dialog[open]")
    assert "not embedded" in opened.text("#links")
    links = opened.script("return [...document.querySelectorAll('a')].map(a => a.getAttribute('href'))")
    assert links and all(link.startswith("#") for link in links)


def test_a_figures_data_is_a_table_and_a_file(opened, report):
    opened.open(report.as_uri() + "#figures")
    wait(opened, "return document.getElementById('times').open")
    assert not opened.script("return document.querySelector('figure details').open")
    opened.click("figure details summary")
    wait(opened, "return document.querySelector('figure details tbody tr') !== null")
    assert opened.script("return document.querySelectorAll('figure details tbody tr').length") > 5
    assert opened.script("return document.querySelector('figure img').naturalWidth") > 500
    opened.script(SAVED)
    for button, name in enumerate(("svg", "csv"), 1):
        opened.click(f".save button:nth-of-type({button})")
        wait(opened, f"return window.named === 'time_by_algorithm.{name}'")
        drawn_file = report.parent / f"figures/time_by_algorithm.{name}"
        assert opened.script("return saved.text()") == drawn_file.read_text()


def test_a_browser_that_cannot_unpack_the_runs_says_so(chromium, report):
    source = {"source": "delete window.DecompressionStream"}
    added = chromium.ask("POST", "goog/cdp/execute", cmd="Page.addScriptToEvaluateOnNewDocument", params=source)
    chromium.open(report.as_uri())
    wait(chromium, "return document.querySelector('#explorer .notice:last-child') !== null")
    assert "results/summary.csv has one row per run" in chromium.text("#explorer")
    chromium.ask("POST", "goog/cdp/execute", cmd="Page.removeScriptToEvaluateOnNewDocument", params=added)


@pytest.mark.parametrize("width", [390, 1280])
def test_contents_stay_in_view_and_list_the_figures_and_nothing_scrolls_sideways(opened, report, width):
    opened.resize(width, 800)
    go(opened, report)
    box = opened.script("return document.getElementById('contents').getBoundingClientRect().toJSON()")
    assert opened.script("return scrollY") > 500 and box["top"] == 0 and box["height"] > 20
    assert {"Time by algorithm and graph", "Explore the runs", "Claims"} <= set(opened.texts("#contents a"))
    assert opened.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    opened.resize(1400, 900)


def test_emulated_times_are_folded_and_a_link_into_the_fold_opens_it(opened, report):
    opened.open("about:blank")
    opened.open(report.as_uri())
    assert not opened.script("return document.getElementById('times').open")
    above = "return document.getElementById('answers').offsetTop < document.getElementById('times').offsetTop"
    assert opened.script(above)
    opened.click("#contents a[href='#figure-launch_heatmap']")
    opened.script("return new Promise(done => setTimeout(done, 100))")
    assert opened.script("return document.getElementById('times').open")


CONTRAST = {"runOnly": ["color-contrast"]}


@pytest.mark.parametrize(
    ("width", "scheme", "rules"),
    [
        *[pytest.param(*each, {}, marks=pytest.mark.slow) for each in ((360, "light"), (768, "dark"), (1400, "light"))],
        *[(1400, "light", CONTRAST), (1400, "dark", CONTRAST)],
    ],
)
def test_axe_finds_nothing_in_both_schemes(opened, report, width, scheme, rules):
    opened.emulate(scheme=scheme)
    opened.resize(width, 900)
    opened.open(report.as_uri())
    if not rules:
        go(opened, report)
        opened.script("document.querySelectorAll('details:not(figure details)').forEach(d => d.open = true)")
    opened.ask("POST", "goog/cdp/execute", cmd="Runtime.evaluate", params={"expression": AXE.read_text()})
    first = "r => r.violations.map(v => [v.id, v.nodes.slice(0, 3).map(n => n.html)])"
    assert opened.script(f"return axe.run(arguments[0]).then({first})", rules) == []
    assert "@media screen and (prefers-color-scheme: dark)" in opened.script(FIGURE)  # figures follow the scheme
    opened.resize(1400, 900)
    opened.emulate()


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A page of more than 10,000 runs on a GPU whose records are elsewhere."""
    folder = tmp_path_factory.mktemp("large")
    made = synthetic.tables(*synthetic.of_study("quickstart")[1])
    timings, summary = (
        pd.concat([table.assign(graph=table["graph"] + f"-{n}") for n in range(200)], ignore_index=True)
        for table in (made.timings, made.summary.assign(record=None))
    )
    times = [name for name in summary if name.endswith("_ms")]
    summary[times] = summary[times].mul(1 + 0.001 * pd.Series(range(len(summary))).to_numpy() ** 0.5, axis=0)
    page.write(synthetic.study(), SETTINGS, timings, summary, [], folder, folder / "report.html")
    return folder / "report.html"


@pytest.mark.slow
def test_ten_thousand_runs_are_small_quick_and_few_elements(chromium, large):
    assert large.stat().st_size < 2e6
    seconds = []
    for _ in range(3):
        go(chromium, large, "launches=all")
        seconds.append(chromium.seconds())  # not the time on the clock, which other tests beside it share
    assert min(seconds) < 1
    assert drawn(chromium) == 200 * len(synthetic.of_study("quickstart")[1])
    assert chromium.script("return document.querySelectorAll('#table tbody tr').length") <= 200
    assert chromium.script("return document.querySelectorAll('*').length") < 5000
    chromium.click(".pages button:last-child")
    assert "of 10,400" in chromium.text(".pages")


def test_print_shows_everything_and_no_controls(opened, report):
    opened.emulate("print")
    opened.open(report.as_uri())
    wait(opened, "return document.documentElement.dataset.ready && dispatchEvent(new Event('beforeprint'))")
    visible = "return document.querySelector(arguments[0]).checkVisibility()"
    assert opened.script(visible, "#table") and opened.script(visible, "figure img")
    assert not opened.script(visible, "#filters") and not opened.script(visible, "nav")
    assert len(base64.b64decode(opened.ask("POST", "print"))) > 10_000
    opened.emulate()


def test_hostile_text_does_nothing_in_a_browser(opened, hostile):
    opened.open(hostile.as_uri())
    assert "owned" not in opened.script("return document.title").removeprefix(escaped(EVIL))
    assert opened.script("return document.querySelectorAll('img[src=x]').length") == 0


def test_libraries_are_pinned_and_the_page_has_their_licences(report):
    vendor = page.TEMPLATES / "vendor"
    table = (vendor / "README.md").read_text()
    for name in page.LIBRARIES:
        file = page.TEMPLATES / name
        assert f"| {file.name} |" in table and hashlib.sha256(file.read_bytes()).hexdigest() in table
        assert (vendor / f"{file.name.partition('.')[0]}.LICENSE").read_text() in report.read_text()
    assert hashlib.sha256(AXE.read_bytes()).hexdigest() in (AXE.parent / "README.md").read_text()
