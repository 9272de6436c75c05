"""Whether somebody has pressed Ctrl-C."""


def interrupted(error: BaseException | None) -> bool:
    """An interrupt in compiled code is known only as the cause of the SystemError that Numba then
    raises."""
    return isinstance(error, KeyboardInterrupt) or (
        isinstance(error, SystemError) and interrupted(error.__cause__)
    )
