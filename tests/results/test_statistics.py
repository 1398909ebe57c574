import numpy as np
import pandas as pd
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


def test_differing_sources_widen_the_interval():
    alike = statistics.median_interval([np.array([5.0, 5.1])] * 4)
    unlike = statistics.median_interval([np.array([x, x + 0.1]) for x in (1.0, 3.0, 7.0, 9.0)])
    assert unlike[2] - unlike[1] > 10 * (alike[2] - alike[1])
    assert statistics.median_interval([np.array([3.0])]) == (3, 3, 3)  # a single sample
    _, low, _ = statistics.median_interval([np.array([5.0]), np.array([5.0, 6.0, 7.0])])
    assert low >= 5, "the padding of ragged samples enters"


def test_ratio_pairs_shared_sources_and_resamples_each_side_without_any():
    slow = {source: np.array([10.0, 10.0]) * source for source in (1, 2, 50)}
    fast = {source: np.array([1.0, 1.0]) * source for source in (1, 2, 50)}
    ratio, low, high = statistics.ratio_interval(slow, fast)
    assert ratio == low == high == pytest.approx(10)  # unpaired, a lucky draw would spread it from 0.2 to 500
    assert statistics.ratio_interval({1: np.array([8.0, 9, 10])}, {2: np.array([2.0, 2, 2])}) == (4.5, 4, 5)


@pytest.mark.parametrize(("asked", "shares"), [([True] * 3, [1 / 3, 2 / 3]), ([True, True, False], [1 / 2, 1])])
def test_performance_profile_by_hand(asked, shares):
    times = pd.DataFrame({"a": [1, 2, 8], "b": [2, 1, np.nan]})
    profile = statistics.performance_profile(times, pd.DataFrame({"a": [True] * 3, "b": asked}))
    assert profile["a"][0].tolist() == [1, 1, 2] and profile["b"][0].tolist() == [1, 2]
    assert profile["a"][1].tolist() == pytest.approx([1 / 3, 2 / 3, 1])
    assert profile["b"][1].tolist() == pytest.approx(
        shares
    )  # where it was asked a third time, it never reaches the top


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
    ratio, low, high = statistics.ratio_interval(fast, slow)
    assert low <= ratio <= high
    assert ratio == pytest.approx(0.96)
