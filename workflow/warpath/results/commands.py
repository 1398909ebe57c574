"""The sub-commands from records to tables, figures and pages: files in, files out, for rules and by hand."""

import json
import os
import sys
from pathlib import Path

from warpath.foundation.places import FIGURES, PROBE, RECORDS, REPORT, SUMMARY, TIMINGS


def add_to(subparsers):
    gather = subparsers.add_parser("gather", help="put the records of a study into two tables")
    _study_options(gather)
    gather.add_argument("--records", default=RECORDS, metavar="DIR", help="where the run records are (%(default)s)")
    gather.add_argument("--probe", default=PROBE, metavar="FILE", help="rates that the device reaches (%(default)s)")
    _table_options(gather)
    gather.set_defaults(command=_gather)

    figure = subparsers.add_parser("figure", help="draw figures from the tables")
    figure.add_argument("names", nargs="*", help="figures to draw; without any, those of the study")
    _study_options(figure)
    _table_options(figure)
    figure.add_argument("--output", default=FIGURES, metavar="DIR", help="where to write them (%(default)s)")
    figure.set_defaults(command=_figure)

    report = subparsers.add_parser("report", help="write the page that says what was found")
    _study_options(report)
    _table_options(report)
    report.add_argument("--probe", default=PROBE, metavar="FILE", help="rates that the device reaches (%(default)s)")
    report.add_argument("--figures", default=FIGURES, metavar="DIR", help="where the figures are (%(default)s)")
    report.add_argument("--output", default=REPORT, metavar="FILE", help="the page (%(default)s)")
    report.set_defaults(command=_report)

    publish = subparsers.add_parser("publish", help="copy a finished study into a folder to commit or to send")
    publish.add_argument("folder")
    _study_options(publish)
    publish.set_defaults(command=_publish)

    table = subparsers.add_parser("table", help="put the records of one graph of a study into a table")
    _study_options(table)
    table.add_argument("graph")
    table.add_argument("--output", metavar="FILE", help=f"default {RECORDS}/<graph>.csv")
    table.set_defaults(command=_table)

    failures = subparsers.add_parser("failures", help="say what failed and how to do it again; exits 1 if any did")
    _study_options(failures)
    failures.set_defaults(command=_failures)

    salvage = subparsers.add_parser("salvage", help="gather, figure and report, from whatever runs there are")
    _study_options(salvage)
    salvage.set_defaults(
        command=_salvage, timings=TIMINGS, summary=SUMMARY, records=RECORDS, figures=FIGURES, probe=PROBE, names=[]
    )


def _study_options(parser):
    parser.add_argument("--config", default="config/config.yaml", metavar="FILE", help="settings (%(default)s)")
    parser.add_argument("--settings", metavar="JSON", help="settings as a workflow has them, in place of the file")
    parser.add_argument("--study", metavar="NAME", help="a study other than the one that the settings name")


def _table_options(parser):
    parser.add_argument("--timings", default=TIMINGS, metavar="FILE", help="a row per sample (%(default)s)")
    parser.add_argument("--summary", default=SUMMARY, metavar="FILE", help="a row per run (%(default)s)")


def _settings(arguments):
    from warpath.foundation import settings

    given = settings.check(json.loads(arguments.settings)) if arguments.settings else settings.read(arguments.config)
    return given | ({"study": arguments.study} if arguments.study else {})


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
    from warpath.results import gather

    study = _study(arguments)
    timings, summary, code = _gathered(study, arguments.records, arguments.probe)
    gather.write(timings, arguments.timings)
    gather.write(summary, arguments.summary)
    if arguments.summary == SUMMARY:
        _forget_figures_beyond(study)
    counts = summary["status"].value_counts()
    print(f"{len(summary)} runs, {len(timings)} samples: " + ", ".join(f"{n} {status}" for status, n in counts.items()))
    for row in summary[summary["status"].isin(["failed", "missing"])].itertuples():
        print(f"{row.status}: {row.graph} {row.algorithm} {row.launch}: {row.error}")
    return code


def _forget_figures_beyond(study):
    """Figures of another study were drawn from tables that are no more, and nothing in them would say so."""
    from warpath.results import figures

    for name in set(figures.names()).difference(study.figures):
        for drawn in Path(FIGURES).glob(f"{name}.*"):
            drawn.unlink()


def _table(arguments):
    from warpath.results import failures, gather

    _, summary, code = _gathered(failures.only(_study(arguments), arguments.graph), RECORDS, PROBE)
    gather.write(summary, arguments.output or f"{RECORDS}/{arguments.graph}.csv")
    for row in summary.itertuples():
        times = f" {row.median_ms:.3f} ms" if row.status == "ok" else ""
        print(f"{row.algorithm} {row.launch}: {row.status}{times}")
    return code


def _gathered(study, folder, probe):
    """The two tables, and how the command ends: well where every run has a record that is believed.

    A damaged one is put aside, said, and due again.
    """
    from warpath.results import failures, gather, limits

    damaged = failures.put_aside(study, folder)
    for line in damaged:
        print(f"warpath: {line}", file=sys.stderr)
    timings, summary = gather.gather(study, folder, limits.rates(probe))
    return timings, summary, 1 if damaged or (summary["status"] == "missing").any() else 0


def _failures(arguments):
    from warpath.lifetime import repeat
    from warpath.results import failures

    study = _study(arguments)
    found = failures.of(study)
    for what, why, log in found:
        print(f"{what}: {why}" + (f"  ({log})" if log else ""))
    if not found:
        print(f"{study.name}: none of {len(study.runs)} runs failed")
        return 0
    settings = _settings(arguments)
    print(f"again, this and nothing else:  {repeat.workflow(settings)}")
    for graph in failures.graphs(study)[:1]:
        print(f"again, for one graph:          {repeat.workflow(settings, f'{RECORDS}/{graph}.csv')}")
    if repeat.UNKNOWN in repeat.job_options():
        print(f"where {repeat.UNKNOWN} stands, give the options by which the last workflow's jobs were submitted")
    return 1


def _figure(arguments):
    from warpath.results import figures, gather, published

    names = figures.known(arguments.names or _study(arguments).figures)
    tables = figures.Tables(*gather.read(arguments.timings, arguments.summary), published.read())
    failed = [name for name in names if not _drawn(name, tables, arguments.output)]
    return 1 if failed else 0


def _drawn(name, tables, folder):
    """One figure that fails is no reason to leave out the rest."""
    import traceback

    from warpath.results import figures

    try:
        figures.draw(name, tables, folder)
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
    """The two tables and the verdicts that they lead to."""
    from warpath.results import claims, gather, limits, published
    from warpath.results.evidence import Evidence

    timings, summary = gather.read(timings, summary)
    return (
        timings,
        summary,
        claims.judge(study.claims, Evidence(timings, summary, published.read(), limits.rates(probe))),
    )


def _publish(arguments):
    from warpath.foundation.errors import UserError
    from warpath.results import publish

    study = _study(arguments)
    if not Path(SUMMARY).exists():
        raise UserError(f"{SUMMARY}: there is no such table; run the workflow first")
    _, summary, judged = _judged(study, TIMINGS, SUMMARY, PROBE)
    of = set(summary["study"])
    if of != {study.name}:
        raise UserError(
            f"{SUMMARY}: the tables are of {', '.join(sorted(of))}, not of {study.name}; name it with --study"
        )
    publish.write(study, _settings(arguments), summary, judged, "results", arguments.folder)
    print(Path(arguments.folder, "README.md"))


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
