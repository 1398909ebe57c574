"""Medians with bootstrap intervals, rates, ratios and performance profiles; every random draw is seeded.

Samples are grouped by start vertex, because repetitions from one source resemble each other more than those from
another. Every source counts the same, also where a budget ended before all had as many samples. The bootstrap
therefore draws sources first and repetitions within each second. Two algorithms that ran from the same sources are
resampled together, so that a lucky source favours neither.

The 95 % interval is the percentile interval of the median over all sources that could have been drawn. It is too
narrow where sources are few: it contains that median in 85 to 90 % of cases with 4 sources and in 93 % with 8. It
nearly always contains the median of the same sources measured again. All-pairs problems have a single group.
"""

import numpy as np

RESAMPLES = 2000
SEED = 20240229
COVERAGE = 0.95
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


def resampled_medians(samples, picks, rng):
    """The median of each bootstrap resample; `picks` holds the groups drawn for it, repetitions are drawn here."""
    sizes = np.array([len(group) for group in samples])
    padded = np.zeros((len(samples), sizes.max()))
    for row, group in zip(padded, samples, strict=True):
        row[: len(group)] = group
    drawn = rng.integers(0, sizes[picks][..., None], size=(*picks.shape, sizes.max()))
    return _row_medians(padded[picks[..., None], drawn].reshape(len(picks), -1))


def _row_medians(values):
    """`np.median(values, axis=1)` by sorting, which takes less than half the time for rows as short as these."""
    ordered = np.sort(values, axis=1)
    return (ordered[:, (values.shape[1] - 1) // 2] + ordered[:, values.shape[1] // 2]) / 2


def drawn_medians(samples, rng):
    """The medians of bootstrap resamples, which draw groups and then repetitions."""
    return resampled_medians(samples, rng.integers(len(samples), size=(RESAMPLES, len(samples))), rng)


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


def mean_interval(values):
    """Mean of two values or more and its interval by Student's t: (mean, low, high)."""
    from scipy.special import stdtrit

    reach = stdtrit(len(values) - 1, (1 + COVERAGE) / 2) * np.std(values, ddof=1) / np.sqrt(len(values))
    return np.mean(values), np.mean(values) - reach, np.mean(values) + reach


def median_interval(samples):
    """Median of all samples and its bootstrap interval: (median, low, high)."""
    return even_median(samples), *interval(drawn_medians(samples, np.random.default_rng(SEED)))


def geometric_mean_interval(samples):
    """Geometric mean of the groups' medians and its interval: (mean, low, high).

    Only repetitions are resampled: published numbers that this is compared with come from the same sources.
    """
    rng = np.random.default_rng(SEED)
    medians = [_row_medians(rng.choice(group, (RESAMPLES, len(group)))) for group in samples]
    mean = np.exp(np.mean([np.log(np.median(group)) for group in samples]))
    return float(mean), *interval(np.exp(np.mean(np.log(medians), axis=0)))


def ratio_interval(numerator, denominator):
    """Ratio of medians and its interval: (ratio, low, high). Arguments map a source to its samples.

    Only sources that both sides share are compared; where they share none, each side is resampled by itself.
    """
    above, below, _ = _sides(numerator, denominator)
    ratio = even_median(above) / even_median(below)
    return ratio, *interval(drawn_ratios(numerator, denominator, np.random.default_rng(SEED)))


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


def drawn_ratios(numerator, denominator, rng):
    """The ratios of bootstrap resamples, drawn from the same sources on both sides where they share some."""
    above, below, shared = _sides(numerator, denominator)
    picks = rng.integers(len(above), size=(RESAMPLES, len(above)))
    other = picks if shared else rng.integers(len(below), size=(RESAMPLES, len(below)))
    return resampled_medians(above, picks, rng) / resampled_medians(below, other, rng)


def _sides(numerator, denominator):
    """Each side's samples grouped by source, restricted to shared sources if there are any, and whether there are."""
    shared = sorted(numerator.keys() & denominator.keys())
    above = [numerator[source] for source in shared or sorted(numerator)]
    below = [denominator[source] for source in shared or sorted(denominator)]
    return above, below, bool(shared)


def traversed_per_second(milliseconds, arcs, sources):
    """Harmonic mean over sources of arcs visited per second, with each source's median time."""
    times, visited = grouped(milliseconds, sources), grouped(arcs, sources)
    seconds = [np.median(time) / 1000 / np.median(count) for time, count in zip(times, visited, strict=True)]
    return float(1 / np.mean(seconds))


def performance_profile(times, asked):
    """Dolan and Moré's performance profile of `times`, a table of problems (rows) by solvers, NaN where unsolved.

    Returns for each solver its sorted factors over the best time, and the share of problems that it solved within each
    factor. The share is of the problems that the solver was `asked` to solve, whether solved or not.
    """
    factors = times.div(times.min(axis=1), axis=0)
    solved = {solver: np.sort(column.dropna().to_numpy()) for solver, column in factors.items()}
    return {
        solver: (each, np.arange(1, len(each) + 1) / max(asked[solver].sum(), 1)) for solver, each in solved.items()
    }


def correlations(columns, values):
    """Pearson's correlation of each column with `values`."""
    columns, values = columns - columns.mean(axis=0), values - values.mean()
    return values @ columns / np.sqrt((columns**2).sum(axis=0) * (values**2).sum())


def slope(x, y):
    """Exponent b of the best-fitting power law y = a * x**b: the slope of a line through the logarithms."""
    return float(np.polyfit(np.log(np.asarray(x, float)), np.log(np.asarray(y, float)), 1)[0])
