"""Compiled hash tables with open addressing: arrays of 2ⁿ slots, searched one after the other."""

import numpy as np

from accord.system.compiled import compiled

# Multipliers of a hash of 64 bits (Steele, Lea and Flood's SplitMix64), with a sign.
MIX_FIRST, MIX_SECOND = -4658895280553007687, -7723592293110705685
FREE = -1


@compiled
def mix_bits(key):
    """Return a hash of an integer, which is not negative."""
    key = (key ^ (key >> 30)) * np.int64(MIX_FIRST)
    key = (key ^ ((key >> 27) & 0x1FFFFFFFFF)) * np.int64(MIX_SECOND)
    return (key ^ (key >> 31)) & 0x7FFFFFFFFFFFFFFF


@compiled
def find_slot(keys, key, hashed):
    """Return the slot that has this key, or the free one where it belongs."""
    slot = hashed & (len(keys) - 1)
    while keys[slot] != FREE and keys[slot] != key:
        slot = (slot + 1) & (len(keys) - 1)
    return slot


@compiled
def find_free_slot(slots, hashed, free):
    """Return the first slot for this hash that has the value `free`."""
    slot = hashed & (len(slots) - 1)
    while slots[slot] != free:
        slot = (slot + 1) & (len(slots) - 1)
    return slot
