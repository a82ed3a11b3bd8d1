"""Pictures of distances, middles and neighbours."""
