"""Pictures of trees and forests."""
