// SPDX-License-Identifier: GPL-2.0-only
#include "sim/pipe.h"

#include "sim/fixture_go.h"
#include "sim/fixture_script.h"

#include "check.h"

static void boot(struct script_world *world, uint32_t cpus)
{
	script_world_init(world, 1, 1, cpus, 1);
	world->costs.send_ns[SIM_PIPE] = 200;
	world->costs.receive_ns[SIM_PIPE] = 100;
	world->costs.syscall_ns = 10;
	world->costs.copy_ns_kib = 1024; /* 1 ns a byte */
	script_boot(world);
}

/*
 * One CPU, b reads first. a writes 5 bytes: 10 + 200 + 5 = 215, wakes b, reads until 225, blocks. b: 100 + 5: 330, writes 5: 215: 545, wakes
 * a, exits (10): a reads 100 + 5 from 555 on: 660.
 */
static void test_pipe_hands_bytes_to_and_fro(void **state)
{
	struct script_world world;

	(void)state;
	boot(&world, 1);
	{
		struct sim_pipe *to = sim_pipe_new(world.sim, SIM_PIPE, 65536, false);
		struct sim_pipe *fro = sim_pipe_new(world.sim, SIM_PIPE, 65536, false);
		const struct script_op first[] = { { DO_READ, to, 5 },
						   { DO_WRITE, fro, 5 },
						   { DO_EXIT } };
		const struct script_op second[] = { { DO_WRITE, to, 5 },
						    { DO_READ, fro, 5 },
						    { DO_EXIT } };
		struct script a = { .op = second }, b = { .op = first };

		script_spawn(world.sim, "b", &b, 0);
		script_spawn(world.sim, "a", &a, 0);
		script_go(&world);
		/* b's own call took 10 before a's first */
		assert_int_equal(a.at_ns[1], 10 + 215);
		assert_int_equal(b.at_ns[1], 10 + 330);
		assert_int_equal(b.at_ns[2], 10 + 545);
		assert_int_equal(a.at_ns[2], 10 + 660);
		assert_int_equal(sim_pipe_bytes(to), 0);
	}
	script_world_release(&world);
}

/*
 * A pipe of two pages. The writer fills it with 8192 in one go: 10 + 200 + 8192 = 8402. Another 100 don't fit: it waits at 8412. The reader,
 * on another CPU, comes at 20000: 4000 bytes: 10 + 100 + 4000 = 24110: no page is free yet. 96 more at 24316: now one is. The writer
 * goes on: 200 + 100: 24616.
 */
static void test_pipe_writer_waits_for_a_page(void **state)
{
	struct script_world world;

	(void)state;
	boot(&world, 2);
	{
		struct sim_pipe *pipe = sim_pipe_new(world.sim, SIM_PIPE, 8192, false);
		const struct script_op writes[] = { { DO_WRITE, pipe, 8192 },
						    { DO_WRITE, pipe, 100 },
						    { DO_EXIT } };
		const struct script_op reads[] = { { DO_RUN_UNTIL, NULL, 20000 },
						   { DO_READ, pipe, 4000 },
						   { DO_READ, pipe, 96 },
						   { DO_EXIT } };
		struct script w = { .op = writes }, r = { .op = reads };

		script_spawn(world.sim, "w", &w, 1);
		script_spawn(world.sim, "r", &r, 2);
		script_go(&world);
		assert_int_equal(w.at_ns[1], 8402);
		assert_int_equal(r.at_ns[2], 24110);
		assert_int_equal(r.at_ns[3], 24316);
		assert_int_equal(w.at_ns[2], 24616);
		assert_int_equal(sim_pipe_bytes(pipe), 8192 - 4000 - 96 + 100);
	}
	script_world_release(&world);
}

/*
 * 10000 bytes through one page, two CPUs. The writer's pieces are what there is room for: 4096 until 4306; the reader waits since 10,
 * takes 4096 until 4306 + 100 + 4096 = 8502, which makes room: the next 4096 are written until 12798, when the reader, whose second
 * call waits since 8512, takes them until 16994; the last 1808 until 19002, and read until 20910.
 */
