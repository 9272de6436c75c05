"""The numbers in the paper, F1 in percent: C→E, E→C, outer, inner.

Liu et al., ACL 2016, Tables 1 and 2, on LDC Chinese-English. The figures (agreement ratios, F1 on
the test set) have no numbers in the text but "after 10 iterations, about 40%" for the ratios.
"""

Row = tuple[float, float, float, float]

SEEDS: dict[int, Row] = {
    50: (4.1, 4.8, 60.8, 66.2),
    100: (5.1, 5.5, 65.6, 69.8),
    500: (7.5, 8.4, 70.4, 72.5),
    1_000: (22.4, 23.1, 73.6, 74.3),
}

# By Chinese and English noise.
NOISE: dict[tuple[int, int], Row] = {
    (0, 0): (58.5, 61.2, 86.5, 86.1),
    (0, 10_000): (41.0, 54.4, 83.6, 83.8),
    (0, 20_000): (28.3, 48.3, 80.1, 81.2),
    (10_000, 0): (54.7, 43.1, 84.9, 84.3),
    (20_000, 0): (50.4, 31.4, 83.8, 83.6),
    (10_000, 10_000): (34.9, 34.4, 80.0, 79.7),
    (20_000, 20_000): (22.4, 23.1, 73.6, 74.3),
}

AGREEMENT_RATIO = 0.40
