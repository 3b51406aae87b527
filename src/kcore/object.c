// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/object.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Relocations that only a call or a jump has. The compiler's branches to functions that are elsewhere get no others. */
static const struct {
	GElf_Half machine;
	unsigned int type;
} calls[] = {
	{ EM_X86_64, R_X86_64_PLT32 },	  { EM_AARCH64, R_AARCH64_CALL26 },
	{ EM_AARCH64, R_AARCH64_JUMP26 }, { EM_PPC64, R_PPC64_REL24 },
	{ EM_S390, R_390_PLT32DBL },
};

static bool is_call(GElf_Half machine, unsigned int type)
{
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].machine == machine && calls[i].type == type)
			return true;
	return false;
}

static bool known_machine(GElf_Half machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].machine == machine)
			return true;
	return false;
}

struct file {
	int fd;
	Elf *elf;
	GElf_Ehdr head;
};

static void file_close(struct file *f)
{
	elf_end(f->elf);
	close(f->fd);
}

static int file_open(struct file *f, const char *path, struct error *err)
{
	*f = (struct file){ .fd = -1 };
	if (elf_version(EV_CURRENT) == EV_NONE)
		return error_set(err, EINVAL, "libelf: %s", elf_errmsg(-1));
	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
	if (!f->elf || elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &f->head)) {
		file_close(f);
		return error_set(err, EINVAL, "%s: no object file", path);
	}
	return 0;
}

/* The first section of that type, or of that name where @name isn't NULL. */
static Elf_Scn *find_section(const struct file *f, GElf_Word type, const char *name,
			     GElf_Shdr *shdr)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(f->elf, &names))
		return NULL;
	while ((section = elf_nextscn(f->elf, section))) {
		const char *its;

		if (!gelf_getshdr(section, shdr))
			continue;
		its = elf_strptr(f->elf, names, shdr->sh_name);
		if (name ? its && !strcmp(its, name) : shdr->sh_type == type)
			return section;
	}
	return NULL;
}

/* The table of symbols, NULL: there is none. */
static Elf_Data *find_symbols(const struct file *f, GElf_Shdr *shdr)
{
	Elf_Scn *section = find_section(f, SHT_SYMTAB, NULL, shdr);

	return section ? elf_getdata(section, NULL) : NULL;
}

int object_section(struct strbuf *sb, const char *path, const char *name, struct error *err)
{
	Elf_Data *data = NULL;
	Elf_Scn *section;
	GElf_Shdr shdr;
	struct file f;
	int ret = file_open(&f, path, err);

	if (ret)
		return ret;
	section = find_section(&f, SHT_NULL, name, &shdr);
	if (section)
		data = elf_rawdata(section, NULL);
	if (data && data->d_buf)
		strbuf_add(sb, data->d_buf, data->d_size);
	else
		ret = error_set(err, EINVAL, "%s: no kernel core: it has no section %s", path,
				name);
	file_close(&f);
	return ret;
}

/* called[i]: symbol i is called somewhere. */
static void mark_calls(const struct file *f, bool *called, size_t nr)
{
	Elf_Scn *section = NULL;
	GElf_Shdr shdr;

	while ((section = elf_nextscn(f->elf, section))) {
		Elf_Data *data;
		GElf_Rela rela;

		if (!gelf_getshdr(section, &shdr) || shdr.sh_type != SHT_RELA)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getrela(data, i, &rela); i++)
			if (GELF_R_SYM(rela.r_info) < nr &&
			    is_call(f->head.e_machine, (unsigned int)GELF_R_TYPE(rela.r_info)))
				called[GELF_R_SYM(rela.r_info)] = true;
	}
}

