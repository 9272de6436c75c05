"""The changes from one run to another."""

from accord.runs.changes import list_changes


def test_changes() -> None:
    before = [("a", "x"), ("a", "y"), ("b", "z"), ("c", "u")]
    after = [("a", "y"), ("a", "x"), ("a", "v"), ("c", "w"), ("d", "q")]
    assert [change[1:] for change in list_changes("phrase", before, after)] == [
        ("new", "a", "", "v"),
        ("lost", "b", "z", ""),
        ("changed", "c", "u", "w"),
        ("new", "d", "", "q"),
    ]
    assert [change[1:] for change in list_changes("word", before, after)] == [
        ("changed", "a", "x", "y"),
        ("lost", "b", "z", ""),
        ("changed", "c", "u", "w"),
        ("new", "d", "", "q"),
    ]
