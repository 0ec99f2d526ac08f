"""Statistics on the tallies of simulated games: intervals, comparisons, sequential tests, fairness."""
