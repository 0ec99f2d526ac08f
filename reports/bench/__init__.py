"""Yardsticks of speed, measured side by side on the machine at hand: ``kozyr bench``."""
