// SPDX-License-Identifier: GPL-2.0-only
/* The files that users are told to start from. EXPERIMENTS is their folder. */
#include "lab/experiment.h"

#include "base/mem.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int is_ini(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 4 && !strcmp(entry->d_name + n - 4, ".ini");
}

static void test_every_example_is_an_experiment(void **state)
{
	struct dirent **names;
	int n = scandir(EXPERIMENTS, &names, is_ini, alphasort);

	(void)state;
	assert_true(n >= 5);
	for (int i = 0; i < n; i++) {
		char *path = xasprintf(EXPERIMENTS "/%s", names[i]->d_name);
		struct experiment *experiment;
		struct error err = { 0 };

		if (experiment_load(&experiment, path, &err))
			fail_msg("%s", err.text);
		/* named after the file */
		assert_int_equal(strlen(experiment->name), strlen(names[i]->d_name) - 4);
		experiment_free(experiment);
		free(path);
		free(names[i]);
	}
	free(names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_example_is_an_experiment),
	};

	return cmocka_run_group_tests_name("lab/examples", tests, NULL, NULL);
}
