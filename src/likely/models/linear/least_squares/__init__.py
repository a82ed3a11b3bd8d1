"""Least squares and Fisher's discriminant: functions of sums of products of columns."""
