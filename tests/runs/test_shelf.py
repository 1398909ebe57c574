from warpath.runs.shelf import Shelf


def test_values_of_the_current_run_stay_beyond_the_limit_unless_they_are_released():
    shelf = Shelf(limit=10)
    for key in "abc":
        assert shelf.get(key, lambda: 6, lambda value: value) == 6
    assert [key for key, _ in shelf.items()] == ["a", "b", "c"]
    shelf.release("a")
    shelf.release("b")
    shelf.get("d", lambda: 4, lambda value: value)
    assert ([key for key, _ in shelf.items()], shelf.bytes) == (["c", "d"], 10)
