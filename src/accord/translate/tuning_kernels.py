"""The compiled loop of tuning: which translation is the best as a weight changes."""

import numpy as np

from accord.system.compiled import compiled


@compiled
def upper_envelopes(offsets, values, slopes, order):
    """Return, for each sentence, the translations that are the best for some γ.

    A translation scores values + γ·slopes. Sentence n has the translations
    offsets[n]..offsets[n + 1] - 1; `order` sorts them by sentence, then by slope, then by value.
    Returns (translations, the least γ for which each is the best), by sentence and increasing γ;
    the first γ of each sentence is -∞.
    """
    size = len(order)
    best = np.empty(size, np.int64)
    begins = np.empty(size)
    found = 0
    for n in range(len(offsets) - 1):
        first = found
        for at in range(offsets[n], offsets[n + 1]):
            one = order[at]
            begin = -np.inf
            while found > first:
                last = best[found - 1]
                if slopes[one] == slopes[last]:  # the same slope, and at least as good
                    found -= 1
                    continue
                begin = (values[last] - values[one]) / (slopes[one] - slopes[last])
                if begin > begins[found - 1]:
                    break
                found -= 1
                begin = -np.inf
            best[found], begins[found] = one, begin
            found += 1
    return best[:found], begins[:found]
