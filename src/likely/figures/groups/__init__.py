"""Pictures of rows without labels: clusters, trees of clusters, components, numbers of clusters."""
