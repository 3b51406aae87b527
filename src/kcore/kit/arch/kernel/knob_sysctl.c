// SPDX-License-Identifier: GPL-2.0-only
/* knob_sysctl.c - sysctls: the scheduler's tables and handlers, and of the generic handlers what those use */
#include <linux/sysctl.h>
#include "kit.h"

#if SINCE(6, 11)
#define TABLE const struct ctl_table
#else
#define TABLE struct ctl_table
#endif

static int set_sysctl(const struct kit_knob *knob, char *value)
{
	TABLE *entry = knob->data;
	size_t len = strlen(value);
	loff_t pos = 0;

	return entry->proc_handler(entry, 1, value, &len, &pos);
}

static void add_table(TABLE *entry, size_t n)
{
	for (; n && entry->procname; n--, entry++) {
		if (entry->mode & 0200)
			kit_knob_add(entry->procname, set_sysctl, (void *)entry, NULL);
	}
}

/* Under a C name of our own: the types of its arguments are other ones in each release. */
void kit_register_sysctl(const char *path, void *table, const char *name,
			 size_t n) __asm__("__register_sysctl_init");

void kit_register_sysctl(const char *path, void *table, const char *name, size_t n)
{
	/* until then a table ended with an empty entry */
	add_table(table, SINCE(6, 6) ? n : SIZE_MAX);
}

/* The bounds that tables share are found by their names. */
void kit_sysctl_setup(void)
{
	*(int *)SYSCTL_ZERO = 0;
	*(int *)SYSCTL_ONE = 1;
	*(int *)SYSCTL_TWO = 2;
	*(int *)SYSCTL_THREE = 3;
	*(int *)SYSCTL_FOUR = 4;
	*(int *)SYSCTL_ONE_HUNDRED = 100;
	*(int *)SYSCTL_TWO_HUNDRED = 200;
	*(int *)SYSCTL_ONE_THOUSAND = 1000;
	*(int *)SYSCTL_THREE_THOUSAND = 3000;
	*(int *)SYSCTL_INT_MAX = INT_MAX;
	*(int *)SYSCTL_NEG_ONE = -1;
}

static bool within(TABLE *entry, long value)
{
	const int *min = entry->extra1, *max = entry->extra2;

	return !(min && value < *min) && !(max && value > *max);
}

/* Reading is for /proc/sys, which isn't here: writing only. */
static int set_int(TABLE *entry, int write, const void *text, bool bounded)
{
	int value;

	if (!write)
		return 0;
	if (kstrtoint(text, 0, &value) || (bounded && !within(entry, value)))
		return -EINVAL;
	*(int *)entry->data = value;
	return 0;
}

int proc_dointvec(TABLE *entry, int write, void *text, size_t *len, loff_t *pos)
{
	return set_int(entry, write, text, false);
}

int proc_dointvec_minmax(TABLE *entry, int write, void *text, size_t *len, loff_t *pos)
{
	return set_int(entry, write, text, true);
}

int proc_douintvec_minmax(TABLE *entry, int write, void *text, size_t *len, loff_t *pos)
{
	const unsigned int *min = entry->extra1, *max = entry->extra2;
	unsigned int value;

	if (!write)
		return 0;
	if (kstrtouint(text, 0, &value) || (min && value < *min) || (max && value > *max))
		return -EINVAL;
	*(unsigned int *)entry->data = value;
	return 0;
}
