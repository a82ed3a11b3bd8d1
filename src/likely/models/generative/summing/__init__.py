"""From a table to the statistic of its classes: columns shared out among families, cut, summed, mapped."""
