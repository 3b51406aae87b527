/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/model.h - the scheduler model: a core of src/core/core.h that needs no kernel tree. This header has what its files
 * share: tasks, runqueues and the instance. Each mechanism has a file and a header of its own:
 *
 *   frame      model.c task.c switch.c wake.c clock.c stop.c hotplug.c attr.c look.c
 *   fair       fair.c fair_load.c cfs.c eevdf.c util_est.c pelt.c timeline.c weight.c
 *   RT         rt.c
 *   frequency  cpufreq.c
 *   placement  select.h: which CPU a task goes to
 *   balance    balance.h: domains, periodic, newidle and nohz balancing
 *   switches   feature.h tunable.h
 *
 * It follows the kernel step by step, in the kernel's order, because order decides rounding. Locks there are none. Ties are
 * broken by id. Memory: an arena an instance; tasks that are freed are used again.
 *
 * Whoever computes tells it with model_step(), a step being about one runqueue or task looked at.
 */
#ifndef SCHED_MODEL_H
#define SCHED_MODEL_H

#include "base/arena.h"
#include "base/rng.h"
#include "core/core.h"
#include "sched/entity.h"
#include "sched/feature.h"
#include "sched/tunable.h"
#include "topo/machine.h"
#include "topo/release.h"

struct balance; /* the balancer's side of the instance, balance.h */
struct cpufreq; /* a frequency domain, cpufreq.h */
struct model;
struct rq;
struct sd; /* a sched domain, balance.h */
struct task;

/* As in the kernel: 0 .. 99 real time, 100 .. 139 fair. */
#define PRIO_FAIR 100
#define PRIO_NICE 120
#define PRIO_IDLE 140

enum task_state {
	TASK_NEW, /* forked, not started */
	TASK_RUNNING,
	TASK_SLEEPING,
	TASK_WAKING, /* in a wakelist */
	TASK_DEAD,
};

enum task_on_rq {
	TASK_OFF_RQ,
	TASK_QUEUED,
	TASK_MIGRATING,
};

/* Of enqueueing and dequeueing; the kernel's meanings. */
enum queue_flag {
	DEQUEUE_SLEEP = 1 << 0,
	ENQUEUE_WAKEUP = 1 << 0,
	QUEUE_SAVE = 1 << 1, /* dequeued to be changed and put back: RESTORE */
	QUEUE_MOVE = 1 << 2,
	DEQUEUE_SPECIAL = 1 << 4, /* it dies: no delayed dequeue */
	DEQUEUE_DELAYED = 1 << 5,
	ENQUEUE_DELAYED = 1 << 5,
	ENQUEUE_INITIAL = 1 << 6,
	ENQUEUE_MIGRATED = 1 << 7,
	ENQUEUE_HEAD = 1 << 8,
	ENQUEUE_COUNTED = 1 << 9, /* nr_queued has it already */
};

/* Why a CPU is chosen, and what is known of the wakeup. */
enum wake_flag {
	WAKE_EXEC = 1 << 0,
	WAKE_FORK = 1 << 1,
	WAKE_TTWU = 1 << 2,
	WAKE_SYNC = 1 << 3,
	WAKE_MIGRATED = 1 << 4,
};

/**
 * struct sched_class - a policy's hooks, named as in the kernel
 * @rank: the greater preempts
 * @dequeue_task: false where the task stays queued (delayed)
 * @pick_task:    next to run or NULL; what runs may still be queued as the running one
 */
struct sched_class {
	const char *name;
	int rank;
	void (*enqueue_task)(struct rq *rq, struct task *p, unsigned int flags);
	bool (*dequeue_task)(struct rq *rq, struct task *p, unsigned int flags);
	void (*yield_task)(struct rq *rq);
	void (*wakeup_preempt)(struct rq *rq, struct task *p, unsigned int wake_flags);
	struct task *(*pick_task)(struct rq *rq);
	void (*put_prev_task)(struct rq *rq, struct task *p);
	void (*set_next_task)(struct rq *rq, struct task *p, bool first);
	uint32_t (*select_task_rq)(struct model *m, struct task *p, uint32_t prev,
				   unsigned int wake_flags);
	void (*migrate_task_rq)(struct task *p, uint32_t new_cpu);
	void (*task_tick)(struct rq *rq, struct task *p);
	void (*task_dead)(struct task *p);
	void (*switched_from)(struct rq *rq, struct task *p);
	void (*switched_to)(struct rq *rq, struct task *p);
	void (*prio_changed)(struct rq *rq, struct task *p, int old_prio);
	void (*update_curr)(struct rq *rq);
};

