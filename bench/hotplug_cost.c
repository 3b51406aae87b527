// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench/hotplug_cost - counted mask operations beside hotplug times that a kernel developer has posted.
 * `hotplug_cost CSV ...`
 *
 * Prices the operations on this computer, fits what must be fitted on the rows of 320 CPUs only
 * (doc/TOPOLOGY.md, "Cost of hotplug"), and prints what that gives for every row beside what was
 * posted. Shows; judges nothing. Exits 1 if it can't read or count.
 */
#include "topo/cost.h"
#include "topo/cost_fit.h"
#include "topo/cost_scale.h"
#include "topo/preset.h"
#include "topo/source.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS    64
#define SAMPLES	    65
#define FITTED_CPUS 320
#define POSTED_RUNS 5 /* behind each row */

/* struct posted - a row of the file, and what was counted for it */
struct posted {
	unsigned int cpus;
	char operation[32];
	bool with;
	double min, max, avg, stddev;
	struct cost_run run;
	double online_sum; /* CPUs online, summed over the transitions */
};

/* Both ways to say what the rest of a transition goes with. */
enum rest {
	REST_TRANSITION,
	REST_CPUS,
	NR_RESTS,
};

static void die(const char *what, const struct error *err)
{
	fprintf(stderr, "hotplug_cost: %s: %s\n", what, err->text);
	exit(1);
}

static bool read_number(double *number, const char *word)
{
	char *end;

	*number = strtod(word, &end);
	return end != word && !*end;
}

/* machine,cpus,operation,variant,min,max,avg,stddev; a comment or the head is no row. */
static bool read_row(struct posted *p, char *line)
{
	char *field[8], *save = NULL;
	size_t n = 0;
	double cpus;

	for (char *at = strtok_r(line, ",", &save); at && n < ARRAY_SIZE(field);
	     at = strtok_r(NULL, ",", &save))
		field[n++] = at;
	if (n < ARRAY_SIZE(field) || !read_number(&cpus, field[1]) ||
	    !read_number(&p->min, field[4]) || !read_number(&p->max, field[5]) ||
	    !read_number(&p->avg, field[6]) || !read_number(&p->stddev, field[7]))
		return false;
	p->cpus = (unsigned int)cpus;
	p->with = !strcmp(field[3], "with");
	snprintf(p->operation, sizeof(p->operation), "%s", field[2]);
	return true;
}

/* Adds the rows of a file behind the first @n. Returns how many there are now. */
static size_t read_rows(struct posted *row, size_t n, const char *path)
{
	struct strbuf text = { 0 };
	struct error err = { 0 };
	char *save = NULL, *line;

	if (file_read(&text, AT_FDCWD, path, 1 << 20, &err))
		die("reading", &err);
	for (line = text.s ? strtok_r(text.s, "\n", &save) : NULL; line && n < MAX_ROWS;
	     line = strtok_r(NULL, "\n", &save))
		n += read_row(&row[n], line);
	strbuf_release(&text);
	return n;
}

static const char *preset_of(unsigned int cpus)
{
	switch (cpus) {
	case 320:
		return "x86-8s-320";
	case 960:
		return "x86-8s-960";
	case 1920:
		return "x86-16s-1920";
	default:
		return "power-360";
	}
}

static struct machine *machine_of(unsigned int cpus)
{
	const char *name = preset_of(cpus);
	const struct preset *preset = preset_find(name, NULL);
	struct release release;
	struct source_opts opts = { .release = &release };
	struct error err = { 0 };
	struct machine *m;

	release_preset(&release, 6, 14, ARCH_X86);
	if (!preset) {
		error_set(&err, EINVAL, "no such preset");
		die(name, &err);
	}
	if (machine_file_parse(&m, preset->text, &opts, &err))
		die(name, &err);
	return m;
}

