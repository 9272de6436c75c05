"""What has changed from one run to another."""

from accord.runs.changes import changes


def test_changes() -> None:
    before = [("a", "x"), ("a", "y"), ("b", "z"), ("c", "u")]
    after = [("a", "y"), ("a", "x"), ("a", "v"), ("c", "w"), ("d", "q")]
    assert [change[1:] for change in changes("phrase", before, after)] == [
        ("new", "a", "", "v"),
        ("lost", "b", "z", ""),
        ("changed", "c", "u", "w"),
        ("new", "d", "", "q"),
    ]
    assert [change[1:] for change in changes("word", before, after)] == [
        ("changed", "a", "x", "y"),
        ("lost", "b", "z", ""),
        ("changed", "c", "u", "w"),
        ("new", "d", "", "q"),
    ]
