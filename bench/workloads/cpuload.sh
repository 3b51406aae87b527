# SPDX-License-Identifier: GPL-2.0-only
# cpuload against stress-ng --cpu. The work of an operation isn't the same (doc/workloads/cpuload.md), so the ratio is only to
# stay what it is.

load_pair() {
	pair "$@" && length_calls 100 200 100 "calls an operation"
}

if have stress-ng stress-ng 'stress-ng --cpu'; then
	load_pair 'stress-ng --cpu 2' 2000 'cpuload tasks=2 ops=' stress-ng --cpu 2 --cpu-ops
	load_pair 'stress-ng --cpu 8' 2000 'cpuload tasks=8 ops=' stress-ng --cpu 8 --cpu-ops
	load_pair 'stress-ng --cpu 2 --cpu-load 50' 1000 'cpuload tasks=2 load=50 ops=' \
		stress-ng --cpu 2 --cpu-load 50 --cpu-ops
fi