static void test_pipe_long_messages_go_in_pieces(void **state)
{
	struct script_world world;

	(void)state;
	boot(&world, 2);
	{
		struct sim_pipe *pipe = sim_pipe_new(world.sim, SIM_PIPE, 4096, false);
		const struct script_op writes[] = { { DO_WRITE, pipe, 10000 }, { DO_EXIT } };
		const struct script_op reads[] = { { DO_READ, pipe, 10000 }, { DO_EXIT } };
		struct script w = { .op = writes }, r = { .op = reads };

		script_spawn(world.sim, "w", &w, 1);
		script_spawn(world.sim, "r", &r, 2);
		script_go(&world);
		assert_int_equal(w.at_ns[1], 19002);
		assert_int_equal(r.at_ns[1], 20910);
	}
	script_world_release(&world);
}

/* Messages keep their borders: a read of any size takes one; the third is read after 60 more bytes: 10 + 100 + 1, ... + 20, ... + 3. */
static void test_pipe_packets_keep_their_borders(void **state)
{
	struct script_world world;

	(void)state;
	boot(&world, 1);
	{
		struct sim_pipe *pipe = sim_pipe_new(world.sim, SIM_PIPE, 65536, true);
		const struct script_op ops[] = {
			{ DO_WRITE, pipe, 1 }, { DO_WRITE, pipe, 20 },
			{ DO_WRITE, pipe, 3 }, { DO_READ, pipe, 1000 },
			{ DO_READ, pipe, 1 },  { DO_READ, pipe, 0 },
			{ DO_EXIT },
		};
		struct script a = { .op = ops };

		script_spawn(world.sim, "a", &a, 0);
		script_go(&world);
		assert_int_equal(a.at_ns[4] - a.at_ns[3], 111);
		assert_int_equal(a.at_ns[5] - a.at_ns[4], 130);
		assert_int_equal(a.at_ns[6] - a.at_ns[5], 113);
	}
	script_world_release(&world);
}

/* 200 messages, each time 100 in, 50 out: the ring of their sizes turns and grows, and their order stays. */
static void test_pipe_packets_in_order(void **state)
{
	struct script_world world;

	(void)state;
	boot(&world, 1);
	world.costs.send_ns[SIM_PIPE] = 0;
	{
		struct sim_pipe *pipe = sim_pipe_new(world.sim, SIM_PIPE, 1 << 20, true);
		const struct script_op ops[] = {
			{ DO_WRITE, pipe, 7 },	 { DO_WRITE, pipe, 9 }, { DO_READ, pipe, 0 },
			{ DO_WRITE, pipe, 7 },	 { DO_WRITE, pipe, 9 }, { DO_READ, pipe, 0 },
			{ DO_AGAIN, NULL, 200 }, { DO_EXIT },
		};
		struct script a = { .op = ops };

		script_spawn(world.sim, "a", &a, 0);
		script_go(&world);
		/* 800 written, 400 read: 200 sevens and 200 nines are left; the last two read were messages 398 and 399 */
		assert_int_equal(sim_pipe_bytes(pipe), 200 * 16);
		assert_int_equal(a.at_ns[3] - a.at_ns[2], 117);
		assert_int_equal(a.at_ns[6] - a.at_ns[5], 119);
	}
	script_world_release(&world);
}

/* Three tasks poll one pipe, one write wakes them all, none reads. A fourth that comes later doesn't wait. */
static void test_pipe_poll_wakes_all(void **state)
{
	struct script_world world;
	struct sim_counts counts;

	(void)state;
	boot(&world, 4);
	{
		struct sim_pipe *pipe = sim_pipe_new(world.sim, SIM_PIPE, 65536, false);
		const struct script_op polls[] = { { DO_POLL, pipe }, { DO_EXIT } };
		const struct script_op writes[] = { { DO_RUN, NULL, 5000 },
						    { DO_WRITE, pipe, 1 },
						    { DO_POLL, pipe },
						    { DO_EXIT } };
		struct script p[3] = { { .op = polls }, { .op = polls }, { .op = polls } };
		struct script w = { .op = writes };

		script_spawn(world.sim, "w", &w, 1);
		for (int i = 0; i < 3; i++)
			script_spawn(world.sim, "p", &p[i], 2u << i);
		script_go(&world);
		for (int i = 0; i < 3; i++)
			assert_int_equal(p[i].at_ns[1], 5211);
		assert_int_equal(w.at_ns[3], 5221);
	}
	sim_counts(world.sim, &counts);
	assert_int_equal(counts.wakeups, 3);
	script_world_release(&world);
}

