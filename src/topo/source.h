/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/source.h - where machines come from. Each reader takes text (or a folder) and gives a finished
 * machine, with a note for whatever it had to mend or assume.
 */
#ifndef TOPO_SOURCE_H
#define TOPO_SOURCE_H

#include "topo/machine.h"
#include "topo/release.h"

#include "base/error.h"

/**
 * struct source_opts - what the reader may need to know beside the text
 * @release: the kernel that reads the machine: x86 numbering, AMD threads and arm64 caches of a guest
 *           depend on it. Its arch is used where the source names none
 * @arch_known: that arch was named by the user and wins over a guess
 */
struct source_opts {
	const struct release *release;
	bool arch_known;
};

/**
 * machine_file_parse() - our own format, and the fact files of recorded boots one after the other
 *
 * See doc/TOPOLOGY.md. Fact files name no architecture: it is the one of @opts.
 */
int machine_file_parse(struct machine **m, const char *text, const struct source_opts *opts,
		       struct error *err);

/** machine_file_print() - write our own format; reading it back gives the same machine */
void machine_file_print(const struct machine *m, struct strbuf *sb);

/**
 * qemu_parse() - QEMU's words, of a command line or a file of them
 *
 * Reads -smp, -numa node|cpu|dist, -M, -cpu and -append; '#' comments to the end of the line, of
 * which "# guest cmdline extra: ..." is read like -append and "# qemu X.Y program" names version
 * and architecture. Everything else is passed over.
 */
int qemu_parse(struct machine **m, const char *text, const struct source_opts *opts,
	       struct error *err);

/** numactl_parse() - output of numactl -H, or only a distance table with CPUs per node */
int numactl_parse(struct machine **m, const char *text, const struct source_opts *opts,
		  struct error *err);

/**
 * dump_parse() - the sched_verbose log of a kernel, with or without its prefix
 *
 * Spans become sharing by their level's name; NUMA levels become nodes and distances 10, 20, ...
 */
int dump_parse(struct machine **m, const char *text, const struct source_opts *opts,
	       struct error *err);

/** hwloc_parse() - hwloc XML; hwloc_synthetic() - its synthetic syntax */
int hwloc_parse(struct machine **m, const char *xml, size_t len, const struct source_opts *opts,
		struct error *err);
int hwloc_synthetic(struct machine **m, const char *text, const struct source_opts *opts,
		    struct error *err);

/**
 * sysfs_read() - sys and proc below a folder: this computer's "/", or a recorded tree
 * @root_fd: the folder; borrowed
 */
int sysfs_read(struct machine **m, int root_fd, const struct source_opts *opts, struct error *err);

/** tar_read() - the same from a tar archive, plain; @data borrowed */
int tar_read(struct machine **m, const char *data, size_t len, const struct source_opts *opts,
	     struct error *err);

/**
 * source_text() - text of unknown kind: looks and calls the reader (machine_json.h has that of JSON)
 * @name: for the machine and for errors
 */
int source_text(struct machine **m, const char *text, size_t len, const char *name,
		const struct source_opts *opts, struct error *err);

/**
 * source_open() - what a user names: "live", a file, a folder, synthetic syntax, QEMU words, or a preset
 *
 * A folder with "topology" below it is a recorded boot: its fact files, with the guest's command
 * line from qemu-args.txt.
 */
int source_open(struct machine **m, const char *what, const struct source_opts *opts,
		struct error *err);

#endif