extern const struct sched_class class_stop, class_rt, class_fair, class_idle;

/** struct link - in a ring of tasks; a head is one that is not in a task */
struct link {
	struct link *prev, *next;
};

/**
 * struct stop_work - to be done by the stopper of a CPU, in whose context nothing runs there
 * @fn: gets the rq of that CPU
 */
struct stop_work {
	struct stop_work *next;
	void (*fn)(struct rq *rq, void *data);
	void *data;
	bool queued;
};

/**
 * struct task - a task, or a thread of the model's own (the idle task and the stopper of a CPU)
 * @allowed:   its affinity; nr_allowed: its weight
 * @wake_cpu:  where a wakeup starts looking: the last one, or where it was sent while asleep
 * @mru:       in rq.cfs_tasks, the most recently run first; the balancer takes from the tail
 * @last_wakee, @wakee_flips, @wakee_flip_jiffy: whom it wakes, and how often another one than before
 * @remote_wakeup: it was migrated by the wakeup that is in a wakelist
 * @max_allowed_capacity: of the CPUs it may use
 */
struct task {
	struct entity se; /* three lines of a cache */
	void *cookie;
	const struct sched_class *class;
	struct rq *rq;
	uint32_t id;
	uint32_t cpu;
	uint32_t wake_cpu;
	uint32_t recent_used_cpu;
	const struct cset *allowed;
	enum task_state state;
	enum task_on_rq on_rq;
	int policy; /* enum core_policy */
	bool on_cpu;
	bool remote_wakeup;
	bool in_iowait;
	int prio;
	int rt_priority;

	uint64_t queued_ns;  /* since when it waits; 0: it doesn't */
	uint64_t arrived_ns; /* since when it runs */
	struct link mru;
	uint32_t last_wakee;
	uint32_t wakee_flips;
	uint64_t wakee_flip_jiffy;
	struct task *wake_next;
	uint32_t nr_allowed;
	uint32_t max_allowed_capacity;

	uint64_t migrations;
	int static_prio;
	uint32_t rr_ticks;
	struct link rt_link;
	struct stop_work move; /* to another CPU, by the stopper of its own */
	uint32_t move_to;
	enum core_reason move_reason;
	char comm[16];
} __attribute__((aligned(64)));

/**
 * struct fair_rq - fair tasks of a CPU
 * @curr:      entity that runs; not in @timeline
 * @nr_queued: running and delayed ones included
 * @nr_idle:   of them, those of the idle policy
 * @weight:    sum over the queued, running included; @avg_weight, @avg_vruntime: of those in @timeline, (v - zero) * w
 * @zero_vruntime: origin of @avg_vruntime (EEVDF)
 * @next, @last, @skip: buddies
 * @removed:   averages of tasks that left asleep, to be subtracted at the next update
 */
struct fair_rq {
	struct entity *curr;
	struct entity *next, *last, *skip;
	uint32_t nr_queued;
	uint32_t nr_delayed;
	uint32_t nr_idle;
	uint32_t util_est;
	uint64_t weight;
	uint64_t avg_weight;

	struct pelt avg;
	int64_t avg_vruntime;

	uint64_t zero_vruntime;
	uint64_t min_vruntime;
	struct {
		uint64_t load_avg;
		uint64_t runnable_avg;
		uint64_t util_avg;
		uint32_t nr;
	} removed;
	struct timeline timeline;
};

