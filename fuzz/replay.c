// SPDX-License-Identifier: GPL-2.0-only
/* fuzz/replay.c - feeds the files of a corpus folder to a fuzz target, without libFuzzer. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	unsigned char *data;
	size_t size;

	if (!f) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(1);
	}
	fseek(f, 0, SEEK_END);
	size = (size_t)ftell(f);
	rewind(f);
	/* exactly as large as the input, so that a sanitizer sees a read behind its end */
	data = malloc(size ? size : 1);
	if (!data || fread(data, 1, size, f) != size)
		abort();
	fclose(f);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
}

int main(int argc, char **argv)
{
	size_t n = 0;

	for (int i = 1; i < argc; i++) {
		struct dirent **names;
		int count = scandir(argv[i], &names, NULL, alphasort);

		if (count < 0) {
			fprintf(stderr, "%s: %s\n", argv[i], strerror(errno));
			return 1;
		}
		for (int k = 0; k < count; k++) {
			char path[4096];

			snprintf(path, sizeof(path), "%s/%s", argv[i], names[k]->d_name);
			if (names[k]->d_name[0] != '.') {
				replay(path);
				n++;
			}
			free(names[k]);
		}
		free(names);
	}
	printf("%zu inputs replayed\n", n);
	return n ? 0 : 1;
}
