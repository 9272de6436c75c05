"""The command `evaluate`: a run against gold pairs."""

import json

from accord.cli import flags
from accord.cli.output import format_number, make_table, print_table


def evaluate(
    folder: flags.Run,
    gold: flags.Gold,
    as_json: flags.Json = False,
) -> None:
    """Print F1, precision and recall of a run against gold pairs."""
    from accord.runs.evaluation import read_gold
    from accord.runs.folder import RunFolder

    pairs = RunFolder(folder).read_phrase_pairs()
    gold_pairs = read_gold(gold)
    answer = gold_pairs.score(pairs)._asdict()
    answer |= {"pairs": len(pairs), "gold": len(gold_pairs.pairs)}
    if as_json:
        print(json.dumps(answer))
        return
    table = make_table(*answer)
    table.add_row(*(format_number(value) for value in answer.values()))
    print_table(table)
