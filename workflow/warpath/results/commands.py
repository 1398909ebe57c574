"""The sub-commands that turn records into tables, figures and pages."""

import json
import os
import sys
from pathlib import Path

from warpath.base import places
from warpath.base.places import FIGURES, PROBE, RECORDS, REPORT, SUMMARY, TIMINGS
from warpath.base.text import reason


def add_to(subparsers):
    gather = subparsers.add_parser("gather", help="collect the records of a study in two tables")
    _study_options(gather)
    gather.add_argument("--records", default=RECORDS, metavar="DIR", help="where the run records are (%(default)s)")
    gather.add_argument("--probe", default=PROBE, metavar="FILE", help="rates of the device (%(default)s)")
    _table_options(gather)
    gather.set_defaults(command=_gather)

    figure = subparsers.add_parser("figure", help="draw figures from the tables")
    figure.add_argument("names", nargs="*", help="figures to draw (default: those of the study)")
    _study_options(figure)
    _table_options(figure)
    figure.add_argument("--output", default=FIGURES, metavar="DIR", help="where to write them (%(default)s)")
    figure.set_defaults(command=_figure)

    report = subparsers.add_parser("report", help="write the report, one page with everything")
    _study_options(report)
    _table_options(report)
    report.add_argument("--probe", default=PROBE, metavar="FILE", help="rates of the device (%(default)s)")
    report.add_argument("--figures", default=FIGURES, metavar="DIR", help="where the figures are (%(default)s)")
    report.add_argument("--output", default=REPORT, metavar="FILE", help="the page (%(default)s)")
    report.set_defaults(command=_report)

    publish = subparsers.add_parser("publish", help="write a finished study into a folder to commit or send")
    publish.add_argument("folder")
    publish.add_argument(
        "--again", action="store_true", help="judge and draw again from the tables that the folder holds"
    )
    _study_options(publish)
    publish.set_defaults(command=_publish)

    _add_levels(subparsers)

    table = subparsers.add_parser("table", help="collect the records of one graph of a study in a table")
    _study_options(table)
    table.add_argument("graph")
    table.add_argument("--output", metavar="FILE", help=f"default {places.graph_table('<graph>')}")
    table.set_defaults(command=_table)

    failures = subparsers.add_parser(
        "failures", help="list what failed and how to repeat it; exits with 1 if anything did"
    )
    _study_options(failures)
    failures.set_defaults(command=_failures)

    progress = subparsers.add_parser(
        "progress", help="tell what of a study is done, what failed, and how long the rest takes"
    )
    _study_options(progress)
    progress.add_argument("--every", type=float, metavar="SECONDS", help="tell again and again until the workflow ends")
    progress.set_defaults(command=_progress)

    salvage = subparsers.add_parser("salvage", help="gather, figure and report with the runs that exist")
    _study_options(salvage)
    salvage.set_defaults(
        command=_salvage, timings=TIMINGS, summary=SUMMARY, records=RECORDS, figures=FIGURES, probe=PROBE, names=[]
    )

    glossary = subparsers.add_parser("glossary", help="describe the fields of records and the columns of tables")
    glossary.add_argument("--output", default=places.GLOSSARY, metavar="FILE", help="the document (%(default)s)")
    glossary.set_defaults(command=_glossary)


def _add_levels(subparsers):
    levels = subparsers.add_parser(
        "levels", help="draw time and frontier by level of a search, of one algorithm or two"
    )
    levels.add_argument("graph")
    levels.add_argument(
        "algorithms", nargs="+", metavar="ALGORITHM", help="such as bfs/persistent, or bfs/level:b256 with a launch"
    )
    levels.add_argument("--source", type=int, help="label of the start vertex (default: the one with most arcs)")
    levels.add_argument("--device", choices=["cuda", "host"], help="default: cuda where there is a GPU")
    levels.add_argument("--folder", help=f"where the graph is (default {places.GRAPHS}/<graph>)")
    levels.add_argument("--output", default=places.LEVELS, metavar="DIR", help="where to write (%(default)s)")
    levels.set_defaults(command=_levels)


def _study_options(parser):
    parser.add_argument("--config", metavar="FILE", help=f"settings ({places.SETTINGS})")
    parser.add_argument("--settings", metavar="JSON", help="settings as JSON, in place of the file")
    parser.add_argument("--study", metavar="NAME", help="the study (default: that of the settings)")


