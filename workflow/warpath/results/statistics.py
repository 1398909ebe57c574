"""Medians with bootstrap intervals, rates, ratios and performance profiles; every random draw is seeded.

Samples are grouped by process, and within it by start vertex, because repetitions from one source in one process
resemble each other more than others. Every source counts the same, also where a budget ended before all had as many
samples. The bootstrap therefore draws processes first, then sources, the same ones in each process, and then
repetitions. Two algorithms that ran from the same sources are resampled together, so that a lucky source favours
neither.

The 95 % interval is the percentile interval of the median over all sources and processes that could have been drawn. It
is too narrow where these are few: it contains that median in 85 to 90 % of cases with 4 sources and in 93 % with 8, and
in 92 % with 6 processes. It nearly always contains the median of the same sources measured again in the same process.
Of fewer than 6 processes or samples a median has a range in its place. All-pairs problems have a single source.
"""

import functools
from itertools import chain, cycle

import numpy as np

from warpath.base.text import counted

RESAMPLES = 2000
SEED = 20240229
COVERAGE = 0.95
ENOUGH = 6  # processes or samples; with fewer, the ends of the 95 % interval would be those of their range
# A single sample has no interval of its own. Of 1,951 published runs with three samples or more from their first
# source, the first sample was within this factor of their median in 98 %, and within 2 in all but one.
SINGLE_MARGIN = 1.25


def grouped(values, groups):
    """Split `values` into one array per distinct group, in ascending order of groups."""
    values, groups = np.asarray(values, float), np.asarray(groups)
    return [values[groups == group] for group in np.unique(groups)]


def even_median(samples):
    """The median of all samples, each weighted so that every group counts the same."""
    values = np.concatenate(samples)
    weights = np.concatenate([np.full(len(group), 1 / len(group)) for group in samples])
    order = np.argsort(values)
    below = np.cumsum(weights[order]) - len(samples) / 2
    middle = np.searchsorted(below, -1e-9)
    last = middle + 1 if abs(below[middle]) < 1e-9 else middle  # exactly half lie below: between two samples
    return float((values[order][middle] + values[order][last]) / 2)


def resampled_medians(*sides, rng=None, paired=True):
    """The median of each bootstrap resample of each side, whose processes have their samples by source.

    If `paired`, sources are the same on all sides. Without `rng` the draws are those of SEED.
    """
    shapes = tuple(tuple(tuple(map(len, process)) for process in side) for side in sides)
    drawn = _drawn(shapes, paired, RESAMPLES, rng) if rng else _drawn_from_seed(shapes, paired, RESAMPLES)
    samples = (np.concatenate([*chain(*side)]) for side in sides)
    return [_row_medians(values[places]) for values, places in zip(samples, drawn, strict=True)]


@functools.lru_cache(maxsize=8)
def _drawn_from_seed(shapes, paired, resamples):
    """Draw once for all sides of the same shapes: drawing takes far longer than the medians of what is drawn."""
    return _drawn(shapes, paired, resamples, np.random.default_rng(SEED))


def _drawn(shapes, paired, resamples, rng):
    """For each side the places of the samples of its resamples; its shape is their number by process and source.

    A process that has fewer sources than others repeats some.
    """
    most = [max(map(len, shape)) for shape in shapes]
    sources = [rng.integers(count, size=(resamples, count)) for count in (most[:1] if paired else most)]
    drawn = []
    for shape, mine in zip(shapes, cycle(sources), strict=False):
        sizes, counts = np.array([*chain(*shape)]), np.array([*map(len, shape)])
        of = resamples, len(shape)
        processes = rng.integers(len(shape), size=of) if len(shape) > 1 else np.zeros(of, int)
        first = (np.cumsum(counts) - counts)[processes]
        picks = (first[..., None] + mine[:, None] % counts[processes][..., None]).reshape(resamples, -1, 1)
        samples = rng.integers(0, sizes[picks], size=(*picks.shape[:2], sizes.max()))
        drawn.append(((np.cumsum(sizes) - sizes)[picks] + samples).reshape(resamples, -1))
    return drawn


