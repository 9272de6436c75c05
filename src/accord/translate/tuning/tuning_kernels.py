"""The compiled loop of tuning: which translation is the best, as a weight changes."""

import numpy as np

from accord.system.compiled import compiled


@compiled
def envelopes(offsets, values, slopes, order):
    """For each sentence the translations that are the best for some γ, by values + γ·slopes.

    Sentence n has the translations offsets[n]..offsets[n + 1] - 1; `order` has them by sentence,
    and there by rising slope, of equal ones the better last. Returns (translations, the γ from
    which each is the best), sentence by sentence by rising γ, the first of each from -∞ on.
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
                if slopes[one] == slopes[last]:  # the same slope, and no worse
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
