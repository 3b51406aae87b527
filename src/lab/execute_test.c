// SPDX-License-Identifier: GPL-2.0-only
/*
 * A folder plays the machine, a shell script the worker, a store in memory keeps the runs. The script notes the
 * value of the setting "knob" that it finds, which the variant "new" changes from 5 to 7.
 */
#include "lab/execute.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

#define KNOB "proc/sys/kernel/knob"
#define FIGURE(name)                                                                               \
	"{\\\"name\\\":\\\"" name "\\\",\\\"unit\\\":\\\"ns\\\",\\\"better\\\":\\\"lower\\\","     \
	"\\\"value\\\":5}"
#define GOOD                                                                                       \
	"echo \"{\\\"schema\\\":1,\\\"workload\\\":\\\"$1\\\",\\\"status\\\":\\\"ok\\\","          \
	"\\\"reason\\\":null,\\\"metrics\\\":[" FIGURE("loop") "," FIGURE(                         \
		"time") "],\\\"counters\\\":[]}\"\n"
#define NOTE_KNOB  "read value < " KNOB "; echo $value >> log\n"
#define HEAD	   "[experiment]\nname = x\ncounters = none\nruns_per_block = 1\n"
#define VARIANTS   "[variant base]\n[variant new]\nsysctl.kernel.knob = 7\n"
#define TWO_POINTS "[workload pipe]\n[workload hackbench]\n"
#define SECOND	   UINT64_C(1000000000)

/*
 * stop_after: runs after which the stop flag is set, 0: never
 * clock_ns:   a clock of its own, moved on by step_ns before each run
 * looks:      times that it was asked whether it is enough; it is at look enough_at, 0: never
 * last:       the last event after a run
 */
struct fixture {
	char folder[32];
	int fd;
	char *worker;
	struct host host;
	struct store *store;
	struct experiment *experiment;
	struct lab_outcome out;
	struct error err;
	volatile sig_atomic_t stop;
	uint64_t runs_seen, stop_after;
	uint64_t clock_ns, step_ns;
	bool spoil;
	uint64_t looks, enough_at;
	struct lab_event last;
};

static void write_text(const struct fixture *f, const char *path, const char *text, mode_t mode)
{
	assert_int_equal(file_replace(f->fd, path, text, strlen(text), mode, NULL), 0);
}

static void set_worker(const struct fixture *f, const char *body)
{
	char *text = xasprintf("#!/bin/sh\ncd %s\n%s", f->folder, body);

	write_text(f, "worker", text, 0700);
	free(text);
}

static void boot(struct fixture *f, const char *release, const char *boot_id)
{
	struct error err = { 0 };

	if (f->host.root)
		host_release(&f->host);
	write_text(f, "proc/sys/kernel/osrelease", release, 0644);
	write_text(f, "proc/sys/kernel/random/boot_id", boot_id, 0644);
	if (host_open(&f->host, f->folder, &err))
		fail_msg("%s", err.text);
}

