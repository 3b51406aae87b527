// SPDX-License-Identifier: GPL-2.0-only
#include "lab/sim_ground.h"

#include "base/file.h"
#include "base/json_out.h"
#include "base/mem.h"
#include "base/rng.h"
#include "lab/sim_spread.h"
#include "topo/preset.h"
#include "topo/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COSTS_MAX (1 << 20)

/* Which settings change which fact. */
static const struct {
	const char *fact;
	const char *keys; /* words; a dot at the end: all that begin so */
} facts[] = {
	{ "sim.machine", "machine" },
	{ "sim.core", "core" },
	{ "sim.costs", "costs spread machine" },
	{ "sim.knobs", "features sched. sysctl. cgroup. partition" },
};

const char *sim_fact_at(size_t i)
{
	return i < ARRAY_SIZE(facts) ? facts[i].fact : NULL;
}

static bool has_key(const struct settings *settings, const char *word, size_t n)
{
	const char *key, *value;

	for (size_t i = 0; (key = settings_at(settings, i, &value)); i++)
		if (!strncmp(key, word, n) && (word[n - 1] == '.' || !key[n]))
			return true;
	return false;
}

static const char preset_word[] = "preset=";

static bool is_preset(const char *knob)
{
	return !strncmp(knob, preset_word, strlen(preset_word));
}

/* Among the features, up to a comma or the end; NULL: none. No name is there twice. */
static const char *preset_asked(const struct settings *settings)
{
	const char *word = settings_get(settings, "features");

	while (word && !is_preset(word)) {
		word = strchr(word, ',');
		word = word ? word + 1 : NULL;
	}
	return word ? word + strlen(preset_word) : NULL;
}

bool sim_fact_asked(const struct settings *settings, const char *fact)
{
	if (!strcmp(fact, "sim.core") && preset_asked(settings))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		const char *word = facts[i].keys;

		if (strcmp(facts[i].fact, fact) != 0)
			continue;
		for (; *word; word += strspn(word, " ")) {
			size_t n = strcspn(word, " ");

			if (has_key(settings, word, n))
				return true;
			word += n;
		}
	}
	return false;
}

static int open_machine(struct sim_ground *ground, const char *what, struct error *err)
{
	struct release release;
	const struct source_opts opts = { .release = &release };
	struct strbuf text = { 0 };
	int ret = release_parse(&release, ground->core.release, ARCH_X86, err);

	if (!ret)
		ret = source_open(&ground->machine, what, &opts, err);
	if (!ret)
		ret = release_parse(&release, ground->core.release, ground->machine->arch, err);
	if (!ret)
		ret = sim_machine_make(&ground->shape, ground->machine, &release, err);
	if (ret) {
		error_prefix(err, "machine %.80s", what);
		return ret;
	}
	if (!ground->machine->name)
		ground->machine->name = xstrdup(what);
	machine_file_print(ground->machine, &text);
	ground->about_machine = xasprintf(
		"%s: %" PRIu32 " CPUs, %" PRIu32 " node%s; its text's hash is %016" PRIx64,
		ground->machine->name, ground->shape.of.nr_cpus, ground->shape.of.nr_nodes,
		ground->shape.of.nr_nodes == 1 ? "" : "s",
		hash64(HASH64_INIT, strbuf_str(&text), text.len));
	strbuf_release(&text);
	return 0;
}