def _table_options(parser):
    parser.add_argument("--timings", default=TIMINGS, metavar="FILE", help="one row per sample (%(default)s)")
    parser.add_argument("--summary", default=SUMMARY, metavar="FILE", help="one row per run (%(default)s)")


def _settings(arguments):
    from warpath.base import settings
    from warpath.lifetime import repeat

    if arguments.settings:
        given = settings.check(_parsed(arguments.settings))
    elif not arguments.config and (using := repeat.outer()):
        os.environ.setdefault(places.HOME, using["home"])
        given = settings.check(using["settings"])
    else:
        given = settings.read(arguments.config)
    return given | ({"study": arguments.study} if arguments.study else {})


def _parsed(text):
    from warpath.base.errors import UserError

    try:
        return json.loads(text)
    except ValueError as error:
        raise UserError(f"--settings: not valid JSON ({error})") from None


def _study(arguments):
    """The study that the options name, planned once per command."""
    from warpath.lifetime import repeat
    from warpath.runs import plan

    if "planned" not in arguments:
        if cluster := repeat.cluster():
            os.environ.setdefault("WARPATH_DEVICE", cluster["device"])
        arguments.planned = plan.load(_settings(arguments))
    return arguments.planned


def _gather(arguments):
    from warpath.results import frames

    study = _study(arguments)
    timings, summary, code = _gathered(study, arguments.records, arguments.probe)
    frames.write(timings, arguments.timings)
    frames.write(summary, arguments.summary)
    if arguments.summary == SUMMARY:
        _remove_other_figures(study)
    counts = summary["status"].value_counts()
    print(f"{len(summary)} runs, {len(timings)} samples: " + ", ".join(f"{n} {status}" for status, n in counts.items()))
    for line in _incomplete(summary):
        print(line)
    return code


def _incomplete(summary):
    """A line for each failed or outdated run, and for all runs on a graph that lack a record for one reason."""
    from warpath.results import select

    failed = summary["status"] == "failed"
    for row in summary[failed | select.outdated(summary)].itertuples():
        status = row.status if row.status == "failed" else select.OUTDATED
        yield f"{status}: {row.graph} {row.algorithm} {row.launch}: {row.error}"
    for (graph, error), rows in summary[summary["status"] == "missing"].groupby(["graph", "error"], sort=False):
        first = rows.iloc[0]
        which = f"{first['algorithm']} {first['launch']}" if len(rows) == 1 else f"{len(rows)} runs"
        yield f"missing: {graph} {which}: {error}"


def _remove_other_figures(study):
    """Remove the figures of an earlier study: the tables that they show are overwritten."""
    from warpath.results import figures

    for name in set(figures.names()).difference(study.figures):
        for file in places.figure_files(name):
            Path(file).unlink(missing_ok=True)


def _table(arguments):
    from warpath.results import failures, frames

    _, summary, code = _gathered(failures.only(_study(arguments), arguments.graph), RECORDS, PROBE)
    frames.write(summary, arguments.output or places.graph_table(arguments.graph))
    for row in summary.itertuples():
        times = f" {row.median_ms:.3f} ms" if row.status == "ok" else ""
        print(f"{row.algorithm} {row.launch}: {row.status}{times}")
    return code


def _gathered(study, folder, probe):
    """The two tables, and the exit code: 0 if every run has a usable record. Damaged records are put aside."""
    from warpath.results import failures, gather, limits, select

    damaged = []

    def put_aside(*found):
        damaged.append(failures.put_aside(*found))

    timings, summary = gather.gather(study, folder, limits.rates(probe), put_aside)
    for line in damaged:
        print(f"warpath: {line}", file=sys.stderr)
    incomplete = (summary["status"] == "missing") | select.outdated(summary)
    return timings, summary, 1 if damaged or incomplete.any() else 0


def _failures(arguments):
    from warpath.lifetime import repeat
    from warpath.results import failures

    study = _study(arguments)
    failed = failures.of(study)
    if not failed:
        print(f"{study.name}: none of {len(study.runs)} runs failed")
        return 0
    settings = _settings(arguments)
    if failures.begun(study):
        for what, why, log in failed:
            print(f"{what}: {why}" + (f"  ({log})" if log else ""))
        print(f"repeat what failed:  {repeat.workflow(settings)}")
        for graph in failures.graphs(study)[:1]:
            print(f"for one graph only:  {repeat.workflow(settings, places.graph_table(graph))}")
    else:
        last = failures.workflow_log()
        print(f"{study.name}: no run has a result yet" + (f"; the log of the last workflow is {last}" if last else ""))
        print(f"run the study:  {repeat.workflow(settings)}")
    if repeat.UNKNOWN in repeat.job_options():
        option = f"{repeat.OPTION} {repeat.UNKNOWN}"
        print(f"give the options of the last workflow that submitted its jobs in place of {option}")
    return 1


