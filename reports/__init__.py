"""Figures and documents made from results."""