/*
 * A local socket's buffer of 1000: two writers of 400 and 400 fill it, a third and a fourth wait. Its reader takes 400: 400 are
 * left, more than a quarter. After the next 400 both are woken.
 */
static void test_pipe_socket_wakes_writers_at_a_quarter(void **state)
{
	struct script_world world;
	struct sim_counts counts;

	(void)state;
	boot(&world, 2);
	{
		struct sim_pipe *pipe = sim_pipe_new(world.sim, SIM_UNIX_STREAM, 1000, false);
		const struct script_op writes[] = { { DO_WRITE, pipe, 400 }, { DO_EXIT } };
		const struct script_op reads[] = {
			{ DO_RUN_UNTIL, NULL, 50000 },
			{ DO_READ, pipe, 400 },
			{ DO_RUN_UNTIL, NULL, 60000 },
			{ DO_READ, pipe, 400 },
			{ DO_EXIT },
		};
		struct script r = { .op = reads };
		struct script w[4] = {
			{ .op = writes }, { .op = writes }, { .op = writes }, { .op = writes }
		};

		script_spawn(world.sim, "r", &r, 1);
		for (int i = 0; i < 4; i++)
			script_spawn(world.sim, "w", &w[i], 2);
		script_go(&world);
		assert_in_range(w[1].at_ns[1], 0, 2000);
		/* 10 to enter, 400 to copy; then the two write one after the other: 400 each */
		assert_int_equal(w[2].at_ns[1], 60410 + 400);
		assert_int_equal(w[3].at_ns[1], 60410 + 800 + 10);
	}
	sim_counts(world.sim, &counts);
	assert_int_equal(counts.wakeups, 2);
	script_world_release(&world);
}

/*
 * Messages are cold by 1000 where four are under way: writes take 10 + 200 + 1 and 0, 250, 500, 750, 1000, 1000; the reads 10 + 100 + 1 and
 * as many from 6 down: 1000, 1000, 1000, 750, 500, 250.
 */
static void test_pipe_messages_are_dearer_when_many(void **state)
{
	static const uint64_t cold[] = { 0,    250,  500,  750, 1000, 1000,
					 1000, 1000, 1000, 750, 500,  250 };
	struct script_op op[13] = { 0 };
	struct script script = { .op = op };
	struct script_world world;

	(void)state;
	boot(&world, 1);
	world.costs.message_cold_ns[SIM_PIPE] = 1000;
	world.costs.messages_cold = 4;
	for (size_t i = 0; i < 12; i++)
		op[i] = (struct script_op){ i < 6 ? DO_WRITE : DO_READ, NULL, 1 };
	op[0].object = sim_pipe_new(world.sim, SIM_PIPE, 65536, false);
	for (size_t i = 1; i < 12; i++)
		op[i].object = op[0].object;
	script_spawn(world.sim, "both", &script, 1);
	script_go(&world);
	for (size_t i = 0; i < 12; i++)
		assert_int_equal(script.at_ns[i + 1] - script.at_ns[i],
				 (i < 6 ? 211 : 111) + cold[i]);
	script_world_release(&world);
}

