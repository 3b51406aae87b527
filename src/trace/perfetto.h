/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace/perfetto.h - numbers of the fields that are written and read, under the names of Perfetto's own .proto files, and
 * how we lay our own things out in them.
 *
 * Source: protos/perfetto/trace of github.com/google/perfetto: trace.proto, trace_packet.proto,
 * ftrace/{ftrace_event_bundle,ftrace_event,sched,task}.proto, ps/process_tree.proto, system_info.proto,
 * track_event/{track_event,track_descriptor,counter_descriptor,debug_annotation}.proto; and what the importers in
 * src/trace_processor make of them, at commit ec5d16b14b74 of August 2026.
 */
#ifndef TRACE_PERFETTO_H
#define TRACE_PERFETTO_H

enum {
	TRACE_PACKET = 1, /* Trace.packet */

	PACKET_FTRACE_EVENTS = 1,
	PACKET_PROCESS_TREE = 2,
	PACKET_TIMESTAMP = 8,
	PACKET_TRUSTED_PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_SYSTEM_INFO = 45,
	PACKET_TRACK_DESCRIPTOR = 60,

	BUNDLE_CPU = 1, /* FtraceEventBundle */
	BUNDLE_EVENT = 2,
	BUNDLE_LOST_EVENTS = 3,

	FTRACE_TIMESTAMP = 1, /* FtraceEvent */
	FTRACE_PID = 2,
	FTRACE_SCHED_SWITCH = 4,
	FTRACE_SCHED_WAKEUP = 17,
	FTRACE_SCHED_WAKING = 20,
	FTRACE_SCHED_WAKEUP_NEW = 114,
	FTRACE_TASK_NEWTASK = 235,
	FTRACE_SCHED_PROCESS_EXIT = 238,
	FTRACE_SCHED_MIGRATE_TASK = 491,

	SWITCH_PREV_COMM = 1, /* SchedSwitchFtraceEvent */
	SWITCH_PREV_PID = 2,
	SWITCH_PREV_PRIO = 3,
	SWITCH_PREV_STATE = 4,
	SWITCH_NEXT_COMM = 5,
	SWITCH_NEXT_PID = 6,
	SWITCH_NEXT_PRIO = 7,

	WAKE_COMM = 1, /* Sched{Waking,Wakeup,WakeupNew}FtraceEvent */
	WAKE_PID = 2,
	WAKE_PRIO = 3,
	WAKE_SUCCESS = 4,
	WAKE_TARGET_CPU = 5,

	NEWTASK_PID = 1, /* TaskNewtaskFtraceEvent */
	NEWTASK_COMM = 2,

	EXIT_COMM = 1, /* SchedProcessExitFtraceEvent */
	EXIT_PID = 2,
	EXIT_TGID = 3,
	EXIT_PRIO = 4,

	MIGRATE_COMM = 1, /* SchedMigrateTaskFtraceEvent */
	MIGRATE_PID = 2,
	MIGRATE_PRIO = 3,
	MIGRATE_ORIG_CPU = 4,
	MIGRATE_DEST_CPU = 5,

	TRACK_EVENT_DEBUG_ANNOTATIONS = 4,
	TRACK_EVENT_TYPE = 9,
	TRACK_EVENT_TRACK_UUID = 11,
	TRACK_EVENT_CATEGORIES = 22,
	TRACK_EVENT_NAME = 23,
	TRACK_EVENT_COUNTER_VALUE = 30,

	TYPE_INSTANT = 3, /* TrackEvent.Type */
	TYPE_COUNTER = 4,

	ANNOTATION_BOOL_VALUE = 2, /* DebugAnnotation */
	ANNOTATION_INT_VALUE = 4,
	ANNOTATION_STRING_VALUE = 6,
	ANNOTATION_NAME = 10,

	TRACK_UUID = 1, /* TrackDescriptor */
	TRACK_NAME = 2,
	TRACK_PARENT_UUID = 5,
	TRACK_COUNTER = 8,
	TRACK_CHILD_ORDERING = 11,
	TRACK_SIBLING_ORDER_RANK = 12,

	ORDERING_EXPLICIT = 3, /* TrackDescriptor.ChildTracksOrdering: by rank */

	COUNTER_UNIT = 3, /* CounterDescriptor */
	COUNTER_Y_AXIS_SHARE_KEY = 7,

	UNIT_COUNT_OF_THINGS = 2, /* CounterDescriptor.Unit.UNIT_COUNT */

	TREE_PROCESSES = 1, /* ProcessTree */
	TREE_THREADS = 2,
	THREAD_TID = 1,
	THREAD_NAME = 2,
	THREAD_TGID = 3,
	PROCESS_PID = 1,
	PROCESS_CMDLINE = 3,

	SYSTEM_INFO_UTSNAME = 1,
	UTSNAME_SYSNAME = 1,
	UTSNAME_RELEASE = 3,
};

/* Its importer takes no file with a higher CPU (kMaxCpuCount in ftrace_tokenizer.cc). */
#define PERFETTO_CPUS 1024
#define PERFETTO_REFUSED                                                                           \
	"Perfetto takes no trace with a CPU above 1023: another format does (ftrace, json)"

/* The numbers of prev_state are those of this kernel. */
#define PERFETTO_RELEASE   "6.12"
#define PERFETTO_PREEMPTED 0x100

/* The category of our own events. Their annotations are named as members of an event, those of a decision as below. */
#define PERFETTO_OURS	  "schedproof"
#define PERFETTO_KIND	  "kind"
#define PERFETTO_CPU	  "cpu"
#define PERFETTO_DECISION "decision"
#define PERFETTO_WHAT	  "what"
#define PERFETTO_OUTCOME  "outcome"
#define PERFETTO_WHY_CPU  "deciding_cpu"
#define PERFETTO_SUBJECT  "subject"
#define PERFETTO_VALUE	  "value_of_"

/* Letters of prev_state's bits, the lowest first. */
#define PERFETTO_STATES "SDTtXZPI"

#endif