/* The word that brings the machine to where the operation starts, and the operation's own. */
static const char *words_of(const char *operation, const char **before)
{
	*before = NULL;
	if (!strcmp(operation, "all-online"))
		*before = "half-offline";
	if (!strcmp(operation, "smt-4")) {
		*before = "smt-off";
		return "smt=4";
	}
	return operation;
}

/* CPUs online before or after each move, whichever are more, summed up. */
static double online_sum(const struct hotplug *h, const char *word)
{
	double sum = 0, online = h->active->weight;
	unsigned int *cpu, nr;
	bool *comes;

	if (hotplug_plan(&cpu, &comes, &nr, h, word, NULL))
		return 0;
	for (unsigned int i = 0; i < nr; i++) {
		sum += comes[i] ? online + 1 : online;
		online += comes[i] ? 1 : -1;
	}
	free(cpu);
	free(comes);
	return sum;
}

static void count(struct posted *p)
{
	struct machine *m = machine_of(p->cpus);
	struct error err = { 0 };
	struct release r;
	struct hotplug *h;
	const char *before, *word = words_of(p->operation, &before);

	release_preset(&r, 6, 14, m->arch);
	h = hotplug_boot(m, &r);
	if (before && cost_hotplug_sampled(&p->run, h, before, SAMPLES, &err))
		die(before, &err);
	p->online_sum = online_sum(h, word);
	if (cost_hotplug_sampled(&p->run, h, word, SAMPLES, &err))
		die(word, &err);
	hotplug_free(h);
	machine_free(m);
}

static double model_seconds(const struct posted *p, const struct cost_model *model)
{
	enum span_check how = p->with ? SPAN_LINEAR_IDSET : SPAN_PAIRWISE_HALF;

	return cost_seconds(model, &p->run.check[how]) + cost_seconds(model, &p->run.build);
}

static struct cost_sample sample_of(const struct posted *p, const struct cost_model *model,
				    enum rest rest)
{
	return (struct cost_sample){
		.group = !strcmp(p->operation, "all-online"),
		.units = rest == REST_CPUS ? p->online_sum : p->run.transitions,
		.model_s = model_seconds(p, model),
		.seconds = p->avg,
	};
}

static struct cost_fit fit_small(const struct posted *row, size_t n, const struct cost_model *model,
				 enum rest rest)
{
	struct cost_sample sample[MAX_ROWS];
	struct cost_fit fit;
	struct error err = { 0 };
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (row[i].cpus == FITTED_CPUS)
			sample[used++] = sample_of(&row[i], model, rest);
	if (cost_fit(&fit, sample, used, &err))
		die("fit", &err);
	return fit;
}

/* The row with the change for one without. */
static const struct posted *partner(const struct posted *row, size_t n, const struct posted *of)
{
	for (size_t i = 0; i < n; i++)
		if (row[i].cpus == of->cpus && row[i].with && !of->with &&
		    !strcmp(row[i].operation, of->operation))
			return &row[i];
	return NULL;
}

/*
 * Standard error of the scale by the spread that was posted. With a pair of rows a group, the scale is
 * sum(dx * dy) / sum(dx^2) over the differences of the pairs.
 */
static double scale_error(const struct posted *row, size_t n, const struct cost_model *model)
{
	double xx = 0, var = 0;

	for (size_t i = 0; i < n; i++) {
		const struct posted *a = &row[i], *b = partner(row, n, a);
		double x;

		if (!b || a->cpus != FITTED_CPUS)
			continue;
		x = model_seconds(a, model) - model_seconds(b, model);
		xx += x * x;
		var += x * x * (a->stddev * a->stddev + b->stddev * b->stddev) / POSTED_RUNS;
	}
	return sqrt(var) / xx;
}

