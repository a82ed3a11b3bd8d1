"""Pictures of linear models: how they descend, what margins cost, how classes project."""
