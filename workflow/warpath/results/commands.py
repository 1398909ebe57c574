"""The sub-commands that turn records into tables, figures and pages. None of them measures."""

import argparse
import json
import os
from pathlib import Path

from warpath.base import outcome, places
from warpath.base.errors import UserError
from warpath.base.places import FIGURES, PROBE, RECORDS, REPORT, SUMMARY, TIMINGS
from warpath.base.text import reason


def add_to(step):
    study, tables = (argparse.ArgumentParser(add_help=False) for _ in range(2))  # options of several commands
    study.add_argument("--config", metavar="FILE", help=f"settings ({places.SETTINGS})")
    study.add_argument("--settings", metavar="JSON", help="settings as JSON, in place of the file")
    study.add_argument("--study", metavar="NAME", help="the study (default: that of the settings)")
    tables.add_argument("--timings", default=TIMINGS, metavar="FILE", help="one row per sample (%(default)s)")
    tables.add_argument("--summary", default=SUMMARY, metavar="FILE", help="one row per run (%(default)s)")

    step("gather", _gather, "collect the records of a study in two tables", study, tables)

    figure = step("figure", _figure, "draw figures from the tables", study, tables)
    figure.add_argument("names", nargs="*", help="figures to draw (default: those of the study)")
    figure.add_argument("--papers", nargs="*", default=[], help="papers whose numbers are drawn, if yours")
    figure.add_argument("--also", nargs="*", default=[], choices=["png", "pdf"], help="formats beside SVG")
    figure.add_argument("--output", default=FIGURES, metavar="DIR", help="where to write them (%(default)s)")

    step("report", _report, "write the report, one page with everything", study, tables)

    publish = step("publish", _publish, "write a finished study into a folder to commit or send", study)
    publish.add_argument("folder")
    publish.add_argument("--again", action="store_true", help="judge and draw again from the tables in the folder")
    newer = "first replace rows of the folder's by those gathered here"
    publish.add_argument("--newer", action="store_true", help=newer)

    step("table", _table, "collect the records of one graph of a study in a table", study).add_argument("graph")

    failed = step("failures", _failures, "list what failed and how to repeat it; exits with 1 if anything did", study)
    failed.add_argument("--output", metavar="FILE", help="write this file if nothing failed or is wrong")

    step("progress", _progress, "tell what of a study is done, what failed, and how long it takes", study)

    glossary = step("glossary", _glossary, "describe the columns of tables")
    glossary.add_argument("--output", default=places.GLOSSARY, metavar="FILE", help="the document (%(default)s)")


def _settings(arguments):
    from warpath.base import settings
    from warpath.results import repeat

    if arguments.settings:
        try:
            given = settings.check(json.loads(arguments.settings))
        except ValueError as error:
            raise UserError(f"--settings: not valid JSON ({error})") from None
    elif not arguments.config and (using := repeat.outer()):
        places.home = using["home"]
        given = settings.check(using["settings"])
    else:
        given = settings.read(arguments.config)
    return given | ({"study": arguments.study} if arguments.study else {})


def _study(arguments):
    from warpath.results import repeat
    from warpath.runs import plan

    if cluster := repeat.cluster():
        os.environ.setdefault("WARPATH_DEVICE", cluster["device"])
    return plan.load(_settings(arguments))


def _gather(arguments):
    from warpath.results import figures, frames, gather, limits, repeat

    study = _study(arguments)
    timings, summary = gather.gather(study, RECORDS, limits.rates(PROBE))
    frames.write(timings, arguments.timings)
    frames.write(summary, arguments.summary)
    if arguments.summary == SUMMARY:  # the tables that figures of an earlier study show are overwritten
        repeat.remember()
        for name in set(figures.names()).difference(study.figures):
            for file in Path(FIGURES).glob(f"{name}.*"):
                file.unlink()
    counts = summary["status"].value_counts()
    print(f"{len(summary)} runs, {len(timings)} samples: " + ", ".join(f"{n} {status}" for status, n in counts.items()))


