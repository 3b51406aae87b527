// SPDX-License-Identifier: GPL-2.0-only
/*
 * log.c - what the kernel says
 *
 * Lines of the log go to the host one by one. Of KERN_ERR and worse, the scheduler's own "sched: ...", and those of WARN(), the run is told
 * it failed; BUG() and panic() end it. Frames of a backtrace follow, as FUNCTION+0xOFFSET.
 */
#include <linux/kernel.h>
#include <linux/once_lite.h>
#include <linux/ratelimit.h>
#include <linux/printk.h>
#include "kit.h"

#define LINE_SIZE   1024
#define MAX_FRAMES  24
#define ERROR_LEVEL '3'

static char line[LINE_SIZE]; /* begun and not ended */
static size_t line_len;
static char line_level;

/* The scheduler's own complaints have no level; that RT tasks take all of the time is no fault of its. */
static bool complains(void)
{
	if (line_level && line_level <= ERROR_LEVEL)
		return true;
	return strstarts(line, "sched: ") && !strstarts(line, "sched: RT throttling activated");
}

static void line_end(void)
{
	if (!line_len)
		return;
	line[line_len] = '\0';
	line_len = 0;
	kit.host->print(kit.host->ctx, line);
	if (complains())
		kit.host->warn(kit.host->ctx, line);
}

/* What doesn't fit into a line any more begins another one, as in the kernel's own log. */
static void line_add(const char *text)
{
	if (line_len + strlen(text) >= LINE_SIZE)
		line_end();
	for (; *text; text++) {
		if (*text == '\n')
			line_end();
		else if (line_len < LINE_SIZE - 1)
			line[line_len++] = *text;
	}
}

static int log_print(const char *format, va_list args)
{
	static char text[LINE_SIZE];
	int len = vscnprintf(text, sizeof(text), format, args);
	const char *p = text;
	char level = 0;

	while (p[0] == KERN_SOH_ASCII && p[1]) {
		level = p[1];
		p += 2;
	}
	/* what doesn't say that it goes on with a line begins one */
	if (level != 'c') {
		line_end();
		line_level = level;
	}
	line_add(p);
	return len;
}

int _printk(const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = log_print(format, args);
	va_end(args);
	return len;
}

int _printk_deferred(const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = log_print(format, args);
	va_end(args);
	return len;
}

extern char __ehdr_start[], _end[];

/* Made when the image is linked: function i begins at kit_names[2 * i], its name in the text at kit_names[2 * i + 1]. */
extern const unsigned int kit_nr_names, kit_names[];
extern const char kit_names_text[];

/* The function that @at, from the beginning of the image, is behind the call of; it begins before. */
static unsigned int function_of(unsigned long at)
{
	unsigned int low = 0, high = kit_nr_names;

	while (high - low > 1) {
		unsigned int middle = low + (high - low) / 2;

		if (kit_names[2 * middle] < at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* From the caller on, as far as this image goes. */
static void backtrace(char *text, size_t size)
{
	unsigned long *frame = __builtin_frame_address(0);
	size_t len = strlen(text);
	int i;

	for (i = 0; i < MAX_FRAMES; i++) {
		unsigned long *up = (unsigned long *)frame[0];
		unsigned long at = frame[1] - (unsigned long)__ehdr_start;
		unsigned int function = function_of(at);

		if (frame[1] < (unsigned long)__ehdr_start || frame[1] >= (unsigned long)_end)
			return;
		len += scnprintf(text + len, size - len, "\n  %s+0x%lx",
				 kit_names_text + kit_names[2 * function + 1],
				 at - kit_names[2 * function]);
		if (up <= frame)
			return;
		frame = up;
	}
}

static char report[4 * LINE_SIZE];

static __always_inline void report_make(const char *what, const char *format, va_list args)
{
	int len = scnprintf(report, sizeof(report), "%s", what);

	line_end();
	if (format)
		len += vscnprintf(report + len, sizeof(report) - len, format, args);
	while (len && report[len - 1] == '\n')
		report[--len] = '\0';
	backtrace(report, sizeof(report));
}

void kit_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report_make("", format, args);
	va_end(args);
	kit.host->warn(kit.host->ctx, report);
}

void kit_refuse(const char *format, ...)
{
	va_list args;

	line_end();
	va_start(args, format);
	vscnprintf(report, sizeof(report), format, args);
	va_end(args);
	kit.host->warn(kit.host->ctx, report);
}

void kit_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report_make("", format, args);
	va_end(args);
	kit.host->fail(kit.host->ctx, report);
}

void warn_slowpath_fmt(const char *file, int at, unsigned int taint, const char *format, ...)
{
	char where[160];
	va_list args;

	scnprintf(where, sizeof(where), "WARNING: %s:%d: ", file, at);
	va_start(args, format);
	report_make(where, format, args);
	va_end(args);
	kit.host->warn(kit.host->ctx, report);
}

void __warn_printk(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report_make("WARNING: ", format, args);
	va_end(args);
	kit.host->warn(kit.host->ctx, report);
}

void panic(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report_make("panic: ", format, args);
	va_end(args);
	kit.host->fail(kit.host->ctx, report);
}

/* A stub was called: of what the tree needs and nothing here defines. */
void __noreturn kit_missing(const char *name)
{
	kit_fail("the kernel called %s(), which neither the linked objects nor the kit have", name);
}

void kit_deadlock(const void *lock)
{
	kit_fail("a lock is taken that its holder never gives back (self deadlock)");
}

void refcount_warn_saturate(refcount_t *refs, enum refcount_saturation_type type)
{
	kit_warn("refcount saturated (%d)", type);
}

void dump_stack(void)
{
}

void dump_stack_lvl(const char *level)
{
}

int __printk_ratelimit(const char *who)
{
	return 1;
}

int ___ratelimit(struct ratelimit_state *state, const char *who)
{
	return 1;
}

void add_taint(unsigned int flag, enum lockdep_ok lockdep)
{
}

void check_panic_on_warn(const char *origin)
{
}
