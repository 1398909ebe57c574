import numpy as np
import pytest

from warpath.results import statistics


def test_median_interval_is_reproducible_and_holds_the_median():
    groups = [np.random.default_rng(seed).normal(10, 1, 30) for seed in range(5)]
    median, low, high = statistics.median_interval(groups)
    assert (median, low, high) == statistics.median_interval(groups)
    assert low < median < high
    assert median == np.median(np.concatenate(groups))


def test_interval_of_four_sources_covers_as_often_as_the_docstring_states():
    """Less often than 95 % for the median over all sources, more often for the same sources measured again."""
    rng = np.random.default_rng(1)
    over_all, of_these = 0, 0
    for _ in range(200):
        sources = np.exp(0.3 * rng.normal(size=4))
        _, low, high = statistics.median_interval([source * rng.lognormal(0, 0.03, 5) for source in sources])
        over_all += low <= 1 <= high
        of_these += low <= np.median(sources) <= high
    assert 0.8 < over_all / 200 < 0.93 and of_these / 200 > 0.97


def test_interval_over_processes_covers_what_they_have_in_common(monkeypatch):
    """Within one process it says nothing of how the next one differs; over six it nearly always holds the median."""
    monkeypatch.setattr(statistics, "RESAMPLES", 300)
    rng = np.random.default_rng(5)
    held = {1: 0, 6: 0}
    for _ in range(100):
        processes = [[factor * rng.lognormal(0, 0.005, 5)] * 2 for factor in rng.lognormal(0, 0.03, 6)]
        for count in held:
            _, low, high = statistics.median_interval(*processes[:count])
            held[count] += low <= 1 <= high
    assert held[1] < 40 and held[6] > 85


@pytest.mark.parametrize(
    ("processes", "ends", "words"),
    [
        ([[[3.0, 1.0, 2.0]]], (1, 3), "range of 3 samples"),
        ([[[3.0]]], (3, 3), "range of 1 sample"),
        ([[[1.0, 1.1], [1.2]], [[2.0], [2.1]]], (1, 2.1), "range over 2 processes"),
        ([[[5.0] * 6]], (5, 5), "95 % interval within one process"),
        ([[[5.0]]] * 6, (5, 5), "95 % interval over 6 processes"),
    ],
)
def test_few_processes_or_samples_have_a_range(processes, ends, words):
    processes = [[np.array(times) for times in process] for process in processes]
    assert statistics.median_interval(*processes)[1:] == ends
    count = sum(len(times) for process in processes for times in process)
    assert statistics.interval_in_words(len(processes), count) == words


@pytest.mark.parametrize(
    ("between", "within", "least", "most"), [(0.03, 0.01, 75, 97), (0, 0.01, 0, 10), (0.03, 0, 100, 100)]
)
def test_the_share_of_the_spread_between_processes_knows_nothing_of_sources(between, within, least, most):
    rng = np.random.default_rng(2)
    process, source, _ = np.indices((20, 4, 5))
    logs = rng.normal(0, between, 20)[process] + np.array([0, 1, 3, 5])[source] + rng.normal(0, within, process.shape)
    share = statistics.percent_between(np.exp(logs).ravel(), source.ravel(), process.ravel())
    assert least <= share <= most + 1e-9
    assert statistics.percent_between([1.0, 2.0], [0, 0], [1, 1]) is None  # one process
    assert statistics.percent_between([1.0, 2.0], [0, 0], [1, 2]) is None  # nothing was repeated


def test_sources_are_the_same_in_all_processes_of_a_resample_which_may_lack_some():
    rng = np.random.default_rng(0)
    one = [np.full(3, time) for time in (1.0, 2.0, 4.0)]
    (alike,) = statistics.resampled_medians([one] * 6, rng=rng)
    assert len(set(alike)) > 1 and set(alike) <= {1, 1.5, 2, 3, 4}
    assert statistics.resampled_medians([one, one[:1]], rng=rng)[0].min() == 1


def test_differing_sources_widen_the_interval():
    alike = statistics.median_interval([np.array([5.0, 5.1])] * 4)
    unlike = statistics.median_interval([np.array([x, x + 0.1]) for x in (1.0, 3.0, 7.0, 9.0)])
    assert unlike[2] - unlike[1] > 10 * (alike[2] - alike[1])
    _, low, _ = statistics.median_interval([np.array([5.0]), np.array([5.0, 6.0, 7.0])])
    assert low >= 5, "the padding of ragged samples enters"


def test_ratio_pairs_shared_sources_and_resamples_each_side_without_any():
    slow = {source: np.array([10.0, 10.0]) * source for source in (1, 2, 50)}
    fast = {source: np.array([1.0, 1.0]) * source for source in (1, 2, 50)}
    ratio, low, high = statistics.ratio_interval([slow], [fast])
    assert ratio == low == high == pytest.approx(10)  # unpaired, a lucky draw would spread it from 0.2 to 500
    assert statistics.ratio_interval([{1: np.array([8.0, 9, 10])}], [{2: np.array([2.0, 2, 2])}]) == (4.5, 4, 5)


def test_paired_ratio_ignores_how_far_sources_are_apart():
    before = {1: [1.0, 1.02, 0.99], 2: [50.0, 50.5]}  # sources differ 50 times, and in their number of samples
    after = {source: [0.8 * time for time in times] for source, times in before.items()}
    ratio, low, high = statistics.paired_ratio_interval(after, before | {3: [9.0]})
    assert ratio == pytest.approx(0.8) and 0.77 < low < 0.8 < high < 0.83


def test_quotient_of_intervals_adds_half_widths_as_squares():
    ratio, low, high = statistics.quotient_interval((2, 2 / 1.03, 2 * 1.03), (1, 1 / 1.04, 1.04))
    width = np.hypot(np.log(1.03), np.log(1.04))
    assert (ratio, low, high) == pytest.approx((2, 2 * np.exp(-width), 2 * np.exp(width)))


def test_sources_count_the_same_however_many_samples_each_has():
    rng = np.random.default_rng(1)
    even = [rng.lognormal(size=7) for _ in range(6)]
    assert statistics.even_median(even) == np.median(np.concatenate(even))
    assert statistics.even_median([np.array([1.0, 1, 1, 1, 1]), np.array([5.0])]) == 3
    assert statistics.even_median([np.array([3.0])]) == 3
    fast = {0: np.full(9, 0.96), 1: np.full(2, 9.6)}
    slow = {0: np.full(2, 1.0), 1: np.full(9, 10.0)}
    ratio, low, high = statistics.ratio_interval([fast], [slow])
    assert low <= ratio <= high
    assert ratio == pytest.approx(0.96)
