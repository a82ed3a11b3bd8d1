"""How good the answers are on real tables: ours beside other libraries', on the same folds."""