static void print_counts(const struct posted *row, size_t n, const struct cost_model *model)
{
	printf("Counted, and seconds on this computer:\n%5s %-13s %11s %13s %10s %13s %10s %13s "
	       "%10s\n",
	       "CPUs", "operation", "transitions", "half words", "s", "idset words", "s",
	       "rest words", "s");
	for (size_t i = 0; i < n; i++) {
		const struct cost_run *run = &row[i].run;
		const struct mask_ops *half = &run->check[SPAN_PAIRWISE_HALF];
		const struct mask_ops *idset = &run->check[SPAN_LINEAR_IDSET];

		if (!row[i].with)
			printf("%5u %-13s %11u %13.4g %10.4f %13.4g %10.4f %13.4g %10.4f\n",
			       row[i].cpus, row[i].operation, run->transitions,
			       (double)mask_ops_words(half), cost_seconds(model, half),
			       (double)mask_ops_words(idset), cost_seconds(model, idset),
			       (double)mask_ops_words(&run->build),
			       cost_seconds(model, &run->build));
	}
}

static void print_gain(const struct posted *row, size_t n, const struct cost_model *model,
		       const struct cost_fit *fit, enum rest rest)
{
	for (size_t i = 0; i < n; i++) {
		const struct posted *a = &row[i], *b = partner(row, n, a);
		struct cost_sample sa, sb;
		double pa, pb;

		/* nothing of POWER's own rest is known, so only the time saved is said below */
		if (!b || strncmp(a->operation, "smt", 3) == 0)
			continue;
		sa = sample_of(a, model, rest);
		sb = sample_of(b, model, rest);
		pa = cost_fit_predict(fit, &sa);
		pb = cost_fit_predict(fit, &sb);
		printf("%5u %-13s %-9s %9.1f %9.1f %8.1f %7.1f%% %9.1f %9.1f %8.1f %7.1f%%\n",
		       a->cpus, a->operation, a->cpus == FITTED_CPUS ? "fitted" : "predicted", pa,
		       pb, pa - pb, 100 * (pa - pb) / pa, a->avg, b->avg, a->avg - b->avg,
		       100 * (a->avg - b->avg) / a->avg);
	}
}

static void print_power(const struct posted *row, size_t n, const struct cost_model *model,
			double scale)
{
	printf("\nPOWER, 360 CPUs: seconds saved, by the x86's scale; posted; spread (min to max) "
	       "of the posted runs\n");
	for (size_t i = 0; i < n; i++) {
		const struct posted *a = &row[i], *b = partner(row, n, a);

		if (b && !strncmp(a->operation, "smt", 3))
			printf("%5u %-13s %9.2f %9.2f %9.2f\n", a->cpus, a->operation,
			       scale * (model_seconds(a, model) - model_seconds(b, model)),
			       a->avg - b->avg, a->max - a->min);
	}
}

int main(int argc, char **argv)
{
	static const char *const rest_names[] = { "a transition", "a transition and CPU online" };
	struct posted *row = xcalloc(MAX_ROWS, sizeof(*row));
	struct cost_model model;
	struct cost_fit fit;
	size_t n = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: hotplug_cost CSV ...\n");
		return 2;
	}
	for (int i = 1; i < argc; i++)
		n = read_rows(row, n, argv[i]);
	for (size_t i = 0; i < n; i++)
		count(&row[i]);
	cost_calibrate(&model);
	print_counts(row, n, &model);
	for (unsigned int rest = 0; rest < NR_RESTS; rest++) {
		fit = fit_small(row, n, &model, (enum rest)rest);
		printf("\nFitted on %u CPUs: one scale, %.2f (standard error %.2f); and the rest "
		       "of "
		       "%s, going %.4g ms and coming %.4g ms\n",
		       FITTED_CPUS, fit.scale, scale_error(row, n, &model), rest_names[rest],
		       1e3 * fit.rest_s[0], 1e3 * fit.rest_s[1]);
		printf("%5s %-13s %-9s %38s %39s\n%29s %9s %9s %8s %8s %9s %9s %8s %8s\n", "", "",
		       "", "model, s", "posted, s", "", "without", "with", "saved", "gain",
		       "without", "with", "saved", "gain");
		print_gain(row, n, &model, &fit, (enum rest)rest);
	}
	print_power(row, n, &model, fit.scale);
	free(row);
	return 0;
}