/* Who has written on CPU 0 reads it there in 10 + 100 + 5, and on CPU 1 it takes 700 more through a pipe, 3000 through a socket. */
static void test_pipe_messages_are_dearer_from_afar(void **state)
{
	static const enum sim_transport transports[] = { SIM_PIPE, SIM_UNIX_STREAM };
	static const uint64_t far_ns[] = { 700, 3000 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const enum sim_transport transport = transports[i / 2];
		const bool packets = i % 2;
		struct script_world world;

		boot(&world, 2);
		world.costs.receive_ns[transport] = 100;
		world.costs.message_far_ns[SIM_PIPE][SIM_LLC] = 700;
		world.costs.message_far_ns[SIM_UNIX_STREAM][SIM_LLC] = 3000;
		{
			struct sim_pipe *pipe = sim_pipe_new(world.sim, transport, 65536, packets);
			const struct script_op near[] = { { DO_WRITE, pipe, 5 },
							  { DO_WRITE, pipe, 5 },
							  { DO_READ, pipe, 5 },
							  { DO_EXIT } };
			const struct script_op far[] = { { DO_RUN_UNTIL, NULL, 20000 },
							 { DO_READ, pipe, 5 },
							 { DO_EXIT } };
			struct script a = { .op = near }, b = { .op = far };

			script_spawn(world.sim, "near", &a, 1);
			script_spawn(world.sim, "far", &b, 2);
			script_go(&world);
			assert_int_equal(a.at_ns[3] - a.at_ns[2], 115);
			assert_int_equal(b.at_ns[2] - b.at_ns[1], 115 + far_ns[i / 2]);
		}
		script_world_release(&world);
	}
}

/*
 * A stream of 4 bytes of CPU 0, 4 of CPU 1, 2 and 2 of CPU 0, read on CPU 1: 6 begin with CPU 0's, the next 2 are the rest of CPU 1's, the
 * last 4 CPU 0's again. Then CPU 1's own: 1, though those before it were CPU 0's.
 */
static void test_pipe_streams_know_where_they_were_written(void **state)
{
	static const uint64_t bytes[] = { 6, 2, 4, 1 }, far_ns[] = { 700, 0, 700, 0 };
	struct script_world world;

	(void)state;
	boot(&world, 2);
	world.costs.message_far_ns[SIM_PIPE][SIM_LLC] = 700;
	{
		struct sim_pipe *pipe = sim_pipe_new(world.sim, SIM_PIPE, 65536, false);
		const struct script_op first[] = { { DO_WRITE, pipe, 4 },
						   { DO_RUN_UNTIL, NULL, 20000 },
						   { DO_WRITE, pipe, 2 },
						   { DO_WRITE, pipe, 2 },
						   { DO_EXIT } };
		const struct script_op second[] = { { DO_RUN_UNTIL, NULL, 10000 },
						    { DO_WRITE, pipe, 4 },
						    { DO_RUN_UNTIL, NULL, 30000 },
						    { DO_READ, pipe, bytes[0] },
						    { DO_READ, pipe, bytes[1] },
						    { DO_READ, pipe, bytes[2] },
						    { DO_WRITE, pipe, bytes[3] },
						    { DO_READ, pipe, bytes[3] },
						    { DO_EXIT } };
		struct script a = { .op = first }, b = { .op = second };

		script_spawn(world.sim, "a", &a, 1);
		script_spawn(world.sim, "b", &b, 2);
		script_go(&world);
		for (size_t i = 0; i < 4; i++)
			assert_int_equal(b.at_ns[4 + i + i / 3] - b.at_ns[3 + i + i / 3],
					 110 + bytes[i] + far_ns[i]);
		assert_int_equal(sim_pipe_bytes(pipe), 0);
	}
	script_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pipe_hands_bytes_to_and_fro),
		cmocka_unit_test(test_pipe_writer_waits_for_a_page),
		cmocka_unit_test(test_pipe_long_messages_go_in_pieces),
		cmocka_unit_test(test_pipe_packets_keep_their_borders),
		cmocka_unit_test(test_pipe_packets_in_order),
		cmocka_unit_test(test_pipe_poll_wakes_all),
		cmocka_unit_test(test_pipe_socket_wakes_writers_at_a_quarter),
		cmocka_unit_test(test_pipe_messages_are_dearer_when_many),
		cmocka_unit_test(test_pipe_messages_are_dearer_from_afar),
		cmocka_unit_test(test_pipe_streams_know_where_they_were_written),
	};

	return cmocka_run_group_tests_name("sim/pipe", tests, NULL, NULL);
}