/* "box.machine" has "box.costs" beside it, and so has "box"; NULL where there is no such file. */
static char *costs_beside(const char *machine)
{
	static const char ending[] = ".machine";
	size_t n = strlen(machine), cut = sizeof(ending) - 1;
	char *path;

	if (access(machine, R_OK))
		return NULL;
	if (n > cut && !strcmp(machine + n - cut, ending))
		n -= cut;
	path = xasprintf("%.*s.costs", (int)n, machine);
	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

static int read_costs(struct sim_ground *ground, const char *path, struct error *err)
{
	struct strbuf text = { 0 };
	int ret = file_read(&text, AT_FDCWD, path, COSTS_MAX, err);

	if (!ret)
		ret = costs_parse(&ground->costs, &ground->pairs, path, strbuf_str(&text), text.len,
				  err);
	strbuf_release(&text);
	return ret;
}

static int open_costs(struct sim_ground *ground, const char *path, const char *machine,
		      struct error *err)
{
	char *beside = path ? NULL : costs_beside(machine);
	const char *from = path ? path : beside, *nearest;
	const struct preset *preset = from ? NULL : preset_find(machine, &nearest);
	struct strbuf text = { 0 };
	int ret = 0;

	costs_default(&ground->costs);
	if (from)
		ret = read_costs(ground, from, err);
	else if (preset && preset->costs)
		ret = costs_parse(&ground->costs, &ground->pairs, machine, preset->costs,
				  strlen(preset->costs), err);
	if (!ret) {
		costs_print(&ground->costs, &ground->pairs, NULL, NULL, &text);
		ret = costs_pairs_join(&ground->pairs, ground->machine, from ? from : machine, err);
	}
	if (ret) {
		error_prefix(err, "costs");
	} else {
		ground->about_costs = xasprintf("%s, within %g%%; their hash is %016" PRIx64,
						from ? from
						: preset && preset->costs
							? "of the machine"
							: "defaults, of no machine in particular",
						(double)ground->spread_ppm / 1e4,
						hash64(HASH64_INIT, strbuf_str(&text), text.len));
	}
	strbuf_release(&text);
	free(beside);
	return ret;
}

static void add_knob(struct sim_ground *ground, char *knob)
{
	ground->knobs = xreallocarray(ground->knobs, ground->nr_knobs + 1, sizeof(*ground->knobs));
	ground->knobs[ground->nr_knobs++] = knob;
}

static void add_features(struct sim_ground *ground, const char *words)
{
	char *copy = xstrdup(words), *save = NULL;

	for (char *word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		/* of the model it is the core's own */
		if (!ground->core.knob || !is_preset(word))
			add_knob(ground, xstrdup(word));
	}
	free(copy);
}

/* "sched.numa_balancing.scan_size_mb" is a file in a folder, as on the host. */
static char *debugfs_knob(const char *name, const char *value)
{
	char *knob = xasprintf("%s=%s", name, value);

	for (char *s = knob; *s != '='; s++)
		if (*s == '.')
			*s = '/';
	return knob;
}

/* "sysctl.kernel.sched_rr_timeslice_ms": of all sysctls only the scheduler's own are there. */
static int add_sysctl(struct sim_ground *ground, const char *key, const char *value,
		      struct error *err)
{
	const char *name = key + strlen("sysctl.");

	if (!strncmp(name, "kernel.", 7))
		name += 7;
	if (strchr(name, '.'))
		return error_set(err, EINVAL,
				 "%s: a simulated machine has the scheduler's sysctls only, "
				 "sysctl.kernel.NAME",
				 key);
	add_knob(ground, xasprintf("%s=%s", name, value));
	return 0;
}

static int find_knobs(struct sim_ground *ground, const struct settings *settings, struct error *err)
{
	const char *key, *value;
	int ret = 0;

	if (ground->core.knob)
		add_knob(ground, xstrdup(ground->core.knob));
	for (size_t i = 0; !ret && (key = settings_at(settings, i, &value)); i++) {
		if (!strcmp(key, "features"))
			add_features(ground, value);
		else if (!strncmp(key, "sched.", 6))
			add_knob(ground, debugfs_knob(key + 6, value));
		else if (!strncmp(key, "sysctl.", 7))
			ret = add_sysctl(ground, key, value, err);
	}
	return ret;
}

void sim_ground_tell_knobs(const struct sim_ground *ground, struct strbuf *sb)
{
	for (uint32_t i = ground->core.knob ? 1 : 0; i < ground->nr_knobs; i++)
		strbuf_addf(sb, "%s%s", sb->len ? " " : "", ground->knobs[i]);
	if (ground->groups.text)
		strbuf_addf(sb, "%s%s", sb->len ? " " : "", ground->groups.text);
}

static void write_facts(struct sim_ground *ground)
{
	struct strbuf sb = { 0 }, knobs = { 0 };
	struct json_out out = { .sb = &sb };

	sim_ground_tell_knobs(ground, &knobs);
	json_out_object(&out, NULL);
	json_out_str(&out, "sim.machine", ground->about_machine);
	json_out_str(&out, "sim.core", ground->core.about);
	json_out_str(&out, "sim.costs", ground->about_costs);
	json_out_str(&out, "sim.knobs", knobs.len ? knobs.s : "none");
	json_out_end_object(&out);
	ground->facts = strbuf_take(&sb);
	strbuf_release(&knobs);
}

/* The model with "preset=k6.12" is "model:k6.12", so that all that is told of it, its domains too, is of that one. */
static int open_core(struct sim_core *core, const struct settings *settings, struct error *err)
{
	const char *name = settings_get(settings, "core");
	const char *preset = preset_asked(settings);
	char *both = NULL;
	int ret;

	if (preset && (!name || !strncmp(name, "model", 5)))
		both = xasprintf("model:%.*s", (int)strcspn(preset, ","), preset);
	ret = sim_core_open(core, both ? both : name ? name : "model", err);
	free(both);
	return ret;
}

int sim_ground_open(struct sim_ground **out, const struct settings *settings, struct error *err)
{
	struct sim_ground *ground = xcalloc(1, sizeof(*ground));
	const char *machine = settings_get(settings, "machine");
	const char *check = settings_get(settings, "check");
	const char *spread = settings_get(settings, "spread");
	int ret;

	if (!machine)
		machine = "live";
	/* "2.5%" */
	ground->spread_ppm = spread ? (uint64_t)(strtod(spread, NULL) * 1e4 + 0.5) : SIM_SPREAD_PPM;
	ground->seed = settings_seed(settings);
	ret = open_core(&ground->core, settings, err);
	if (!ret)
		ret = open_machine(ground, machine, err);
	if (!ret)
		ret = sim_groups_read(&ground->groups, settings, &ground->shape.of, err);
	if (!ret)
		ret = open_costs(ground, settings_get(settings, "costs"), machine, err);
	if (!ret)
		ret = find_knobs(ground, settings, err);
	if (ret) {
		sim_ground_free(ground);
		return ret;
	}
	ground->check = check && !strcmp(check, "yes");
	write_facts(ground);
	*out = ground;
	return 0;
}

int sim_ground_plain(struct sim_ground **out, const char *machine, const char *core,
		     struct error *err)
{
	struct settings *settings = settings_new();
	int ret = settings_set(settings, "machine", machine, err);

	if (!ret)
		ret = settings_set(settings, "core", core, err);
	if (!ret)
		ret = sim_ground_open(out, settings, err);
	settings_free(settings);
	return ret;
}

void sim_ground_free(struct sim_ground *ground)
{
	if (!ground)
		return;
	sim_groups_release(&ground->groups);
	sim_machine_release(&ground->shape);
	machine_free(ground->machine);
	costs_pairs_release(&ground->pairs);
	sim_core_close(&ground->core);
	for (uint32_t i = 0; i < ground->nr_knobs; i++)
		free(ground->knobs[i]);
	free(ground->knobs);
	free(ground->about_machine);
	free(ground->about_costs);
	free(ground->facts);
	free(ground);
}