def _row_medians(values):
    """`np.median(values, axis=1)` by sorting, which takes less than half the time for rows as short as these."""
    ordered = np.sort(values, axis=1)
    return (ordered[:, (values.shape[1] - 1) // 2] + ordered[:, values.shape[1] // 2]) / 2


def interval(resamples):
    """The middle 95 % of the resamples."""
    tail = 50 * (1 - COVERAGE)
    low, high = np.percentile(resamples, [tail, 100 - tail])
    return float(low), float(high)


def prediction_limit(sizes):
    """What one more of such absolute values exceeds in at most 5 % of cases.

    A quantile, which no outlier moves; where they are too few for one, Student's t times their root mean square, or the
    largest.
    """
    rank = int(np.ceil(COVERAGE * (len(sizes) + 1)))
    if rank <= len(sizes):
        return float(np.sort(sizes)[rank - 1])
    from scipy.special import stdtrit

    student = stdtrit(len(sizes), (1 + COVERAGE) / 2) * np.sqrt(np.mean(np.square(sizes)))
    return float(max(student, np.max(sizes)))


def median_interval(*processes):
    """Median of all samples and its interval: (median, low, high). Each process has its samples by source."""
    samples = [*chain(*processes)]
    if 1 < len(processes) < ENOUGH:
        lows, highs = zip(*(median_interval(process)[1:] for process in processes), strict=True)
        ends = min(lows), max(highs)
    elif sum(map(len, samples)) < ENOUGH:
        ends = float(np.concatenate(samples).min()), float(np.concatenate(samples).max())
    else:
        ends = interval(*resampled_medians(processes))
    return even_median(samples), *ends


def interval_in_words(processes, samples):
    """What the interval of a median is, with so many processes and samples."""
    if 1 < processes < ENOUGH:
        return f"range over {processes} processes"
    if samples < ENOUGH:
        return f"range of {counted(samples, 'sample')}"
    return f"95 % interval {'within one process' if processes == 1 else f'over {processes} processes'}"


def percent_between(values, sources, processes):
    """Percentage of the variance of logarithms, source by source, that is between processes; None if nothing tells."""
    logs = np.log(values)
    _, source = np.unique(sources, return_inverse=True)
    means = np.bincount(source, logs) / np.bincount(source)
    groups = grouped(logs - means[source], processes)
    above, below = len(groups) - 1, len(logs) - len(groups) - len(means) + 1  # degrees of freedom
    if min(above, below) < 1:
        return None
    within = sum(((group - group.mean()) ** 2).sum() for group in groups) / below
    between = sum(len(group) * group.mean() ** 2 for group in groups) / above - within
    between = max(0.0, between * len(groups) / len(logs))
    return float(100 * between / (between + within)) if between + within else None


def geometric_mean_interval(samples):
    """Geometric mean of the groups' medians and its interval: (mean, low, high).

    Only repetitions are resampled: published numbers that this is compared with come from the same sources.
    """
    rng = np.random.default_rng(SEED)
    medians = [_row_medians(rng.choice(group, (RESAMPLES, len(group)))) for group in samples]
    mean = np.exp(np.mean([np.log(np.median(group)) for group in samples]))
    return float(mean), *interval(np.exp(np.mean(np.log(medians), axis=0)))


def ratio_interval(numerator, denominator):
    """Ratio of medians and its interval: (ratio, low, high). Arguments map a source to its samples, for each process.

    Only sources that all share are compared; where they share none, each side is resampled by itself.
    """
    (above, below), _ = _sides(numerator, denominator)
    ratio = even_median([*chain(*above)]) / even_median([*chain(*below)])
    return ratio, *interval(drawn_ratios(numerator, denominator))


def paired_ratio_interval(numerator, denominator):
    """Geometric mean over the shared sources of the ratio of medians, and its interval: (ratio, low, high).

    For one algorithm measured twice: how much sources differ from each other cancels, whatever the number of samples
    from each. Arguments map a source to its samples.
    """
    rng = np.random.default_rng(SEED)
    shared = sorted(numerator.keys() & denominator.keys())
    ratios, drawn = [], []
    for source in shared:
        sides = [np.asarray(side[source], float) for side in (numerator, denominator)]
        above, below = (_row_medians(rng.choice(side, (RESAMPLES, len(side)))) for side in sides)
        ratios.append(np.log(np.median(sides[0]) / np.median(sides[1])))
        drawn.append(np.log(above / below))
    picks = rng.integers(len(shared), size=(RESAMPLES, len(shared)))
    means = np.take_along_axis(np.stack(drawn, axis=1), picks, axis=1).mean(axis=1)
    return float(np.exp(np.mean(ratios))), *interval(np.exp(means))


def quotient_interval(numerator, denominator):
    """Ratio of two medians, each given as (median, low, high), and its interval: (ratio, low, high).

    For tables without samples. The sides are taken as independent: half-widths of logarithms add as squares. Where both
    ran from the same sources this is wider than `paired_ratio_interval`.
    """
    (above, above_low, above_high), (below, below_low, below_high) = numerator, denominator
    ratio = above / below
    down = np.hypot(np.log(above / above_low), np.log(below_high / below))
    up = np.hypot(np.log(above_high / above), np.log(below / below_low))
    return float(ratio), float(ratio * np.exp(-down)), float(ratio * np.exp(up))


def drawn_ratios(numerator, denominator, rng=None):
    """The ratios of bootstrap resamples, drawn from the same sources on both sides where they share some."""
    sides, paired = _sides(numerator, denominator)
    above, below = resampled_medians(*sides, rng=rng, paired=paired)
    return above / below


def _sides(numerator, denominator):
    """The processes of each side, restricted to sources that all share if there are any, and whether there are."""
    shared = sorted(set.intersection(*map(set, [*numerator, *denominator])))
    sides = numerator, denominator
    return [[[each[source] for source in shared or sorted(each)] for each in side] for side in sides], bool(shared)


def slope(x, y):
    """Exponent b of the best-fitting power law y = a * x**b: the slope of a line through the logarithms."""
    return float(np.polyfit(np.log(np.asarray(x, float)), np.log(np.asarray(y, float)), 1)[0])
