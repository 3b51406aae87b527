// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/process.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Between two looks at the stop flag. */
#define LOOK_MS 100

void argv_add(struct argv *argv, const char *fmt, ...)
{
	struct strbuf sb = { 0 };
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&sb, fmt, ap);
	va_end(ap);
	argv->word = xreallocarray(argv->word, argv->n + 2, sizeof(*argv->word));
	argv->word[argv->n++] = sb.s ? strbuf_take(&sb) : xstrdup("");
	argv->word[argv->n] = NULL;
}

void argv_add_all(struct argv *argv, const struct argv *more)
{
	for (size_t i = 0; i < more->n; i++)
		argv_add(argv, "%s", more->word[i]);
}

bool argv_has(const struct argv *argv, const char *word)
{
	for (size_t i = 0; i < argv->n; i++)
		if (!strcmp(argv->word[i], word))
			return true;
	return false;
}

void argv_release(struct argv *argv)
{
	for (size_t i = 0; i < argv->n; i++)
		free(argv->word[i]);
	free(argv->word);
	*argv = (struct argv){ 0 };
}

bool process_found(const char *name)
{
	const char *path = getenv("PATH");
	char *copy = xstrdup(path ? path : "/usr/bin:/bin"), *save = NULL;
	bool found = false;

	for (char *dir = strtok_r(copy, ":", &save); dir && !found;
	     dir = strtok_r(NULL, ":", &save)) {
		char *file = xasprintf("%s/%s", dir, name);

		found = !access(file, X_OK);
		free(file);
	}
	free(copy);
	return found;
}

/*
 * What kernel makefiles and git would take from the environment (ARCH, KCFLAGS, MAKEFLAGS, GIT_DIR ...) must not decide what is
 * built, so only what programs need to run at all goes through.
 */
static char **make_env(const char *const *more)
{
	static const char *const kept[] = { "PATH", "HOME", "TMPDIR", "USER", "CCACHE_DIR" };
	struct argv env = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		if (getenv(kept[i]))
			argv_add(&env, "%s=%s", kept[i], getenv(kept[i]));
	argv_add(&env, "LC_ALL=C");
	for (; more && *more; more++)
		argv_add(&env, "%s", *more);
	return env.word;
}

static void free_env(char **env)
{
	for (size_t i = 0; env[i]; i++)
		free(env[i]);
	free(env);
}

/* Ends of pipes of one child; -1 once closed or never opened. */
struct pipes {
	int in[2];
	int out[2];
	int fail[2]; /* errno of an exec() that failed */
	int log;
};

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_pipes(struct pipes *p)
{
	for (int i = 0; i < 2; i++) {
		close_end(&p->in[i]);
		close_end(&p->out[i]);
		close_end(&p->fail[i]);
	}
	close_end(&p->log);
}

static int open_pipes(struct pipes *p, const struct process *process, struct error *err)
{
	*p = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 }, -1 };
	p->log = open(process->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (p->log < 0)
		return error_set(err, errno, "%s: %s", process->log, strerror(errno));
	if (pipe2(p->fail, O_CLOEXEC) || (process->input && pipe2(p->in, O_CLOEXEC)) ||
	    (process->output && pipe2(p->out, O_CLOEXEC))) {
		int ret = error_set(err, errno, "pipe: %s", strerror(errno));

		close_pipes(p);
		return ret;
	}
	return 0;
}

static _Noreturn void run_child(const struct process *process, const struct pipes *p, char **env,
				pid_t parent)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int from[3] = { p->in[0] >= 0 ? p->in[0] : null, p->out[1] >= 0 ? p->out[1] : p->log,
			p->log };
	sigset_t none;
	int code;

	/* copies first: any of them may have a number below 3 if we were started without those */
	for (int i = 0; i < 3; i++)
		from[i] = fcntl(from[i], F_DUPFD_CLOEXEC, 3);
	for (int i = 0; i < 3; i++)
		if (from[i] < 0 || dup2(from[i], i) < 0)
			goto fail;
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (setpgid(0, 0) || prctl(PR_SET_PDEATHSIG, SIGTERM) || getppid() != parent)
		goto fail;
	if (process->folder && chdir(process->folder))
		goto fail;
	environ = env;
	execvp(process->argv->word[0], process->argv->word);
