// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/manual.h"

#include "cmd/cli.h"
#include "host/settings.h"
#include "lab/experiment.h"
#include "workload/workload.h"

#include <string.h>

#define WIDTH	    79
#define HELP_COLUMN 26

static const char about[] = "did this scheduler change help, where, by how much, and why?";

/* Bytes of @text that fit into @room, up to the line's end or a blank where there is one. */
static size_t fitting(const char *text, size_t room)
{
	size_t cut = strcspn(text, "\n");

	if (cut <= room)
		return cut;
	for (cut = room; cut && text[cut] != ' '; cut--)
		;
	return cut ? cut : room;
}

/* @text wrapped; its first line stands behind what is there, the others are indented by @indent. */
static void add_wrapped(struct strbuf *sb, const char *text, size_t indent)
{
	for (;;) {
		size_t n = fitting(text, WIDTH - indent);

		strbuf_add(sb, text, n);
		strbuf_addch(sb, '\n');
		text += n;
		/* an empty line between paragraphs stays one */
		text += *text == '\n' ? 1 : strspn(text, " ");
		if (!*text)
			return;
		if (*text != '\n')
			strbuf_pad(sb, sb->len + indent, ' ');
	}
}

void manual_entry(struct strbuf *sb, const char *name, const char *text, size_t column)
{
	size_t used = strlen(name) + 2;

	strbuf_addf(sb, "  %s", name);
	if (used + 2 > column) {
		strbuf_addch(sb, '\n');
		used = 0;
	}
	strbuf_pad(sb, sb->len + column - used, ' ');
	add_wrapped(sb, text, column);
}

static void add_entry(struct strbuf *sb, const char *name, const char *text)
{
	manual_entry(sb, name, text, HELP_COLUMN);
}

/* "help (form, default D)" */
static void describe(const struct opt *opt, struct strbuf *sb)
{
	strbuf_addstr(sb, opt->help);
	if (opt->type == OPT_TYPE_CHOICE)
		strbuf_addf(sb, " (%s)", opt->choices);
	if (opt->def && opt->type != OPT_TYPE_BOOL)
		strbuf_addf(sb, " [%s]", opt->def);
}

static const char *value_name(const struct opt *opt)
{
	switch (opt->type) {
	case OPT_TYPE_BOOL:
		return NULL;
	case OPT_TYPE_NS:
		return "TIME";
	case OPT_TYPE_BYTES:
		return "BYTES";
	case OPT_TYPE_U64:
	case OPT_TYPE_DOUBLE:
		return "N";
	case OPT_TYPE_CHOICE:
		return "WORD";
	case OPT_TYPE_STR:
	case OPT_TYPE_LINES:
		break;
	}
	return "TEXT";
}

/* "--store TEXT, -s" */
static void option_form(const struct opt *opt, struct strbuf *sb)
{
	cli_option_name(opt, sb);
	if (value_name(opt))
		strbuf_addf(sb, " %s", value_name(opt));
	if (opt->letter)
		strbuf_addf(sb, ", -%c", opt->letter);
}

static void add_options(const struct opt *opts, struct strbuf *sb)
{
	for (; opts && opts->name; opts++) {
		struct strbuf form = { 0 }, text = { 0 };

		option_form(opts, &form);
		describe(opts, &text);
		add_entry(sb, form.s, text.s);
		strbuf_release(&form);
		strbuf_release(&text);
	}
}

static void add_keys(const struct opt *opts, struct strbuf *sb)
{
	for (; opts && opts->name; opts++) {
		struct strbuf text = { 0 };

		describe(opts, &text);
		add_entry(sb, opts->name, text.s);
		strbuf_release(&text);
	}
}

void manual_overview(struct strbuf *sb)
{
	strbuf_addf(sb, "schedproof: %s\n\n", about);
	strbuf_addstr(sb, "usage: schedproof COMMAND [option ...] [argument ...]\n\ncommands:\n");
	for (size_t i = 0; command_at(i); i++) {
		const struct command *command = command_at(i);
		struct strbuf form = { 0 };

		strbuf_addf(&form, "%s %s", command->name, command->args);
		add_entry(sb, form.s, command->summary);
		strbuf_release(&form);
	}
	strbuf_addstr(sb, "\nschedproof COMMAND --help tells more. Begin with: schedproof ab "
			  "experiments/first.ini\n");
}

void manual_command(const struct command *command, struct strbuf *sb)
{
	strbuf_addf(sb, "usage: schedproof %s [option ...]%s%s\n\n", command->name,
		    *command->args ? " " : "", command->args);
	add_wrapped(sb, command->help, 0);
	strbuf_addstr(sb, "\noptions:\n");
	add_options(command->opts, sb);
	add_entry(sb, "--help, -h", "this text");
	strbuf_addf(sb, "\nexample:\n  %s\n", command->example);
}