/* What the linker itself defines, or the table of names that is made when all is linked. */
static bool is_linkers(const char *name)
{
	static const char *const names[] = {
		"_GLOBAL_OFFSET_TABLE_",
		"__ehdr_start",
		"__bss_start",
		"_edata",
		"_end",
		"_etext",
		"kit_nr_names",
		"kit_names",
		"kit_names_text",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	const struct object_symbol *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Undefined symbols of the table, into symbols[nr]. Return: how many. */
static size_t take_undefined(const struct file *f, Elf_Data *table, size_t strings,
			     const bool *called, size_t nr, struct object_symbol *symbols)
{
	size_t n = 0;

	for (size_t i = 1; i < nr; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(table, (int)i, &sym) || sym.st_shndx != SHN_UNDEF ||
		    GELF_ST_BIND(sym.st_info) == STB_WEAK)
			continue;
		name = elf_strptr(f->elf, strings, sym.st_name);
		if (!name || !*name || is_linkers(name))
			continue;
		symbols[n++] = (struct object_symbol){ xstrdup(name), called[i] };
	}
	qsort(symbols, n, sizeof(*symbols), by_name);
	return n;
}

int object_undefined(struct object_symbol **symbols, size_t *n, const char *path, struct error *err)
{
	Elf_Data *data;
	GElf_Shdr shdr = { 0 };
	struct file f;
	bool *called;
	size_t nr;
	int ret = file_open(&f, path, err);

	if (ret)
		return ret;
	data = find_symbols(&f, &shdr);
	if (f.head.e_type != ET_REL || !data || !shdr.sh_entsize) {
		ret = error_set(err, EINVAL, "%s: no relocatable object", path);
	} else if (!known_machine(f.head.e_machine)) {
		ret = error_set(err, EINVAL, "%s: relocations of processor %u aren't known", path,
				f.head.e_machine);
	} else {
		nr = data->d_size / shdr.sh_entsize;
		called = xcalloc(nr, sizeof(*called));
		*symbols = xcalloc(nr, sizeof(**symbols));
		mark_calls(&f, called, nr);
		*n = take_undefined(&f, data, shdr.sh_link, called, nr, *symbols);
		free(called);
	}
	file_close(&f);
	return ret;
}

void object_symbols_free(struct object_symbol *symbols, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(symbols[i].name);
	free(symbols);
}

static int by_place(const void *a, const void *b)
{
	const struct object_function *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Functions of the table, into functions[nr]. Return: how many. */
static size_t take_functions(const struct file *f, Elf_Data *table, size_t strings, size_t nr,
			     struct object_function *functions)
{
	size_t n = 0, kept = 0;

	for (size_t i = 1; i < nr; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(table, (int)i, &sym) || sym.st_shndx == SHN_UNDEF ||
		    GELF_ST_TYPE(sym.st_info) != STT_FUNC)
			continue;
		name = elf_strptr(f->elf, strings, sym.st_name);
		if (name && *name)
			functions[n++] = (struct object_function){ sym.st_value, xstrdup(name) };
	}
	qsort(functions, n, sizeof(*functions), by_place);
	for (size_t i = 0; i < n; i++) {
		if (kept && functions[kept - 1].at == functions[i].at)
			free(functions[i].name);
		else
			functions[kept++] = functions[i];
	}
	return kept;
}

int object_functions(struct object_function **functions, size_t *n, const char *path,
		     struct error *err)
{
	Elf_Data *data;
	GElf_Shdr shdr = { 0 };
	struct file f;
	int ret = file_open(&f, path, err);

	if (ret)
		return ret;
	data = find_symbols(&f, &shdr);
	if (!data || !shdr.sh_entsize) {
		ret = error_set(err, EINVAL, "%s: no table of symbols", path);
	} else {
		size_t nr = data->d_size / shdr.sh_entsize;

		*functions = xcalloc(nr, sizeof(**functions));
		*n = take_functions(&f, data, shdr.sh_link, nr, *functions);
	}
	file_close(&f);
	return ret;
}

void object_functions_free(struct object_function *functions, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(functions[i].name);
	free(functions);
}