fail:
	code = errno ? errno : ECHILD;
	(void)!write(p->fail[1], &code, sizeof(code));
	_exit(127);
}

static void feed(struct pipes *p, const struct strbuf *input, size_t *fed)
{
	ssize_t n = write(p->in[1], input->s + *fed, input->len - *fed);

	if (n > 0)
		*fed += (size_t)n;
	if ((n < 0 && errno != EAGAIN && errno != EINTR) || *fed == input->len)
		close_end(&p->in[1]);
}

static void take(struct pipes *p, struct strbuf *output)
{
	char buf[65536];
	ssize_t n = read(p->out[0], buf, sizeof(buf));

	if (n > 0)
		strbuf_add(output, buf, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		close_end(&p->out[0]);
}

/* Until it has ended or is to be stopped. */
static int attend(const struct process *process, struct pipes *p, pid_t pid, int *raw)
{
	size_t fed = 0;

	if (p->in[1] >= 0) {
		fcntl(p->in[1], F_SETFL, O_NONBLOCK);
		if (!process->input->len)
			close_end(&p->in[1]);
	}
	for (;;) {
		struct pollfd fds[2] = { { p->in[1], POLLOUT, 0 }, { p->out[0], POLLIN, 0 } };
		bool wired = p->in[1] >= 0 || p->out[0] >= 0;
		pid_t got;

		if (process->stop && *process->stop)
			return -EINTR;
		poll(fds, 2, wired ? LOOK_MS : 0);
		if (fds[0].revents)
			feed(p, process->input, &fed);
		if (fds[1].revents)
			take(p, process->output);
		if (p->out[0] >= 0)
			continue;
		got = waitpid(pid, raw, process->stop ? WNOHANG : 0);
		if (got == pid)
			return 0;
		if (got < 0 && errno != EINTR)
			return -errno;
		if (!got)
			poll(NULL, 0, 10);
	}
}

static void end_all(pid_t pid)
{
	kill(-pid, SIGTERM);
	/* make takes its half-made files away; who does not listen is killed */
	for (int i = 0; i < 50; i++) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return;
		poll(NULL, 0, 100);
	}
	kill(-pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* The errno that the child sent, 0 after a good exec(). */
static int child_failed(struct pipes *p)
{
	int code;
	ssize_t n;

	do {
		n = read(p->fail[0], &code, sizeof(code));
	} while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(code) ? code : 0;
}

int process_run(const struct process *process, int *status, struct error *err)
{
	const char *name = process->argv->word[0];
	char **env = make_env(process->env);
	pid_t parent = getpid(), pid;
	struct pipes p;
	int raw = 0, ret, code;

	ret = open_pipes(&p, process, err);
	if (ret)
		goto out;
	pid = fork();
	if (pid < 0) {
		ret = error_set(err, errno, "fork: %s", strerror(errno));
		goto out_close;
	}
	if (!pid)
		run_child(process, &p, env, parent);
	close_end(&p.in[0]);
	close_end(&p.out[1]);
	close_end(&p.fail[1]);
	code = child_failed(&p);
	if (code) {
		waitpid(pid, NULL, 0);
		ret = error_set(err, code, "%s: %s", name, strerror(code));
		goto out_close;
	}
	ret = attend(process, &p, pid, &raw);
	if (ret) {
		end_all(pid);
		error_set(err, -ret, "%s: %s", name, ret == -EINTR ? "stopped" : strerror(-ret));
		goto out_close;
	}
	*status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
out_close:
	close_pipes(&p);
out:
	free_env(env);
	return ret;
}
