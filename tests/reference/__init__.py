"""Slow reference games in plain Python, each written from its rules page alone, to judge the kernels by."""