def _progress(arguments):
    import time

    from warpath.results import progress

    study, known, again = _study(arguments), {}, True
    while again:
        now = progress.of(study, known)
        print(*progress.lines(study, now), sep="\n", flush=True)
        again = arguments.every and now.since
        if again:
            time.sleep(arguments.every)
            print()


def _figure(arguments):
    from warpath.results import figures, frames, published

    names = figures.known(arguments.names or _study(arguments).figures)
    data = figures.Tables(*frames.read(arguments.timings, arguments.summary), published.read())
    failed = [name for name in names if not _draw(name, data, arguments.output)]
    return 1 if failed else 0


def _draw(name, data, folder):
    """Draw a figure; print why one fails and return False, so that the others are still drawn."""
    import traceback

    from warpath.results import figures

    try:
        figures.draw(name, data, folder)
    except OSError as error:
        print(f"warpath: {Path(folder, name)}: {reason(error)}", file=sys.stderr)
        return False
    except Exception:
        traceback.print_exc()
        return False
    print(Path(folder, f"{name}.svg"))
    return True


def _report(arguments):
    from warpath.results import page

    study = _study(arguments)
    timings, summary, judged = _judged(study, arguments.timings, arguments.summary, arguments.probe)
    page.write(study, _settings(arguments), timings, summary, judged, arguments.figures, arguments.output)
    print(arguments.output)


def _judged(study, timings, summary, probe):
    """The two tables and the study's claims with their verdicts."""
    from warpath.results import claims, frames, limits, published
    from warpath.results.evidence import Evidence

    timings, summary = frames.read(timings, summary)
    evidence = Evidence(timings, summary, published.read(), limits.rates(probe))
    return timings, summary, claims.judge(study.claims, evidence)


def _publish(arguments):
    from warpath.base.errors import UserError
    from warpath.results import publish

    if arguments.again:
        publish.again(arguments.folder)
        print(Path(arguments.folder, "README.md"))
        return
    study = _study(arguments)
    if not Path(SUMMARY).exists():
        raise UserError(f"{SUMMARY}: not found; run the workflow first")
    timings, summary, judged = _judged(study, TIMINGS, SUMMARY, PROBE)
    gathered = set(summary["study"])
    if gathered != {study.name}:
        raise UserError(
            f"{SUMMARY}: holds the runs of {', '.join(sorted(gathered))}, not of {study.name}; choose with --study"
        )
    publish.write(study, _settings(arguments), timings, summary, judged, arguments.folder)
    print(Path(arguments.folder, "README.md"))


def _levels(arguments):
    from warpath import devices
    from warpath.graphs import csr
    from warpath.results import levels
    from warpath.runs import levels as tracing

    folder = arguments.folder or places.graph(arguments.graph)
    csr.require(folder, arguments.graph)
    graph, kind = csr.read(folder), devices.resolve(arguments.device or "auto")
    traces = tracing.traces(kind, graph, arguments.algorithms, arguments.source)
    name, text = levels.draw(graph, traces, arguments.output)
    print(text)
    print(Path(arguments.output, f"{name}.svg"))


def _glossary(arguments):
    from warpath.results import glossary

    glossary.write(arguments.output)
    print(arguments.output)


def _salvage(arguments):
    """After a failure: the same tables, figures and page, with what is missing said in each."""
    from warpath.results import failures

    _gather(arguments)
    arguments.output = arguments.figures
    _figure(arguments)
    arguments.output = REPORT
    _report(arguments)
    study = _study(arguments)
    for graph in failures.graphs(study):
        Path(RECORDS, f"{graph}.csv").unlink(missing_ok=True)  # from before; Snakemake would not look behind it
    _date_back(
        [TIMINGS, SUMMARY, REPORT, *Path(FIGURES).glob("*")],
        [PROBE, *(run.record for run in study.runs), *(run.failure for run in study.runs)],
    )


def _date_back(outputs, inputs):
    """Make the outputs older than what they were made from: what is newer, Snakemake takes for complete."""
    dates = [Path(path).stat().st_mtime for path in inputs if Path(path).exists()]
    for path in filter(os.path.exists, outputs) if dates else ():
        os.utime(path, (min(dates) - 1, min(dates) - 1))
