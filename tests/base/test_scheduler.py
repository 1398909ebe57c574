import threading
from datetime import timedelta

import yaml

from warpath.base import places, rounds


def test_timers_of_no_limit_end_and_those_of_a_limit_stay():
    without, limited = threading.Timer(rounds.NEVER, print), threading.Timer(1000, print)
    for timer in (without, limited):
        timer.start()
    rounds.watch()
    without.join(timeout=30)
    assert not without.is_alive() and limited.is_alive()
    limited.cancel()


def test_the_profiles_have_no_limit():
    for profile in ("default", "slurm"):
        options = yaml.safe_load((places.ROOT / "profiles" / profile / "config.yaml").read_text())
        assert options["max-jobs-per-timespan"] == f"1000000/{timedelta(seconds=rounds.NEVER).days}d"
