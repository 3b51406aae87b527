// SPDX-License-Identifier: GPL-2.0-only
#include "trace/text_head.h"

#include "trace/ftrace.h"

#include <ctype.h>
#include <stddef.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

bool text_number(const char **at, uint32_t *value)
{
	const char *s = *at;
	uint64_t read = 0;

	while (is_digit(*s) && read <= UINT32_MAX)
		read = 10 * read + (uint64_t)(*s++ - '0');
	if (s == *at || read > UINT32_MAX || is_digit(*s))
		return false;
	*at = s;
	*value = (uint32_t)read;
	return true;
}

const char *text_comm(const char *comm)
{
	return *comm && strcmp(comm, FTRACE_NO_COMM) ? comm : NULL;
}

/* "12345.678901:", one to nine digits behind the point */
static bool take_time(const char **at, uint64_t *time_ns)
{
	uint32_t seconds, fraction = 0, digits = 0;
	const char *s = *at;

	if (!text_number(&s, &seconds) || *s++ != '.')
		return false;
	for (; is_digit(*s); s++) {
		if (++digits > 9)
			return false;
		fraction = 10 * fraction + (uint32_t)(*s - '0');
	}
	if (!digits || *s++ != ':')
		return false;
	for (; digits < 9; digits++)
		fraction *= 10;
	*time_ns = (uint64_t)seconds * 1000000000 + fraction;
	*at = s;
	return true;
}

/* "d..2.", "dNh1": the third one is of interrupts */
static bool take_flags(const char **at, struct text_head *head)
{
	size_t n = strcspn(*at, " \t");

	if (n < 4 || n > 8 || memchr(*at, ':', n))
		return false;
	head->has_flags = true;
	head->hardirq = strchr("hHzZ", (*at)[2]) != NULL;
	head->softirq = (*at)[2] == 's';
	*at += n;
	return true;
}

/* Behind the CPU: flags or none, then the time. */
static bool take_flags_time(const char **at, struct text_head *head)
{
	const char *s = skip_blanks(*at);

	if (!take_time(&s, &head->time_ns)) {
		if (!take_flags(&s, head))
			return false;
		s = skip_blanks(s);
		if (!take_time(&s, &head->time_ns))
			return false;
	}
	*at = s;
	return true;
}

/* Where the two names of a line end: nothing is changed before all of it fits. */
struct ends {
	char *comm;
	char *event;
};

/* "sched_switch: ", "1 sched:sched_switch: "; perf's own records have no colon behind their name */
static bool take_event(char *s, struct text_head *head, struct ends *ends)
{
	char *name;

	s += strspn(s, " \t");
	if (is_digit(*s)) {
		s += strspn(s, "0123456789");
		s += strspn(s, " \t");
	}
	for (name = s; is_word(*s); s++)
		;
	if (s == name)
		return false;
	if (*s == ':' && is_word(s[1])) {
		for (name = ++s; is_word(*s); s++)
			;
		head->perf = true;
	}
	if (*s != ':' && strncmp(name, "PERF_RECORD_", 12) != 0)
		return false;
	head->event = name;
	head->rest = s + (*s != '\0');
	head->rest += strspn(head->rest, " \t");
	ends->event = s;
	return true;
}

static char *trim_end(char *from, char *end)
{
	while (end > from && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return end;
}

/* Behind the last "(" where "(1234)" or "(-----)" of the thread group ends at @end. */
static char *before_tgid(char *from, char *end)
{
	char *open = end;

	if (end == from || end[-1] != ')')
		return end;
	while (open > from && *open != '(')
		open--;
	return *open == '(' ? trim_end(from, open) : end;
}

/* "comm-1234" or "comm  1234" or "comm  1230/1234" from @from up to @end */
static bool take_task(char *from, char *end, struct text_head *head, struct ends *ends)
{
	const char *number;
	char *s;

	end = before_tgid(from, trim_end(from, end));
	for (s = end; s > from && is_digit(s[-1]); s--)
		;
	number = s;
	if (s == from || !text_number(&number, &head->pid) || number != end)
		return false;
	if (s[-1] == '/') {
		for (s--; s > from && is_digit(s[-1]); s--)
			;
		if (s == from)
			return false;
	}
	if (s[-1] == '-')
		s--;
	else if (s[-1] == ' ' || s[-1] == '\t')
		head->perf = true;
	else
		return false;
	from += strspn(from, " \t");
	if (s < from)
		return false;
	head->comm = from;
	ends->comm = head->perf ? trim_end(from, s) : s;
	return true;
}

/* "[012]" at @open, and what follows. */
static bool take_bracketed(struct text_head *head, char *line, char *open, struct ends *ends)
{
	const char *s = open + 1;

	if (!text_number(&s, &head->cpu) || *s++ != ']' || !take_flags_time(&s, head))
		return false;
	return take_event(line + (s - line), head, ends) && take_task(line, open, head, ends);
}

/* trace-cmd's latency form: "comm-1234    12d..2. 123.456789:". @at is behind the number of the task */
static bool take_latency(struct text_head *head, char *line, char *at, struct ends *ends)
{
	const char *s = skip_blanks(at);

	if (s == at || !text_number(&s, &head->cpu) || is_digit(*s) || !take_flags(&s, head))
		return false;
	s = skip_blanks(s);
	if (!take_time(&s, &head->time_ns))
		return false;
	return take_event(line + (s - line), head, ends) && take_task(line, at, head, ends);
}

static bool find_head(struct text_head *head, char *line, struct ends *ends)
{
	for (char *open = strchr(line, '['); open; open = strchr(open + 1, '[')) {
		*head = (struct text_head){ 0 };
		if (is_digit(open[1]) && take_bracketed(head, line, open, ends))
			return true;
	}
	for (char *dash = strchr(line, '-'); dash; dash = strchr(dash + 1, '-')) {
		size_t n = strspn(dash + 1, "0123456789");

		*head = (struct text_head){ 0 };
		if (n && take_latency(head, line, dash + 1 + n, ends))
			return true;
	}
	return false;
}

bool text_head_parse(struct text_head *head, char *line)
{
	struct ends ends;

	if (!find_head(head, line, &ends))
		return false;
	*ends.comm = '\0';
	*ends.event = '\0';
	head->comm = text_comm(head->comm);
	return true;
}