/** struct rt_rq - FIFO and RR tasks; a ring a priority, the running one in its place */
struct rt_rq {
	uint32_t nr_queued;
	uint64_t map[2];    /* priorities that have tasks */
	struct link *queue; /* queue[100]; made with the CPU's first such task */
};

/**
 * struct root_domain - CPUs that balance among each other
 * @overloaded: some CPU of it has two tasks or more; set by who queues the second one, cleared by the balancer
 * @max_capacity: of its CPUs
 */
struct root_domain {
	bool overloaded;
	uint32_t max_capacity;
};

/** struct rq_stats - for /proc/schedstat */
struct rq_stats {
	uint32_t yld_count;
	uint32_t sched_count;
	uint32_t sched_goidle;
	uint32_t ttwu_count;
	uint32_t ttwu_local;
	uint64_t run_ns;
	uint64_t wait_ns;
	uint64_t slices;
};

/**
 * struct lb_sums - of the CPUs of a group, or of one CPU; kept up to date by sched/lb_sums.h
 * @idle_cpus: on which nothing runs or waits
 * @nr_over: CPUs with more than one task
 * @nr_odd:  CPUs with a task too large for them, or one task and reduced capacity: their group must be looked at one by one
 */
struct lb_sums {
	uint64_t load;
	uint64_t runnable;
	uint32_t util;
	uint32_t nr_running;
	uint32_t nr_fair;
	uint32_t idle_cpus;
	uint32_t nr_over;
	uint32_t nr_odd;
};

/**
 * struct lb_seen - what the sums of groups hold of a CPU
 * @open: it idles, or has nothing but tasks of the idle policy
 */
struct lb_seen {
	struct lb_sums own;
	bool open;
};

/** struct sugov_cpu - what a governor keeps of a CPU */
struct sugov_cpu {
	uint64_t last_update_ns;
	uint32_t iowait_boost; /* 0 or 128 .. 1024 */
	bool iowait_pending;
	uint64_t idle_entries; /* as of the last request */
};

enum nohz_flag {
	NOHZ_BALANCE_KICK = 1 << 0,
	NOHZ_STATS_KICK = 1 << 1,
	NOHZ_NEWILB_KICK = 1 << 2,
	NOHZ_NEXT_KICK = 1 << 3,
};

/**
 * struct rq - a CPU
 * @curr:         what runs: a task, @idle or @stop; never NULL
 * @next_class:   of what runs, or of what a wakeup means to run next
 * @nr_running:   of all classes; delayed ones included, as in the kernel
 * @clock:        ns as of the last rq_clock_update(); @clock_task the same without interrupts; @clock_pelt slower on
 *                a slow CPU; see clock.h
 * @skip_clock:   clock.h
 * @calls:        functions another CPU asks for are pending: wake-ups of @wakelist, a kick of @nohz_flags
 * @softirq:      of the balancer, due in settle()
 * @freq:         the CPU's frequency now, of 1024
 *
 * Laid out by lines of a cache of 64 bytes: what others look at and each event does, clocks, the fair class's, what a pass of
 * the balancer needs, and what is seldom needed, from @h_load on. The balancer and the placement keep what is theirs, from @rd on
 * and before it from @random on; the frame only sets the initial values: avg_idle 2 * migration_cost_ns,
 * max_idle_balance_cost migration_cost_ns, cpu_capacity the CPU's.
 */
struct rq {
	struct model *model;
	struct task *curr;
	const struct sched_class *next_class;
	uint32_t cpu;
	uint32_t nr_running;
	uint32_t llc_id, share_id;
	uint32_t capacity; /* 1 .. 1024 */
	uint32_t freq;
	bool online; /* the rest of the kernel may use it */
	bool active; /* and tasks may be put there */
	bool need_resched;
	uint8_t skip_clock;
	bool calls;
	bool ttwu_pending;
	bool softirq;
	bool idle_tick_stopped;
	bool idle_balance;
	uint8_t nohz_flags;	   /* asked for */
	uint8_t nohz_idle_balance; /* being done */
	bool nohz_tick_stopped;
	bool has_blocked_load;
	bool active_balance;
	bool changed; /* since lb_sums.c looked: rq_changed() */
	struct task *wakelist;

