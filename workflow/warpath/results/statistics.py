"""Medians with honest intervals, rates, ratios and profiles; every random draw is seeded.

A run's samples come in groups, one per source vertex: repetitions from one source resemble each other more than they
resemble those from another. The bootstrap therefore draws sources first and repetitions within them second, and two
algorithms that were given the same sources are resampled together, so that a lucky source cannot favour either.

A 95 % interval is thus one for the median over all sources that might have been drawn, by percentiles of the bootstrap.
Those lie too close together where groups are few: of 4 sources they hold it in 85 to 90 % of cases, of 8 in 93.
The median of the sources that were drawn, measured again, they nearly always hold. All pairs have one group alone.
"""

import numpy as np

RESAMPLES = 2000
SEED = 20240229
COVERAGE = 0.95


def grouped(values, groups):
    """`values` as a list of arrays, one per distinct group, groups ascending."""
    values, groups = np.asarray(values, float), np.asarray(groups)
    return [values[groups == group] for group in np.unique(groups)]


def resampled_medians(samples, picks, rng):
    """The median of each bootstrap resample: `picks` names the groups drawn, repetitions are drawn here."""
    sizes = np.array([len(group) for group in samples])
    padded = np.zeros((len(samples), sizes.max()))
    for row, group in zip(padded, samples, strict=True):
        row[: len(group)] = group
    drawn = rng.integers(0, sizes[picks][..., None], size=(*picks.shape, sizes.max()))
    return np.median(padded[picks[..., None], drawn].reshape(len(picks), -1), axis=1)


def drawn_medians(samples, rng):
    """The medians of bootstrap resamples of groups and, within them, of repetitions."""
    return resampled_medians(samples, rng.integers(len(samples), size=(RESAMPLES, len(samples))), rng)


def interval(resamples):
    """The middle 95 % of the resamples."""
    tail = 50 * (1 - COVERAGE)
    low, high = np.percentile(resamples, [tail, 100 - tail])
    return float(low), float(high)


def median_interval(samples):
    """Median of all samples and its bootstrap interval: (median, low, high)."""
    low, high = interval(drawn_medians(samples, np.random.default_rng(SEED)))
    return float(np.median(np.concatenate(samples))), low, high


def geometric_mean_interval(samples):
    """Geometric mean over the groups of each one's median: (mean, low, high). The groups are what they are, as in a
    published number of the same sources; only repetitions are resampled."""
    rng = np.random.default_rng(SEED)
    medians = [np.median(rng.choice(group, (RESAMPLES, len(group))), axis=1) for group in samples]
    mean = np.exp(np.mean([np.log(np.median(group)) for group in samples]))
    return float(mean), *interval(np.exp(np.mean(np.log(medians), axis=0)))


def ratio_interval(numerator, denominator):
    """Ratio of medians and its interval: (ratio, low, high). Arguments map a source to its samples.

    The sources that both sides share are compared; where they share none (or are not about sources), each side is
    resampled by itself.
    """
    above, below, _ = _sides(numerator, denominator)
    ratio = np.median(np.concatenate(above)) / np.median(np.concatenate(below))
    return float(ratio), *interval(drawn_ratios(numerator, denominator, np.random.default_rng(SEED)))


def drawn_ratios(numerator, denominator, rng):
    """The ratios of bootstrap resamples, both sides of the same sources where they share some."""
    above, below, shared = _sides(numerator, denominator)
    picks = rng.integers(len(above), size=(RESAMPLES, len(above)))
    other = picks if shared else rng.integers(len(below), size=(RESAMPLES, len(below)))
    return resampled_medians(above, picks, rng) / resampled_medians(below, other, rng)


def _sides(numerator, denominator):
    """The samples of each side by source, of the sources that both share if there are any, and whether there are."""
    shared = sorted(numerator.keys() & denominator.keys())
    above = [numerator[source] for source in shared or sorted(numerator)]
    below = [denominator[source] for source in shared or sorted(denominator)]
    return above, below, bool(shared)


def harmonic_mean(rates):
    """The mean that belongs to rates over equal work; 0 where nothing is positive enough to have one."""
    rates = np.asarray(rates, float)
    if not len(rates) or (rates <= 0).any():
        return 0.0
    return float(len(rates) / np.sum(1 / rates))


def traversed_per_second(milliseconds, arcs, sources):
    """Harmonic mean over sources of arcs visited per second, each source by its median time."""
    times, visited = grouped(milliseconds, sources), grouped(arcs, sources)
    return harmonic_mean(
        [np.median(count) / (np.median(time) / 1000) for time, count in zip(times, visited, strict=True)]
    )


def performance_profile(times, asked=None):
    """Dolan and More's profile: `times` is a table solvers (columns) x problems (rows), NaN where unsolved.

    Returns, per solver, the sorted factors by which it missed the best time and the share of the problems that it was
    `asked` (all, unless told), those that nobody solved too, which it solved within each: a curve that starts at the
    share of problems where the solver is the best.
    """
    factors = times.div(times.min(axis=1), axis=0)
    problems = {solver: len(times) if asked is None else asked[solver].sum() for solver in times.columns}
    return {
        solver: (
            np.sort(factors[solver].dropna().to_numpy()),
            np.arange(1, factors[solver].count() + 1) / max(problems[solver], 1),
        )
        for solver in factors.columns
    }


def slope(x, y):
    """Exponent b of the best power law y = a * x**b: the slope of a line through the logarithms."""
    return float(np.polyfit(np.log(np.asarray(x, float)), np.log(np.asarray(y, float)), 1)[0])