def _table(arguments):
    from warpath.results import failures, frames, gather, limits

    study = failures.only(_study(arguments), arguments.graph)
    _, summary = gather.gather(study, RECORDS, limits.rates(PROBE))
    frames.write(summary, places.graph_table(arguments.graph))
    for row in summary.itertuples():
        times = f" {row.median_ms:.3f} ms{', emulated' * (row.device == 'host')}" if row.status == "ok" else ""
        print(f"{row.algorithm} {row.launch}: {row.status}{times}")
    return _listed(failures.find_of_runs(study))


def _listed(failed):
    """Print what failed; return 1 if anything did."""
    for what, why, log in failed:
        print(f"{what}: {why}" + (f"  ({log})" if log else ""))
    return 1 if failed else 0


def _failures(arguments):
    from warpath.results import failures, repeat

    study = _study(arguments)
    failed = failures.find(study)
    if not failed:
        print(f"{study.name}: none of {len(study.runs)} runs failed")
        if arguments.output:
            outcome.write(arguments.output, None)
        return 0
    settings = _settings(arguments)
    if failures.begun(study):
        _listed(failed)
        if arguments.output and (named := failures.wrong(study)):
            print(f"WRONG ANSWERS of algorithms that should be exact: {named}")
        print(f"repeat what failed:  {repeat.workflow(settings)}")
        if graphs := sorted({run.graph for run in study.runs if failures.of_run(run)}):
            print(f"for one graph only:  {repeat.workflow(settings, places.graph_table(graphs[0]))}")
    else:
        last = failures.workflow_log()
        print(f"{study.name}: no run has a result yet" + (f"; the log of the last workflow is {last}" if last else ""))
        print(f"run the study:  {repeat.workflow(settings)}")
    if repeat.UNKNOWN in repeat.job_options():
        option = f"{repeat.OPTION} {repeat.UNKNOWN}"
        print(f"give the options of the last workflow that submitted its jobs in place of {option}")
    return 1


def _progress(arguments):
    from warpath.results import progress

    study = _study(arguments)
    print(*progress.lines(study, progress.measure(study)), sep="\n")


def _figure(arguments):
    import traceback

    from warpath.results import charts, evidence, figures

    study, failed = None if arguments.names else _study(arguments), {}
    names = figures.known(arguments.names or study.figures)
    data = evidence.read(arguments.timings, arguments.summary, study.claims if study else arguments.papers)
    for name in names:  # of one that fails its place says why, and the others are still drawn
        file = Path(arguments.output, f"{name}.svg")
        try:
            charts.draw(name, data, arguments.output, arguments.also)
            outcome.clear(file)
            print(file)
        except OSError as error:
            failed[name] = f"{file.with_suffix('')}: {reason(error)}"
        except Exception as error:
            traceback.print_exc()
            failed[name] = f"{type(error).__name__}: {error}"
            charts.draw_failed(name, f"it could not be drawn ({failed[name]})", arguments.output)
    if failed:
        raise UserError("; ".join(failed.values() if len(names) == 1 else map(": ".join, failed.items())))


def _report(arguments):
    from warpath.results import claims, evidence, page

    study = _study(arguments)
    read = evidence.read(arguments.timings, arguments.summary, study.claims)
    judged = claims.judge(study.claims, read)
    page.write(study, _settings(arguments), read.timings, read.summary, judged, FIGURES, REPORT)
    print(REPORT)


def _publish(arguments):
    from warpath.results import publish

    if arguments.again or arguments.newer:
        publish.again(arguments.folder, _study(arguments) if arguments.newer else None)
    else:
        publish.write(_study(arguments), _settings(arguments), arguments.folder)
    print(Path(arguments.folder, "README.md"))


def _glossary(arguments):
    from warpath.results import glossary

    glossary.write(arguments.output)
    print(arguments.output)
