"""Numbers as codes: the place of each among the upper ends of bins."""

from likely.numeric.jit import kernel


@kernel
def place_in_bins(values, high, codes):  # type: ignore[no-untyped-def]
    """Write the first bin whose upper end is not below the value; a gap (NaN) is the number of bins."""
    bins = len(high)
    for i in range(len(values)):
        v = values[i]
        first, left = 0, bins
        while left > 1:  # the same steps for every value: nothing to be guessed wrong
            half = left >> 1
            first = first + half if high[first + half - 1] < v else first
            left -= half
        codes[i] = bins if v != v else first


@kernel
def hash_rows(codes, out):  # type: ignore[no-untyped-def]
    """A number of 64 bits for each row of codes (d, n), the same for equal rows wherever they stand."""
    d, n = codes.shape
    for i in range(n):
        out[i] = 0x9E3779B97F4A7C15
    for j in range(d):
        row = codes[j]
        for i in range(n):
            z = (out[i] ^ row[i]) * 0xBF58476D1CE4E5B9
            out[i] = z ^ (z >> 29)
