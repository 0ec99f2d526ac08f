"""Square."""
