#!/usr/bin/env bash
# The tuner's search on known surfaces of five knobs, on a virtual clock, against others at equal trials.
#
#   bench/tuner.sh [--recorded | --drawn [N] | --ablations] [--draw-seed N] [--seeds N] [--noise X] [--drift X]
#                  [--trials 5,8,12,16,20,30] [--rivals 'default,preset,grid,random,all,bestconfig,optuna tpe,optuna gp,smac3']
#
# The surfaces are formulas of 3,366 settings each (threads, collector, backlog, no-delay, keep-alive): the pool alone; one knob gives
# 15 %; two give 8 % each; two give 25 % together and take 8 % each alone; a cliff; a peak; threads that cost each other; a gain beside
# a region in which the server dies. A trial costs 15 s of virtual time (3 to start, 2 to warm up, 10 to measure), a death 5 s. Noise is
# log-normal (default 3 %); --drift adds AR(1) from trial to trial; the luck of each trial is the same for all tuners.
#
# With --drawn they are N surfaces (24) of the same knobs that a seed draws from a family, so that nobody has tuned on them: in some the
# default's pool is the limit, in some the CPU, the clients or a service behind the server; most knobs give next to nothing. What is drawn
# how is said in DrawnSurface.java. They are held out: whoever changes the search after a look at them judges it on others (--draw-seed).
#
# With --recorded they are those that surfaces.sh recorded on real servers: half of the rounds is what a tuner sees, the other half is
# the truth that it is judged by; a trial costs what it took. 'all' measures every setting once: its regret is what the noise of the
# recording leaves.
#
# With --ablations Fettle's search runs whole and without each of its parts (SearchPart.java), on the known surfaces and 24 drawn ones (or
# as many as --drawn says), with 8, 12 and 20 trials.
#
# Judged is the true regret of the setting that is recommended: Fettle's is the one that it would send into the duel, the race's trials
# counted; a rival's is the best it observed. "fettle, one knob at a time" is the search before the model of several knobs. Optuna,
# SMAC3 and for 'optuna gp' PyTorch are installed from PyPI into ~/.cache/fettle-peers/python; nothing of it is shipped.
#
# Writes bench/results/tuner.md, tuner.svg and tuner.jsonl (tuner-recorded.…, tuner-drawn.…, tuner-ablations.…). With 20 seeds it takes some
# 3 minutes, --drawn 5 and --ablations 11.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
seeds=20 noise=0.03 drift=0 trials='' rivals='' drawn='' kind=tuner options=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --recorded) options+=(recorded="$bench/tuner/surfaces") kind=tuner-recorded ;;
    --drawn)
      drawn=24
      case ${2:-} in [0-9]*) drawn=$2; shift ;; esac
      [ "$kind" = tuner-ablations ] || kind=tuner-drawn
      ;;
    --draw-seed) options+=(draw-seed="$2"); shift ;;
    --ablations) options+=(ablations=yes) kind=tuner-ablations ;;
    --seeds) seeds=$2; shift ;;
    --noise) noise=$2; shift ;;
    --drift) drift=$2; shift ;;
    --trials) trials=$2; shift ;;
    --rivals) rivals=$2; shift ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift
done
if [ "$kind" = tuner-ablations ]; then
  : "${trials:=8,12,20}" "${rivals:=default}" "${drawn:=24}"
fi
: "${trials:=5,8,12,16,20,30}" "${rivals:=default,preset,grid,random,bestconfig,optuna tpe}"
[ -z "$drawn" ] || options+=(drawn="$drawn")
need python3
build_tools
scratch
mkdir -p "$results"
python=python3
case $rivals in
  *optuna* | *smac*)
    python=$peers_home/python/bin/python
    [ -x "$python" ] || python3 -m venv "$peers_home/python"
    packages=(optuna==5.0.0)
    case $rivals in *smac*) packages+=(smac==2.4.1) ;; esac
    case $rivals in *"optuna gp"*) packages+=(scipy==1.18.1 torch==2.15.0) ;; esac
    "$python" -m pip install -q "${packages[@]}"
    ;;
esac
proof() { (tool tuner.TunerProof ${options[@]+"${options[@]}"} seeds="$seeds" noise="$noise" drift="$drift" "$@"); }
proof grid="$work/grid.json" luck="$work/luck.tsv"
say "fettle"
proof trials="$trials" >"$results/$kind.jsonl"
say "rivals: $rivals"
"$python" "$bench/tuner/rivals.py" "$work/grid.json" "$work/luck.tsv" "$seeds" "$trials" "$rivals" >>"$results/$kind.jsonl"
python3 "$bench/tuner/table.py" "$results/$kind.jsonl" "$results/$kind.md" "$results/$kind.svg"
cat "$results/$kind.md"
