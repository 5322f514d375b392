#!/usr/bin/env bash
# Time from the command to its first request: the clock is read right before exec, and by the server at the first byte.
#
#   bench/startup.sh [--runs N] [--only fettle,wrk,oha,k6]
#
# The server is a few lines that note when the first byte of a connection comes. Each tool runs N times (default 20) on a warm
# disk, in random order, free to use all CPUs, after one run each that is not counted. Takes about a minute.
# Writes bench/results/startup.md.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
runs=20 only=fettle,wrk,oha,k6
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --runs) runs=$2; shift ;;
    --only) only=$2; shift ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift
done
need python3
build_fettle
scratch
mkdir -p "$results"
quiet_check
{
  echo "# From the command to the first request"
  echo
  echo "$(machine). $runs runs each, warm disk."
  echo
  python3 "$bench/startup.py" "$runs" "$only" "$root/fettle"
} | tee "$results/startup.md"
