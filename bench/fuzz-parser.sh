#!/usr/bin/env bash
# Fuzzes the HTTP/1.1 response parser: mutated streams, each parsed whole, in random pieces and by Netty's parser.
#
#   bench/fuzz-parser.sh [inputs=10000000] [seed=1] [threads=N] [only=NUMBER]
#
# A crash, a hang, a reading that depends on the cuts, or an unintended disagreement with Netty (the intended ones are in
# dev.fettle.bench.fuzz.IntendedDifference, each with its paragraph of the RFC) is a failure: it is shrunk and printed
# with the seed, and the exit code is 1. The same seed makes the same streams; "only=NUMBER" shows one of them and both
# readings. 10 million take some 5 minutes on two idle cores.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
case ${1:-} in -h | --help) usage; exit ;; esac
need mvn
build_tools
(tool fuzz.FuzzParser "$@")