static void set_experiment(struct fixture *f, const char *text)
{
	experiment_free(f->experiment);
	f->experiment = NULL;
	if (experiment_parse(&f->experiment, "x.ini", text, strlen(text), &f->err))
		fail_msg("%s", f->err.text);
}

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	strcpy(f->folder, "/tmp/lab_test.XXXXXX");
	if (!mkdtemp(f->folder))
		return -1;
	f->fd = open(f->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	f->worker = xasprintf("%s/worker", f->folder);
	make_folders(f->fd, "proc/sys/kernel/random", 0755, NULL);
	make_folders(f->fd, "sys/devices/system/cpu", 0755, NULL);
	write_text(f, "proc/loadavg", "0.25 0.20 0.10 1/100 999\n", 0644);
	write_text(f, KNOB, "5\n", 0644);
	write_text(f, "log", "", 0644);
	set_worker(f, NOTE_KNOB GOOD);
	boot(f, "6.1.0-50\n", "boot-1\n");
	if (store_open(&f->store, ":memory:", STORE_WRITE, &f->err))
		return -1;
	*state = f;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	lab_outcome_release(&f->out);
	experiment_free(f->experiment);
	store_close(f->store);
	host_release(&f->host);
	close(f->fd);
	nftw(f->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(f->worker);
	free(f);
	return 0;
}

/* Store a run in the place of the one that is about to be made, so that storing that one fails. */
static void spoil(struct fixture *f)
{
	struct run_row *rows;
	size_t n;
	int64_t position;

	assert_int_equal(store_load_runs(f->store, 1, &rows, &n, NULL), 0);
	position = rows[n - 1].position;
	rows[n - 1].position++;
	assert_int_equal(store_add_run(f->store, &rows[n - 1], NULL), 0);
	assert_int_equal(position, n - 1);
	for (size_t i = 0; i < n; i++)
		run_row_release(&rows[i]);
	free(rows);
}

static void see_event(void *ctx, const struct lab_event *event)
{
	struct fixture *f = ctx;

	if (!event->run) {
		f->clock_ns += f->step_ns;
		if (f->spoil && f->runs_seen == 3)
			spoil(f);
		return;
	}
	assert_int_equal(event->run->variant, event->next->variant);
	assert_int_equal(event->run->block, event->next->block);
	f->last = *event;
	f->runs_seen++;
	if (f->runs_seen == f->stop_after)
		f->stop = 1;
}

static uint64_t fixture_now_ns(void *ctx)
{
	return ((struct fixture *)ctx)->clock_ns;
}

static int see_enough(void *ctx, int64_t experiment, char **why, struct error *err)
{
	struct fixture *f = ctx;

	(void)err;
	assert_int_equal(experiment, 1);
	f->looks++;
	if (f->looks != f->enough_at)
		return 0;
	*why = xstrdup("all is known");
	return 1;
}

static int run(struct fixture *f, bool resume)
{
	const struct lab lab = {
		.experiment = f->experiment,
		.host = &f->host,
		.store = f->store,
		.worker = f->worker,
		.resume = resume,
		.stop = &f->stop,
		.event = see_event,
		.enough = see_enough,
		.now_ns = f->step_ns ? fixture_now_ns : NULL,
		.ctx = f,
	};

	lab_outcome_release(&f->out);
	f->stop = 0;
	f->runs_seen = 0;
	f->err = (struct error){ 0 };
	return lab_execute(&lab, &f->out, &f->err);
}

static void run_well(struct fixture *f, bool resume)
{
	if (run(f, resume))
		fail_msg("%s", f->err.text);
}

/* Runs of an experiment with what frees them. */
struct runs {
	struct run_row *rows;
	size_t n;
};

static struct runs load(const struct fixture *f, int64_t id)
{
	struct runs runs;

	assert_int_equal(store_load_runs(f->store, id, &runs.rows, &runs.n, NULL), 0);
	return runs;
}

static void runs_release(struct runs *runs)
{
	for (size_t i = 0; i < runs->n; i++)
		run_row_release(&runs->rows[i]);
	free(runs->rows);
}

static void assert_file(const struct fixture *f, const char *path, const char *expect)
{
	struct strbuf text = { 0 };

	assert_int_equal(file_read(&text, f->fd, path, 1 << 20, NULL), 0);
	assert_string_equal(strbuf_str(&text), expect);
	strbuf_release(&text);
}

static void assert_restored(const struct fixture *f)
{
	char *knob = file_read_line(f->fd, KNOB);

	assert_string_equal(knob, "5");
	free(knob);
	assert_int_not_equal(faccessat(f->fd, "run/schedproof/restore.json", F_OK, 0), 0);
}

static void assert_nothing_stored(const struct fixture *f)
{
	int64_t id;

	assert_int_equal(store_find_experiment(f->store, NULL, &id, NULL), -ENOENT);
}

static bool is_planned(const struct run_row *row, const struct planned_run *planned)
{
	return row->block == planned->block && row->variant == planned->variant &&
	       row->point == planned->point && row->warmup == planned->warmup;
}

/* Are rows[n] from row @i on the plan's blocks from @block on, after @skip runs of it? */
static void assert_follows_plan(const struct fixture *f, const struct runs *runs, size_t i,
				int64_t block, size_t skip)
{
	size_t size = plan_block_size(f->experiment);
	struct planned_run *planned = xcalloc(size, sizeof(*planned));

	while (i < runs->n) {
		plan_block(f->experiment, block++, planned);
		for (size_t k = skip; k < size && i < runs->n; k++, i++) {
			assert_true(is_planned(&runs->rows[i], &planned[k]));
			assert_int_equal(runs->rows[i].position, i);
		}
		skip = 0;
	}
	free(planned);
}

/* 4 warm-up runs and 3 blocks of 4 */
static void test_execute_makes_the_plan_and_restores(void **state)
{
	struct fixture *f = *state;
	struct experiment_row row = { 0 };
	struct session_row *sessions;
	struct strbuf log = { 0 };
	struct runs runs;
	size_t n;

	set_experiment(f, HEAD "blocks = 3\n" VARIANTS TWO_POINTS);
	run_well(f, false);
	assert_true(f->out.finished);
	assert_false(f->out.stopped);
	assert_null(f->out.left);
	assert_null(f->out.given_up);
	assert_int_equal(f->out.unfinished, 0);
	assert_int_equal(f->out.runs, 16);
	assert_restored(f);

	runs = load(f, f->out.experiment);
	assert_int_equal(runs.n, 16);
	for (size_t i = 0; i < 4; i++)
		assert_true(runs.rows[i].warmup && runs.rows[i].block == -1);
	assert_follows_plan(f, &runs, 4, 0, 0);
	for (size_t i = 0; i < 16; i++) {
		assert_int_equal(runs.rows[i].result.status, RUN_OK);
		assert_near(runs.rows[i].load, 0.25, 0);
		assert_non_null(strstr(runs.rows[i].facts, "6.1.0-50"));
		assert_null(strstr(runs.rows[i].facts, "host.load"));
		strbuf_addf(&log, "%d\n", runs.rows[i].variant ? 7 : 5);
	}
	assert_file(f, "log", log.s);
	runs_release(&runs);
	strbuf_release(&log);

	assert_int_equal(store_get_experiment(f->store, f->out.experiment, &row, NULL), 0);
	assert_true(row.finished);
	experiment_row_release(&row);
	assert_int_equal(store_load_sessions(f->store, f->out.experiment, &sessions, &n, NULL), 0);
	assert_int_equal(n, 1);
	assert_string_equal(sessions[0].boot_id, "boot-1");
	assert_non_null(strstr(sessions[0].facts, "6.1.0-50"));
	session_row_release(&sessions[0]);
	free(sessions);
}

static void test_execute_tells_how_far_it_is(void **state)
{
	struct fixture *f = *state;

	/* 10 s a run: after 4 warm-up and 5 other runs 7 of 12 are left */
	f->step_ns = 10 * SECOND;
	f->stop_after = 9;
	set_experiment(f, HEAD "blocks = 3\n" VARIANTS TWO_POINTS);
	run_well(f, false);
	assert_int_equal(f->last.done, 5);
	assert_int_equal(f->last.total, 12);
	assert_int_equal(f->last.blocks_done, 1);
	assert_int_equal(f->last.left_ns, 70 * SECOND);
}

static void test_execute_resumed_makes_exactly_what_is_left(void **state)
{
	struct fixture *f = *state;
	struct runs runs;

	/* 4 warm-up runs, block 0, and 2 runs of block 1 */
	f->stop_after = 10;
	set_experiment(f, HEAD "blocks = 3\n" VARIANTS TWO_POINTS);
	run_well(f, false);
	assert_true(f->out.stopped);
	assert_false(f->out.finished);
	assert_int_equal(f->out.runs, 10);
	assert_restored(f);

	f->stop_after = 0;
	boot(f, "6.1.0-50\n", "boot-2\n");
	run_well(f, true);
	assert_false(f->out.stopped);
	assert_true(f->out.finished);
	assert_int_equal(f->out.experiment, 1);
	/* warm-up once more */
	assert_int_equal(f->out.runs, 4 + 6);
	runs = load(f, 1);
	assert_int_equal(runs.n, 20);
	for (size_t i = 10; i < 14; i++)
		assert_true(runs.rows[i].warmup);
	assert_int_not_equal(runs.rows[9].session, runs.rows[10].session);
	assert_follows_plan(f, &runs, 14, 1, 2);
	runs_release(&runs);

	/* and then nothing is left */
	run_well(f, true);
	assert_true(f->out.finished);
	assert_int_equal(f->out.runs, 0);
}

/* For the signal handler. */
static struct fixture *signalled;

static void set_stop(int sig)
{
	(void)sig;
	signalled->stop = 1;
}

/* The second run has the stop flag set while it is in flight, and would never end by itself. */
static void test_execute_does_not_store_the_run_in_flight(void **state)
{
	const struct sigaction action = { .sa_handler = set_stop };
	struct fixture *f = *state;
	struct runs runs;

	signalled = f;
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	set_worker(f, "test -e once && { kill -USR1 $PPID; kill -STOP $$; }\necho >once\n" GOOD);
	set_experiment(f, HEAD "warmup = 0\nblocks = 1\n" VARIANTS TWO_POINTS);
	run_well(f, false);
	signal(SIGUSR1, SIG_DFL);
	assert_true(f->out.stopped);
	assert_int_equal(f->out.runs, 1);
	assert_restored(f);
	runs = load(f, 1);
	assert_int_equal(runs.n, 1);
	runs_release(&runs);
}

static void test_execute_refuses_to_resume_what_has_changed(void **state)
{
	struct fixture *f = *state;

	set_experiment(f, HEAD "blocks = 3\n" VARIANTS TWO_POINTS);
	assert_int_equal(run(f, true), -EINVAL);
	assert_non_null(strstr(f->err.text, "nothing to resume"));
	assert_nothing_stored(f);

	f->stop_after = 5;
	run_well(f, false);
	set_experiment(f, HEAD "blocks = 4\n" VARIANTS TWO_POINTS);
	assert_int_equal(run(f, true), -EINVAL);
	assert_string_equal(
		f->err.text,
		"x has changed since it was begun (experiment 1), so the runs would not "
		"belong together: undo the change, or start anew without --resume");
	assert_restored(f);

	/* a new one is told of the old one */
	f->stop_after = 0;
	run_well(f, false);
	assert_int_equal(f->out.unfinished, 1);
	assert_int_equal(f->out.experiment, 2);
}

static void test_execute_checks_before_it_stores_or_changes(void **state)
{
	struct fixture *f = *state;

	set_experiment(f, HEAD VARIANTS "sysctl.kernel.no_such = 1\n" TWO_POINTS);
	assert_true(run(f, false) < 0);
	assert_non_null(strstr(f->err.text, "no_such"));
	assert_nothing_stored(f);

	set_experiment(f, "[experiment]\nname = x\ncounters = no-such-event\n" VARIANTS TWO_POINTS);
	assert_true(run(f, false) < 0);
	assert_non_null(strstr(f->err.text, "no-such-event"));
	assert_nothing_stored(f);

	set_experiment(f, HEAD VARIANTS TWO_POINTS);
	assert_int_equal(fchmodat(f->fd, "worker", 0600, 0), 0);
	assert_int_equal(run(f, false), -EACCES);
	assert_int_equal(unlinkat(f->fd, "worker", 0), 0);
	assert_int_equal(run(f, false), -ENOENT);
	assert_non_null(strstr(f->err.text, f->worker));
	assert_nothing_stored(f);
	assert_restored(f);
	assert_file(f, "log", "");
}

/* The first run of all fails: it counts as made, and the others go on. */
static void test_execute_keeps_a_failed_run_and_does_not_repeat_it(void **state)
{
	struct fixture *f = *state;
	struct runs runs;

	set_worker(f, "test -e once || { echo >once; echo 'no luck' >&2; exit 3; }\n" GOOD);
	set_experiment(f, HEAD "warmup = 0\nblocks = 2\n" VARIANTS TWO_POINTS);
	f->stop_after = 2;
	run_well(f, false);
	f->stop_after = 0;
	run_well(f, true);
	runs = load(f, 1);
	assert_int_equal(runs.n, 8);
	assert_follows_plan(f, &runs, 0, 0, 0);
	assert_int_equal(runs.rows[0].result.status, RUN_FAILED);
	assert_non_null(strstr(runs.rows[0].result.reason, "no luck"));
	for (size_t i = 1; i < 8; i++)
		assert_int_equal(runs.rows[i].result.status, RUN_OK);
	assert_true(f->out.finished);
	assert_null(f->out.given_up);
	runs_release(&runs);
}

/*
 * hackbench fails with the variant new. Of 6 blocks it is run in 3, and by base in the third only if that came
 * first there; pipe is run in all.
 */
static void test_execute_gives_up_a_point_whose_first_runs_all_fail(void **state)
{
	struct fixture *f = *state;
	size_t made[2][2] = { { 0 } }, base = 2;
	struct planned_run planned[4];
	struct runs runs;

	set_worker(f, "read value < " KNOB "; test $1$value != hackbench7 || exit 1\n" GOOD);
	set_experiment(f, HEAD "warmup = 0\nblocks = 6\n" VARIANTS TWO_POINTS);
	run_well(f, false);
	assert_true(f->out.finished);
	assert_string_equal(f->out.given_up,
			    "hackbench: given up, the first 3 runs of variant new failed\n");
	runs = load(f, 1);
	for (size_t i = 0; i < runs.n; i++)
		made[runs.rows[i].point][runs.rows[i].variant]++;
	plan_block(f->experiment, 2, planned);
	for (size_t i = 0; planned[i].point != 1 || planned[i].variant != 1; i++)
		base += planned[i].point == 1;
	assert_int_equal(made[0][0], 6);
	assert_int_equal(made[0][1], 6);
	assert_int_equal(made[1][1], 3);
	assert_int_equal(made[1][0], base);
	assert_int_equal(f->last.done, runs.n);
	assert_int_equal(f->last.total, runs.n);
	assert_int_equal(f->last.blocks_done, 6);
	runs_release(&runs);
}

/* pipe hangs; hackbench, whose time limit is far off, does not. */
static void test_execute_ends_hanging_runs_and_goes_on(void **state)
{
	struct fixture *f = *state;
	struct runs runs;

	set_worker(f, "test $1 != pipe || kill -STOP $$\n" GOOD);
	set_experiment(f, HEAD "warmup = 0\nblocks = 1\n" VARIANTS TWO_POINTS);
	f->experiment->points[0].timeout_ns = SECOND / 10;
	run_well(f, false);
	assert_true(f->out.finished);
	runs = load(f, 1);
	assert_int_equal(runs.n, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(runs.rows[i].result.status,
				 runs.rows[i].point == 0 ? RUN_HANG : RUN_OK);
	runs_release(&runs);
}

static void test_execute_stops_when_a_run_can_not_be_stored(void **state)
{
	struct fixture *f = *state;
	struct runs runs;

	f->spoil = true;
	set_experiment(f, HEAD "warmup = 0\nblocks = 3\n" VARIANTS TWO_POINTS);
	assert_int_equal(run(f, false), -EEXIST);
	assert_int_equal(f->out.experiment, 1);
	assert_int_equal(f->out.runs, 3);
	assert_false(f->out.finished);
	assert_restored(f);
	runs = load(f, 1);
	assert_int_equal(runs.n, 4); /* 3 and the spoiler */
	runs_release(&runs);
}

/*
 * 10 s a run, 20 s a block, 100 s in all, 20 s of them warm-up: blocks begin at 20, 40, 60 and 80 s; a fifth would
 * end at 120 s.
 */
static void test_execute_starts_no_block_that_does_not_fit_the_budget(void **state)
{
	struct fixture *f = *state;

	f->step_ns = 10 * SECOND;
	set_experiment(f, HEAD "time = 100s\n" VARIANTS "[workload pipe]\n");
	run_well(f, false);
	assert_true(f->out.finished);
	assert_int_equal(f->out.runs, 2 + 8);
	assert_int_equal(f->last.total, 0);
	assert_int_equal(f->last.blocks_done, 4);
	assert_int_equal(f->last.left_ns, 0);
	run_well(f, true);
	assert_int_equal(f->out.runs, 0);

	/* blocks end first */
	set_experiment(f, HEAD "time = 100s\nblocks = 2\n" VARIANTS "[workload pipe]\n");
	run_well(f, false);
	assert_int_equal(f->out.runs, 2 + 4);
}

static void test_execute_makes_one_block_whatever_the_budget(void **state)
{
	struct fixture *f = *state;

	f->step_ns = 10 * SECOND;
	set_experiment(f, HEAD "time = 1s\n" VARIANTS TWO_POINTS);
	run_well(f, false);
	assert_true(f->out.finished);
	assert_int_equal(f->out.runs, 4 + 4);
	assert_int_equal(f->last.blocks_done, 1);
}

#define SPANNING                                                                                   \
	"[experiment]\nname = x\ncounters = none\nblocks = 1\nruns_per_boot = 2\n"                 \
	"[variant old]\nkernel = 6.1.*\n[variant new]\nkernel = 6.12.*\n" TWO_POINTS

/*
 * One block of four boots; seed 1 puts them old, old, new, new. 2 warm-up runs in each, then 2 rounds of 2 points.
 */
static void test_execute_spans_boots(void **state)
{
	struct fixture *f = *state;
	struct run_counts counts;

	set_experiment(f, SPANNING);
	run_well(f, false);
	assert_false(f->out.finished);
	assert_int_equal(f->out.runs, 2 + 4);
	assert_string_equal(f->out.left,
			    "3 of 4 boots are left; the next one is of variant old: boot a kernel "
			    "that matches 6.1.* again, then resume\n");
	/* the same boot has had its share, however often it is asked */
	run_well(f, true);
	assert_int_equal(f->out.runs, 0);
	boot(f, "6.1.0-50\n", "boot-2\n");
	run_well(f, true);
	assert_int_equal(f->out.runs, 2 + 4);
	assert_string_equal(f->out.left,
			    "2 of 4 boots are left; the next one is of variant new: boot a kernel "
			    "that matches 6.12.*, then resume\n");
	boot(f, "6.12.3\n", "boot-3\n");
	run_well(f, true);
	boot(f, "6.12.3\n", "boot-4\n");
	run_well(f, true);
	assert_true(f->out.finished);
	assert_null(f->out.left);
	assert_int_equal(f->last.blocks_done, 1);
	assert_int_equal(store_count_runs(f->store, 1, &counts, NULL), 0);
	assert_int_equal(counts.ok, 16);
	assert_int_equal(counts.blocks, 1);
}

/* The order of boots was drawn, so no other one may take a place. */
static void test_execute_refuses_a_boot_out_of_turn(void **state)
{
	struct fixture *f = *state;

	boot(f, "6.12.3\n", "boot-1\n");
	set_experiment(f, SPANNING);
	assert_int_equal(run(f, false), -EINVAL);
	assert_string_equal(f->err.text, "6.12.3 is booted, but boot 1 of the plan is of variant "
					 "old: boot a kernel that matches 6.1.*, then start");
	assert_nothing_stored(f);
}

/* A boot that was cut after 3 of its 4 runs makes the fourth; had it gone for good, the next takes the next place. */
static void test_execute_resumed_in_a_boot_completes_it(void **state)
{
	struct fixture *f = *state;

	set_experiment(f, SPANNING);
	f->stop_after = 2 + 3;
	run_well(f, false);
	assert_true(f->out.stopped);
	f->stop_after = 0;
	run_well(f, true);
	assert_int_equal(f->out.runs, 2 + 1);
	assert_non_null(strstr(f->out.left, "3 of 4 boots are left"));
	f->stop_after = 2 + 3;
	boot(f, "6.1.0-50\n", "boot-2\n");
	run_well(f, true);
	f->stop_after = 0;
	boot(f, "6.12.3\n", "boot-3\n");
	run_well(f, true);
	assert_int_equal(f->out.runs, 2 + 4);
	assert_non_null(strstr(f->out.left, "1 of 4 boots are left"));
}

/* 4 warm-up runs, block 0 of eight, and 3 runs of block 1; then the other five in their places. */
static void test_execute_resumed_in_a_block_of_four(void **state)
{
	struct fixture *f = *state;
	struct runs runs;

	set_experiment(f, HEAD "blocks = 2\n" VARIANTS TWO_POINTS);
	f->experiment->runs_per_block = 2;
	f->stop_after = 4 + 8 + 3;
	run_well(f, false);
	assert_int_equal(f->last.blocks_done, 1);
	f->stop_after = 0;
	run_well(f, true);
	assert_true(f->out.finished);
	assert_int_equal(f->out.runs, 4 + 5);
	assert_int_equal(f->last.blocks_done, 2);
	runs = load(f, 1);
	assert_int_equal(runs.n, 4 + 11 + 4 + 5);
	assert_follows_plan(f, &runs, 19, 1, 3);
	runs_release(&runs);
}

/* Looks follow blocks 1, 2 and 3 of 10; the one at the resume's start is the third again. */
static void test_execute_sequential_ends_when_it_is_enough(void **state)
{
	struct fixture *f = *state;
	struct experiment_row row = { 0 };

	set_experiment(f, HEAD "warmup = 0\nblocks = 10\nuntil = 2%\n" VARIANTS TWO_POINTS);
	f->stop_after = 3 * 4 + 1;
	run_well(f, false);
	assert_true(f->out.stopped);
	assert_int_equal(f->looks, 3);
	f->stop_after = 0;
	f->enough_at = 5;
	run_well(f, true);
	assert_int_equal(f->looks, 5);
	assert_true(f->out.finished);
	assert_string_equal(f->out.ended, "all is known");
	assert_int_equal(f->out.runs, 3);
	assert_int_equal(store_get_experiment(f->store, 1, &row, NULL), 0);
	assert_true(row.finished);
	assert_string_equal(row.ended, "all is known");
	assert_near(row.until, 0.02, 1e-15);
	experiment_row_release(&row);
}

/* What a crash cut between the last run and its look is seen before anything is run. */
static void test_execute_sequential_resumed_looks_first(void **state)
{
	struct fixture *f = *state;

	set_experiment(f, HEAD "warmup = 0\nblocks = 10\nuntil = 2%\n" VARIANTS TWO_POINTS);
	f->stop_after = 4;
	run_well(f, false);
	assert_int_equal(f->looks, 0);
	f->stop_after = 0;
	f->enough_at = 1;
	run_well(f, true);
	assert_int_equal(f->out.runs, 0);
	assert_string_equal(f->out.ended, "all is known");
}

static void test_execute_fixed_number_of_blocks_is_never_looked_at(void **state)
{
	struct fixture *f = *state;

	set_experiment(f, HEAD "warmup = 0\nblocks = 3\n" VARIANTS TWO_POINTS);
	f->enough_at = 1;
	run_well(f, false);
	assert_int_equal(f->looks, 0);
	assert_int_equal(f->out.runs, 12);
	assert_null(f->out.ended);
}

static void test_execute_refuses_a_kernel_that_no_variant_wants(void **state)
{
	struct fixture *f = *state;

	boot(f, "5.10.1\n", "boot-1\n");
	set_experiment(f, SPANNING);
	assert_int_equal(run(f, false), -EINVAL);
	assert_string_equal(f->err.text,
			    "no variant is for the kernel that is booted, 5.10.1; they "
			    "want 6.1.* (old), 6.12.* (new)");
	assert_nothing_stored(f);
}

/* 2 variants x (3 blocks + 1 warm-up) x (median wall of pipe + median wall of hackbench) */
static void test_estimate_is_from_stored_runs(void **state)
{
	struct fixture *f = *state;
	uint64_t ns, wall_ns, sum_ns = 0;

	set_experiment(f, HEAD "blocks = 3\nwarmup = 1\n" VARIANTS TWO_POINTS);
	assert_int_equal(lab_estimate(f->experiment, NULL, &ns), -ENOENT);
	assert_int_equal(lab_estimate(f->experiment, f->store, &ns), -ENOENT);
	run_well(f, false);
	for (size_t i = 0; i < 2; i++) {
		const struct point *point = &f->experiment->points[i];
		struct strbuf params = { 0 };

		point_print_params(point, &params);
		assert_int_equal(store_typical_wall(f->store, point->workload->name, params.s,
						    &wall_ns, NULL),
				 0);
		sum_ns += wall_ns;
		strbuf_release(&params);
	}
	assert_int_equal(lab_estimate(f->experiment, f->store, &ns), 0);
	assert_true(ns == 8 * sum_ns);
	f->experiment->budget_ns = 1;
	assert_int_equal(lab_estimate(f->experiment, f->store, &ns), 0);
	assert_int_equal(ns, 1);
	f->experiment->blocks = 0;
	assert_int_equal(lab_estimate(f->experiment, NULL, &ns), 0);
	assert_int_equal(ns, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_execute_makes_the_plan_and_restores),
		TEST(test_execute_tells_how_far_it_is),
		TEST(test_execute_resumed_makes_exactly_what_is_left),
		TEST(test_execute_does_not_store_the_run_in_flight),
		TEST(test_execute_refuses_to_resume_what_has_changed),
		TEST(test_execute_checks_before_it_stores_or_changes),
		TEST(test_execute_keeps_a_failed_run_and_does_not_repeat_it),
		TEST(test_execute_gives_up_a_point_whose_first_runs_all_fail),
		TEST(test_execute_ends_hanging_runs_and_goes_on),
		TEST(test_execute_stops_when_a_run_can_not_be_stored),
		TEST(test_execute_starts_no_block_that_does_not_fit_the_budget),
		TEST(test_execute_makes_one_block_whatever_the_budget),
		TEST(test_execute_spans_boots),
		TEST(test_execute_refuses_a_boot_out_of_turn),
		TEST(test_execute_resumed_in_a_boot_completes_it),
		TEST(test_execute_resumed_in_a_block_of_four),
		TEST(test_execute_sequential_ends_when_it_is_enough),
		TEST(test_execute_sequential_resumed_looks_first),
		TEST(test_execute_fixed_number_of_blocks_is_never_looked_at),
		TEST(test_execute_refuses_a_kernel_that_no_variant_wants),
		TEST(test_estimate_is_from_stored_runs),
	};

	return cmocka_run_group_tests_name("lab/execute", tests, NULL, NULL);
}
