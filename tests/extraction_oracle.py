"""Symmetrising, phrase extraction and lexical weights in plain loops, for one sentence pair.

Notation: a link is a pair (i, j) of 0-based positions; a span is (first, last), both inside
"""

import math

Link = tuple[int, int]
Span = tuple[int, int]


def grow_diag_final_and(forward: set[Link], backward: set[Link], I: int, J: int) -> set[Link]:
    """Koehn's pseudo-code."""
    chosen, union = forward & backward, forward | backward

    def linked(i: int | None = None, j: int | None = None) -> bool:
        return any(a == i or b == j for a, b in chosen)

    grown = True
    while grown:
        grown = False
        for i in range(I):
            for j in range(J):
                if (i, j) not in chosen:
                    continue
                for a in (i - 1, i, i + 1):
                    for b in (j - 1, j, j + 1):
                        new = not linked(i=a) or not linked(j=b)
                        if (a, b) in union - chosen and new:
                            chosen.add((a, b))
                            grown = True
    for direction in (forward, backward):
        for i, j in sorted(direction):
            if not linked(i=i) and not linked(j=j):
                chosen.add((i, j))
    return chosen


def consistent_pairs(links: set[Link], I: int, J: int, longest: int) -> set[tuple[Span, Span]]:
    """Return all pairs of spans with a link inside and no link that leaves them."""
    spans_i = [(a, b) for a in range(I) for b in range(a, min(I, a + longest))]
    spans_j = [(a, b) for a in range(J) for b in range(a, min(J, a + longest))]
    return {
        (s, t)
        for s in spans_i
        for t in spans_j
        if any(s[0] <= i <= s[1] and t[0] <= j <= t[1] for i, j in links)
        and all((s[0] <= i <= s[1]) == (t[0] <= j <= t[1]) for i, j in links)
    }


def lexical_weight(
    words_e: list[str],
    words_f: list[str],
    links: set[Link],
    weights: dict[tuple[str | None, str], float],
) -> float:
    """Π over f of the mean w(f|e) of its links; w(f|NULL) for a word without any."""
    product = 1.0
    for j, f in enumerate(words_f):
        linked = [weights[words_e[i], f] for i, b in links if b == j]
        product *= sum(linked) / len(linked) if linked else weights.get((None, f), 0.0)
    return product if math.isfinite(product) else 0.0