	uint64_t clock, clock_task, clock_pelt;
	uint64_t lost_idle_ns, clock_idle, clock_pelt_idle;
	struct task **wakelist_end;
	struct cpufreq *cpufreq; /* NULL: no governor */

	struct fair_rq cfs;

	struct rng random;
	uint64_t max_idle_balance_cost;
	uint64_t last_blocked_jiffy;
	uint64_t wake_stamp; /* jiffies */

	struct root_domain *rd;
	struct sd *sd; /* base domain, NULL: none */
	struct sd *sd_llc;
	struct llc_shared *llc_shared;
	const struct cset *smt; /* threads of its core that are active, itself included */
	uint64_t idle_stamp;
	uint64_t avg_idle;
	uint64_t next_balance; /* jiffies */

	struct rq_stats stats;
	struct link cfs_tasks;

	struct lb_seen seen;   /* sched/lb_sums.h */
	uint32_t cpu_capacity; /* what fair tasks get of @capacity */
	uint32_t llc_size;
	uint64_t misfit_task_load;

	uint64_t h_load, h_load_jiffy;
	struct pelt avg_rt;
	uint64_t wake_avg_idle;
	struct sd *sd_numa, *sd_asym_packing, *sd_asym_capacity;
	struct rt_rq rt;
	struct sugov_cpu sugov;
	struct stop_work *stop_works, **stop_works_end;
	struct stop_work drain_work; /* it goes offline */
	struct stop_work active_balance_work;
	uint32_t last_given; /* CPU that an affinity set from here sent a task to */
	uint32_t push_cpu;

	struct task idle, stop;
};

/**
 * struct model - an instance
 * @cpu:     that the event is on
 * @steps:   of work not yet told to the host
 * @jiffy, @jiffy_ns: of the last event, and when it began
 * @tunables, @normal: in use, and before scaling by the number of CPUs
 * @release: what the topology is built for; feature rows "topo.*" are copied into it
 * @topo:    the machine, a copy of its own
 * @online, @active: CPUs
 */
struct model {
	const struct core_host *host;
	const struct core_machine *machine;
	struct machine *topo;
	struct arena *arena;
	struct features features;
	struct tunables tunables;
	struct tunables normal;
	struct release release;
	uint64_t seed;
	uint64_t tick_ns;
	uint64_t jiffy, jiffy_ns;
	uint32_t nr_cpus;
	uint32_t nr_online;
	uint32_t cpu;
	uint64_t steps;
	bool cost;
	bool verbose;
	bool booted;
	struct rq *rq; /* rq[nr_cpus] */
	struct cbits *online, *active;
	struct balance *balance;
	uint32_t *changed; /* changed[nr_changed], CPUs for lb_sums.c; balance_new() makes it */
	uint32_t nr_changed;
	struct task *free_tasks;
	uint32_t next_id;
	bool asymmetric; /* some CPU has another capacity than the rest */
	bool same_priorities;
	uint32_t nr_rt; /* RT tasks queued, all CPUs */
};

static inline struct rq *cpu_rq(struct model *m, uint32_t cpu)
{
	return &m->rq[cpu];
}

static inline struct task *task_of(struct entity *se)
{
	return (struct task *)((char *)se - offsetof(struct task, se));
}

static inline bool task_is_fair(const struct task *p)
{
	return p->class == &class_fair;
}

static inline bool rq_is_idle(const struct rq *rq)
{
	return rq->curr == &rq->idle;
}

/** available_idle_cpu() - nothing runs there, waits there or is on its way there by a wakelist */
static inline bool available_idle_cpu(const struct rq *rq)
{
	return rq_is_idle(rq) && !rq->nr_running && !rq->ttwu_pending;
}

/** rq_changed() - tasks, averages, curr, ttwu_pending, cpu_capacity or misfit_task_load of @rq have changed; lb_sums.c */
static inline void rq_changed(struct rq *rq)
{
	struct model *m = rq->model;

	if (rq->changed)
		return;
	rq->changed = true;
	m->changed[m->nr_changed++] = rq->cpu;
}

