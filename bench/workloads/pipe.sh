# SPDX-License-Identifier: GPL-2.0-only
# pipe against perf bench sched pipe. From 6.15 on both tasks of perf write first, which makes half as many switches.

perf_protocol() {
	perf version | awk '{ split($3, v, "."); print v[1] < 6 || (v[1] == 6 && v[2] < 15) ? "strict" : "inflight2" }'
}

# pipe_pair NAME 'OUR OPTIONS' THEIR-COMMAND...
pipe_pair() {
	pipe_name=$1 options=$2
	shift 2
	messages_pair 10 110 100 "$pipe_name" 100000 "pipe protocol=$protocol $options loops=" "$@"
}

if have perf linux-perf 'perf bench sched pipe'; then
	protocol=$(perf_protocol)
	pipe_pair 'perf pipe process' '' perf bench sched pipe -l
	pipe_pair 'perf pipe thread' mode=thread perf bench sched pipe -T -l
	pipe_pair 'perf pipe process, one CPU' cpus=0 taskset -c 0 perf bench sched pipe -l
	pipe_pair 'perf pipe thread, one CPU' 'cpus=0 mode=thread' taskset -c 0 perf bench sched pipe -T -l
fi
