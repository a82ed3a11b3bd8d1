"""A mark for each row of codes."""

from likely.numeric.jit import kernel


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