void manual_experiment(struct strbuf *sb)
{
	const char *help, *key;

	strbuf_addstr(sb, "[experiment]\n");
	add_keys(experiment_opts, sb);
	strbuf_addstr(sb, "\n[variant NAME], at least two; the first is the base\n");
	for (size_t i = 0; (key = settings_key(i, &help)); i++)
		add_entry(sb, key, help);
	for (size_t i = 0; workload_at(i); i++) {
		const struct workload *workload = workload_at(i);

		strbuf_addf(sb, "\n[workload %s]: %s\n", workload->name, workload->summary);
		add_keys(workload->opts, sb);
	}
	strbuf_addstr(sb, "\nAny [workload]\n");
	add_keys(experiment_workload_opts, sb);
	strbuf_addstr(sb, "\nA list of values (groups = 1, 2, 4) makes a sweep.\n");
}

/* Text for man(7): a backslash is doubled, a leading dot or quote guarded, '-' kept as typed. */
static void add_troff(const char *text, struct strbuf *sb)
{
	bool line_start = true;

	for (; *text; text++) {
		if (line_start && (*text == '.' || *text == '\''))
			strbuf_addstr(sb, "\\&");
		line_start = *text == '\n';
		if (*text == '\\')
			strbuf_addstr(sb, "\\e");
		else if (*text == '-')
			strbuf_addstr(sb, "\\-");
		else
			strbuf_addch(sb, *text);
	}
}

static void troff_options(const struct opt *opts, struct strbuf *sb)
{
	for (; opts && opts->name; opts++) {
		struct strbuf text = { 0 };

		option_form(opts, &text);
		strbuf_addstr(sb, ".TP\n.B ");
		add_troff(text.s, sb);
		strbuf_reset(&text);
		describe(opts, &text);
		strbuf_addch(sb, '\n');
		add_troff(text.s, sb);
		strbuf_addch(sb, '\n');
		strbuf_release(&text);
	}
}

static void troff_command(const struct command *command, struct strbuf *sb)
{
	strbuf_addf(sb, ".SS schedproof %s ", command->name);
	add_troff(command->args, sb);
	strbuf_addch(sb, '\n');
	add_troff(command->help, sb);
	strbuf_addch(sb, '\n');
	troff_options(command->opts, sb);
	strbuf_addstr(sb, ".PP\nExample:\n.PP\n.in +4n\n.EX\n");
	add_troff(command->example, sb);
	strbuf_addstr(sb, "\n.EE\n.in\n");
}

static void troff_section(const char *title, const char *text, struct strbuf *sb)
{
	strbuf_addf(sb, ".SH %s\n", title);
	add_troff(text, sb);
	strbuf_addch(sb, '\n');
}

void manual_page(struct strbuf *sb)
{
	struct strbuf keys = { 0 };

	strbuf_addstr(sb, ".\\\" made from the option tables by: schedproof help --man\n");
	strbuf_addf(sb, ".TH SCHEDPROOF 1 \"\" \"schedproof %s\"\n", SCHEDPROOF_VERSION);
	strbuf_addstr(sb, ".SH NAME\nschedproof \\- ");
	add_troff(about, sb);
	strbuf_addstr(sb, "\n.SH SYNOPSIS\n.B schedproof\n.I COMMAND\n[\\fIoption\\fR ...] "
			  "[\\fIargument\\fR ...]\n.SH COMMANDS\n");
	for (size_t i = 0; command_at(i); i++)
		troff_command(command_at(i), sb);
	strbuf_addstr(sb, ".SH EXPERIMENT FILE\nINI, as fio's job files are; ; and # begin "
			  "comments.\n.PP\n.nf\n");
	manual_experiment(&keys);
	add_troff(keys.s, sb);
	strbuf_addstr(sb, ".fi\n");
	strbuf_release(&keys);
	troff_section("EXIT STATUS",
		      "0: done. 1: the verdict is a regression (only where --fail-on asks). 2: bad "
		      "usage or "
		      "input; nothing was run. 3: the run failed. Ended by a signal, after "
		      "everything was "
		      "put back: that signal.",
		      sb);
	troff_section(
		"FILES",
		"Results: $XDG_DATA_HOME/schedproof/results.sqlite, by default in ~/.local/share; "
		"reports lie beside it. While settings of the machine are changed, what puts them "
		"back "
		"is in /run/schedproof/restore.json (root) or "
		"$XDG_STATE_HOME/schedproof/restore.json. Kernel cores are in "
		"$XDG_CACHE_HOME/schedproof/cores, by default in ~/.cache; all of it may be "
		"deleted.",
		sb);
	troff_section("SEE ALSO", "perf(1), fio(1), sched(7), sched_setattr(2)", sb);
}
