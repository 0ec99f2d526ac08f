#!/bin/sh
# Builds bank.c in several ways and prints each one's CPU time per turn as a ratio to the first:
# the least of RUNS runs, taken in turn.  usage: compare.sh [PLAYERS [GAMES [RUNS]]]
set -eu
players=${1:-3} games=${2:-20000} runs=${3:-7}
source=$(dirname "$0")/bank.c
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
build() { name=$1; shift; ${CC:-cc} -march=native "$@" -o "$folder/$name" "$source"; }
build 1-as-it-is -O3
build 2-O2 -O2
build 3-portable-shuffle-and-pick -O3 -mno-bmi2
build 4-vector-spills -O3 -DSPILLS
build 5-selects -O3 -DSELECTS
build 6-slow-path-only -O3 -DSLOW
build 7-one-game-repeated -O3 -DREPEAT
for run in $(seq "$runs"); do
    for program in "$folder"/*; do
        printf '%s ' "${program##*/}"
        "$program" "$players" "$games" 1
    done
done | sed 's/^\([^ ]*\) .*"ns_per_turn": \([0-9.]*\), "ns_per_round": \([0-9.]*\), "ns_shuffle": \([0-9.]*\).*/\1 \2 \3 \4/' |
awk '!($1 in turn) || $2 < turn[$1] { turn[$1] = $2; round[$1] = $3 }
     !($1 in floor) || $4 < floor[$1] { floor[$1] = $4 }
     END { first = turn["1-as-it-is"]
           for (name in turn)
               printf "%-30s %5.2f x  %6.2f ns/turn %7.1f ns/round %6.1f ns/shuffle\n", name, turn[name] / first, turn[name], round[name], floor[name] }' |
sort
