// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/facts.h"

#include "base/json_out.h"
#include "base/mem.h"
#include "kcore/object.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Members of the JSON, by what they are. */
static const struct {
	const char *name;
	size_t offset;
} texts[] = {
	{ "name", offsetof(struct kcore_facts, name) },
	{ "release", offsetof(struct kcore_facts, release) },
	{ "tree", offsetof(struct kcore_facts, tree) },
	{ "rev", offsetof(struct kcore_facts, rev) },
	{ "config", offsetof(struct kcore_facts, config) },
	{ "work", offsetof(struct kcore_facts, work) },
}, numbers[] = {
	{ "abi", offsetof(struct kcore_facts, abi) },
	{ "kit", offsetof(struct kcore_facts, kit) },
	{ "inputs", offsetof(struct kcore_facts, inputs) },
	{ "cpus", offsetof(struct kcore_facts, cpus) },
	{ "built_ns", offsetof(struct kcore_facts, built_ns) },
	{ "real", offsetof(struct kcore_facts, real) },
	{ "shim", offsetof(struct kcore_facts, shim) },
	{ "stubs", offsetof(struct kcore_facts, stubs) },
};

static char **text_at(const struct kcore_facts *facts, size_t i)
{
	return (char **)((char *)(uintptr_t)facts + texts[i].offset);
}

static uint64_t *number_at(const struct kcore_facts *facts, size_t i)
{
	return (uint64_t *)((char *)(uintptr_t)facts + numbers[i].offset);
}

void kcore_facts_release(struct kcore_facts *facts)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(*text_at(facts, i));
	*facts = (struct kcore_facts){ 0 };
}

void kcore_facts_json(const struct kcore_facts *facts, struct strbuf *sb)
{
	struct json_out out = { .sb = sb };

	json_out_object(&out, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		json_out_str(&out, texts[i].name, *text_at(facts, i));
	/* hashes have all 64 bits: as the signed number of equal bits */
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		json_out_int(&out, numbers[i].name, (int64_t)*number_at(facts, i));
	json_out_bool(&out, "cost", facts->cost);
	json_out_end_object(&out);
}

int kcore_facts_parse(struct kcore_facts *facts, const char *text, size_t n, struct error *err)
{
	struct kcore_facts read = { 0 };
	json_t *json = json_loadb(text, n, 0, NULL);
	bool good = json_is_object(json);

	for (size_t i = 0; i < ARRAY_SIZE(texts) && good; i++) {
		const char *value = json_string_value(json_object_get(json, texts[i].name));

		good = value != NULL;
		*text_at(&read, i) = xstrdup(value ? value : "");
	}
	for (size_t i = 0; i < ARRAY_SIZE(numbers) && good; i++) {
		const json_t *value = json_object_get(json, numbers[i].name);

		good = json_is_integer(value);
		*number_at(&read, i) = (uint64_t)json_integer_value(value);
	}
	if (good)
		good = json_is_boolean(json_object_get(json, "cost"));
	read.cost = json_is_true(json_object_get(json, "cost"));
	json_decref(json);
	if (!good) {
		kcore_facts_release(&read);
		return error_set(err, EINVAL, "its facts can't be read: build it again");
	}
	*facts = read;
	return 0;
}

int kcore_facts_read(struct kcore_facts *facts, const char *path, struct error *err)
{
	struct strbuf text = { 0 };
	struct stat st;
	int ret = object_section(&text, path, FACTS_SECTION, err);

	if (!ret && stat(path, &st))
		ret = error_set(err, errno, "%s: %s", path, strerror(errno));
	if (!ret) {
		ret = kcore_facts_parse(facts, strbuf_str(&text), text.len, err);
		if (ret)
			error_prefix(err, "%s", path);
		else
			facts->size_bytes = (uint64_t)st.st_size;
	}
	strbuf_release(&text);
	return ret;
}
