"""The commands: what they print and write, and their exit codes."""

import shutil

import pandas as pd
import pytest
from results import browser

from warpath import cli
from warpath.results.comparisons import ratios, sides

EVIL = '"><script>document.title="owned"</script>'


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """A function that runs a command in a folder of its own; it returns the exit code and the lines on each stream."""
    monkeypatch.chdir(tmp_path)

    def ran(*arguments):
        code = cli.main(list(map(str, arguments)))
        streams = capsys.readouterr()
        return code, streams.out.splitlines(), streams.err.splitlines()

    return ran


def test_the_exit_code_is_for_continuous_integration(run, make, publish, record):
    base, same, slower = (publish(f"x{factor}", record(slower=factor)) for factor in (1, 1.001, 1.2))
    assert run("compare", slower, base)[0] == 0
    assert run("compare", base, same, slower)[0] == 1
    code, lines, _ = run("compare", base, slower, "--tolerance", "25")
    assert code == 0 and any("1 with no difference that can be seen" in line for line in lines)
    assert run("compare", base, publish("gone", record(status="wrong")))[0] == 3
    code, _, errors = run("compare", base, make("other", record("email-Eu-core")))
    assert code == 2 and len(errors) == 1 and "no run in common" in errors[0]
    with pytest.raises(SystemExit):
        run("compare", base, slower, "--tolerance", "-1")


def test_environments_and_the_control_come_before_ratios(run, make, record):
    hashes = {"kernel_sources": {"level.cu": "1"}}
    first = [record(**hashes), record(launch="b64")]
    second = [record(slower=1.01, **hashes), record(launch="b64", slower=2)]
    second[0]["environment"] |= {"driver": "580.2"}
    _, lines, _ = run("compare", make("a", *first), make("b", *second))
    starts = [line.partition(" ")[0] for line in lines]
    assert starts[:4] == ["A:", "B:", "differs:", "code"] and starts.index("slower") > starts.index("Control:")
    assert "differs: driver: A unknown | B 580.2" in lines
    control = lines[starts.index("Control:")]
    assert control.startswith(
        "Control: 1 run measured twice with the same code; 95 % of such ratios are within 13.5 % "
    )
    _, lines, _ = run("compare", make("c", record()), make("d", record()))
    assert any("cannot be told how much of a difference is noise. `warpath ab 0123456789ab` " in line for line in lines)


def test_page_figure_and_table_are_written(run, publish, record, tmp_path):
    records = [record("rome99", f"bfs/{name}") for name in ("level", "queue")]
    run("compare", publish("a", *records), publish("b", record("rome99", "bfs/level", slower=2), records[1]))
    folder = tmp_path / "results/comparison"
    assert {path.name for path in folder.iterdir()} >= {f"comparison.{kind}" for kind in ("html", "csv", "svg", "png")}
    table = pd.read_csv(folder / "comparison.csv")
    assert table["verdict"].tolist() == ["slower", "same"] and list(table.columns) == ratios.COLUMNS
    page = " ".join((folder / "comparison.html").read_text().split())
    assert "Of 2 runs that both have: 1 slower, 1 with no difference that can be seen" in page
    assert "http" not in page.replace("http-equiv", "").partition("<script")[0]


def test_claims_are_judged_on_both_sides(run, publish, record, tmp_path):
    """Two flags pay on one card and not on the other."""
    for place, factors in (("a", (3, 1)), ("b", (1, 3))):
        pairs = zip(("sssp/bellman_ford", "sssp/two_flags"), factors, strict=True)
        folder = publish(place, *(record("p2p-Gnutella08", name, slower=factor) for name, factor in pairs))
        table = pd.read_csv(folder / "summary.csv").assign(study="agarwal2015")
        table.to_csv(folder / "summary.csv", index=False)
    _, lines, _ = run("compare", "a", "b")
    assert any(line.startswith("claims: ") and "the verdict differs in" in line for line in lines)
    claims = pd.read_csv(tmp_path / "results/comparison/claims.csv")
    differing = claims[claims["differs"]]
    assert len(differing) and (differing["verdict A"] != differing["verdict B"]).all()
    assert differing["paper"].eq("agarwal2015").all()


@pytest.fixture
def page(run, publish, record, tmp_path):
    """The page of a comparison, and in b.csv a table to drop onto it."""
    launches = [f"b{block}" for block in range(1, 301)]
    a = publish("a", *[record(launch=launch) for launch in launches], record(EVIL.replace("/", "|")))
    ended = record(launch="b12", status="timeout", error="not finished after 240 s")
    b = publish("b", *[record(launch=launch, slower=2) for launch in launches[:10]], record(launch="b11"), ended)
    shutil.copy(b / "summary.csv", tmp_path / "b.csv")
    run("compare", a, a)
    return tmp_path / "results/comparison/comparison.html"


ROWS = (
    "return [...document.querySelectorAll('#table tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))"
)


@pytest.mark.slow
def test_a_table_that_is_dropped_on_the_page_is_compared_there(page, tmp_path):
    if browser.missing():
        pytest.skip(browser.missing())
    with browser.chromium() as chromium:
        chromium.open(page.as_uri())
        chromium.type("#find", " ")  # waits until the rows were unpacked
        assert len(chromium.script(ROWS)) == 100 and chromium.text("#shown") == "301 of 301 runs"
        assert chromium.script("return document.title") != "owned"
        chromium.drop("b.csv", (tmp_path / "b.csv").read_text())
        expected, _ = ratios.compared(sides.read(tmp_path / "a/summary.csv"), sides.read(tmp_path / "b.csv"))
        chromium.type("#find", "intervals")  # waits until the file was read
        rows = {row[3]: (row[0], row[5].partition("×")[0]) for row in chromium.script(ROWS)}
        timed = expected[expected["ratio"].notna()].to_dict("records")
        assert rows == {row["launch"]: (row["verdict"], f"{row['ratio']:.3g}") for row in timed}
        assert "Of 12 runs" in chromium.script("return document.getElementById('answer').textContent")
        assert chromium.script("return [...document.querySelectorAll('.of-command')].every(part => part.hidden)")
        assert chromium.console() == []
