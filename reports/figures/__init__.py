"""Pictures: matplotlib figures no wider than a phone, in one style."""
