"""Weights corrected row by row: the delta rule, and its logistic and softmax forms.

    w_c <- w_c - rate (output_c - target_c) x         output: w x, 1 / (1 + e^-wx), or softmax

The rate of step t is `first` / (1 + (t - 1) / 1000) ** decay.
"""

import math

from likely.numeric.jit import kernel


@kernel
def online_pass(x, order, codes, targets, weight, decay_weights, first, decay, step, kind, w, out):  # type: ignore[no-untyped-def]
    """One pass over rows x (n, m) in this order, changing w (vectors, m); give the number of steps and the loss.

    `targets` (k, vectors) has the outputs that each class should have, `weight` (n,) or (0,) what rows weigh,
    `decay_weights` (m,) how much of each weight a step takes away per unit of rate. `kind` is 0 for plain outputs (half
    the squares are the loss), 1 for logistic, 2 for softmax ones. `out` (vectors,) is room to work in.
    """
    vectors, m = w.shape
    loss = 0.0
    for at in range(order.shape[0]):
        i = order[at]
        y = codes[i]
        share = weight[i] if weight.shape[0] > 0 else 1.0
        step += 1
        rate = first / (1.0 + (step - 1) / 1000.0) ** decay
        largest = -math.inf
        for c in range(vectors):
            z = 0.0
            for j in range(m):
                z += w[c, j] * x[i, j]
            out[c] = z
            largest = z if z > largest else largest
        if kind == 1:
            z = out[0]
            loss += share * (math.log1p(math.exp(-abs(z))) + (z if z > 0.0 else 0.0) - targets[y, 0] * z)
            e = math.exp(-abs(z))
            out[0] = 1.0 / (1.0 + e) if z >= 0.0 else e / (1.0 + e)
        elif kind == 2:
            total = 0.0
            own = out[y]
            for c in range(vectors):
                out[c] = math.exp(out[c] - largest)
                total += out[c]
            loss += share * (math.log(total) + largest - own)
            for c in range(vectors):
                out[c] /= total
        for c in range(vectors):
            wrong = out[c] - targets[y, c]
            if kind == 0:
                loss += 0.5 * share * wrong * wrong
            for j in range(m):
                w[c, j] -= rate * (share * wrong * x[i, j] + decay_weights[j] * w[c, j])
    return step, loss
