"""Exact arithmetic on Ochko's hands: what can be computed instead of played."""