/** sched_idle_rq() - it has tasks, all of the idle policy */
static inline bool sched_idle_rq(const struct rq *rq)
{
	return rq->nr_running && rq->nr_running == rq->cfs.nr_idle;
}

static inline bool task_allowed(const struct task *p, uint32_t cpu)
{
	return cset_test(p->allowed, cpu);
}

/** model_step() - the core computed */
static inline void model_step(struct model *m, uint64_t steps)
{
	m->steps += steps;
}

/** model_now() - the time, with the work done so far */
uint64_t model_now(struct model *m);

/** jiffies() - ticks since 0, of the time */
static inline uint64_t jiffies(const struct model *m)
{
	const uint64_t now = *m->host->now_ns;

	/* rarely does an event reach into another jiffy; a division takes as long as ten steps of it */
	return now - m->jiffy_ns < m->tick_ns ? m->jiffy : now / m->tick_ns;
}

/** ms_to_jiffies() - rounded up */
static inline uint64_t ms_to_jiffies(const struct model *m, uint64_t ms)
{
	return (ms * m->tunables.hz + 999) / 1000;
}

/** model_why() - does anybody ask why? Only then a struct core_why may be filled, and told to host->why() */
static inline bool model_why(const struct model *m)
{
	return m->host->why != NULL;
}

/** model_print(), model_warn() - a line to the host */
void model_print(struct model *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void model_warn(struct model *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Tasks and queues, for whoever moves tasks: task.c. */

/** enqueue_task(), dequeue_task() - the class's hook and what goes with it; the rq's clock is current */
void enqueue_task(struct rq *rq, struct task *p, unsigned int flags);
bool dequeue_task(struct rq *rq, struct task *p, unsigned int flags);

/** rq_add_running() - a class has queued one more */
void rq_add_running(struct rq *rq);

/** activate_task() - enqueue, and it counts as queued. A task in migration gets ENQUEUE_MIGRATED */
void activate_task(struct rq *rq, struct task *p, unsigned int flags);

/** deactivate_task() - dequeue to move it; not for sleep */
void deactivate_task(struct rq *rq, struct task *p, unsigned int flags);

/** set_task_cpu() - it belongs to @cpu from now on; tells the host. Not while it is queued */
void set_task_cpu(struct task *p, uint32_t cpu, enum core_reason reason);

/** wakeup_preempt() - @p has been queued on @rq: does it preempt? */
void wakeup_preempt(struct rq *rq, struct task *p, unsigned int wake_flags);

/** resched_curr() - @rq is to choose anew; by an IPI unless it is this CPU */
void resched_curr(struct rq *rq);

/** move_queued_task() - from @rq, whose clock is current, to @cpu at once; it does not run */
void move_queued_task(struct rq *rq, struct task *p, uint32_t cpu, enum core_reason reason);

/** stop_one_cpu() - have @work done by the stopper of @rq; no-op where it is queued already */
void stop_one_cpu(struct rq *rq, struct stop_work *work, void (*fn)(struct rq *rq, void *data),
		  void *data);

/** stop_cancel() - take it back */
void stop_cancel(struct rq *rq, struct stop_work *work);

/** call_cpu() - an IPI to @rq, in which pending kicks and wake-ups are handled; none where one is on its way */
void call_cpu(struct rq *rq);

/* Ring of tasks. */
static inline void link_init(struct link *head)
{
	head->prev = head->next = head;
}

static inline bool link_empty(const struct link *head)
{
	return head->next == head;
}

static inline void link_del(struct link *link)
{
	link->prev->next = link->next;
	link->next->prev = link->prev;
	link->prev = link->next = link;
}

/** link_add() - right behind @at */
static inline void link_add(struct link *link, struct link *at)
{
	link->prev = at;
	link->next = at->next;
	at->next->prev = link;
	at->next = link;
}

static inline struct task *task_of_mru(struct link *link)
{
	return (struct task *)((char *)link - offsetof(struct task, mru));
}

#endif
