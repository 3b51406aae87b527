// SPDX-License-Identifier: GPL-2.0-only
/* Objects of a few symbols and relocations, written here, so that no compiler decides what is in them. */
#include "kcore/names.h"
#include "kcore/object.h"

#include "fake_root.h"

#include <errno.h>
#include <gelf.h>

/* Symbols 1 .. 7; names by their place in the string table. */
static const char strings[] = "\0.tab\0called\0data\0weak\0here\0table";
enum {
	TAB = 1,
	CALLED = 6,
	DATA = 13,
	WEAK = 18,
	HERE = 23,
	TABLE = 28,
};

static const Elf64_Sym symbols[] = {
	{ 0 },
	{ .st_name = CALLED, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE) },
	{ .st_name = DATA, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE) },
	{ .st_name = WEAK, .st_info = ELF64_ST_INFO(STB_WEAK, STT_NOTYPE) },
	{ .st_name = HERE,
	  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
	  .st_shndx = SHN_ABS,
	  .st_value = 64 },
	{ .st_name = TABLE, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE) },
	{ .st_name = HERE + 1,
	  .st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
	  .st_shndx = SHN_ABS,
	  .st_value = 16 },
	{ .st_name = HERE + 2,
	  .st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
	  .st_shndx = SHN_ABS,
	  .st_value = 64 },
};

/* "called" is called once and its address taken once; of "data" and "table" only the address is used. */
static const Elf64_Rela relocations[] = {
	{ .r_offset = 0, .r_info = ELF64_R_INFO(1, R_X86_64_64) },
	{ .r_offset = 8, .r_info = ELF64_R_INFO(1, R_X86_64_PLT32) },
	{ .r_offset = 16, .r_info = ELF64_R_INFO(2, R_X86_64_PC32) },
	{ .r_offset = 24, .r_info = ELF64_R_INFO(3, R_X86_64_PLT32) },
	{ .r_offset = 32, .r_info = ELF64_R_INFO(4, R_X86_64_PLT32) },
	{ .r_offset = 40, .r_info = ELF64_R_INFO(5, R_X86_64_64) },
};

static void add_section(Elf *elf, Elf64_Word type, const void *bytes, size_t size, size_t entry,
			Elf64_Word link)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = elf_newdata(section);
	Elf64_Shdr *shdr = elf64_getshdr(section);

	data->d_buf = (void *)(uintptr_t)bytes;
	data->d_size = size;
	data->d_type = type == SHT_RELA ? ELF_T_RELA : type == SHT_SYMTAB ? ELF_T_SYM : ELF_T_BYTE;
	data->d_align = 8;
	data->d_version = EV_CURRENT;
	shdr->sh_type = type;
	shdr->sh_name = TAB;
	shdr->sh_entsize = entry;
	shdr->sh_link = link;
}

static char *write_object(const char *dir, Elf64_Half machine, Elf64_Half type)
{
	char *path = xasprintf("%s/x.o", dir);
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	Elf64_Ehdr *head;
	Elf *elf;

	assert_int_not_equal(elf_version(EV_CURRENT), EV_NONE);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	assert_non_null(elf);
	head = elf64_newehdr(elf);
	head->e_ident[EI_DATA] = ELFDATA2LSB;
	head->e_machine = machine;
	head->e_type = type;
	head->e_shstrndx = 1;
	add_section(elf, SHT_STRTAB, strings, sizeof(strings), 0, 0);
	add_section(elf, SHT_SYMTAB, symbols, sizeof(symbols), sizeof(*symbols), 1);
	add_section(elf, SHT_RELA, relocations, sizeof(relocations), sizeof(*relocations), 2);
	assert_true(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(fd);
	return path;
}

static void test_undefined_tells_who_is_called(void **state)
{
	char *dir = fake_root_new(), *path = write_object(dir, EM_X86_64, ET_REL);
	struct object_symbol *found = NULL;
	size_t n = 0;

	(void)state;
	assert_int_equal(object_undefined(&found, &n, path, NULL), 0);
	assert_int_equal(n, 3);
	assert_string_equal(found[0].name, "called");
	assert_true(found[0].called);
	assert_string_equal(found[1].name, "data");
	assert_false(found[1].called);
	assert_string_equal(found[2].name, "table");
	assert_false(found[2].called);
	object_symbols_free(found, n);
	free(path);
	fake_root_free(dir);
}

static void refuse(const char *path, int ret)
{
	struct object_symbol *found = NULL;
	struct error err = { 0 };
	size_t n = 0;

	assert_int_equal(object_undefined(&found, &n, path, &err), ret);
	assert_non_null(strstr(err.text, path));
	assert_null(found);
}

/* A number means another relocation on each processor, so that of an unknown one is not guessed at. */
static void test_what_is_not_understood_is_refused(void **state)
{
	char *dir = fake_root_new(), *path = write_object(dir, EM_RISCV, ET_REL);

	(void)state;
	refuse(path, -EINVAL);
	free(path);
	path = write_object(dir, EM_X86_64, ET_DYN);
	refuse(path, -EINVAL);
	free(path);
	refuse("/etc/passwd", -EINVAL);
	refuse("/nowhere/x.o", -ENOENT);
	fake_root_free(dir);
}

static void test_section_by_name(void **state)
{
	char *dir = fake_root_new(), *path = write_object(dir, EM_X86_64, ET_REL);
	struct strbuf sb = { 0 };

	(void)state;
	assert_int_equal(object_section(&sb, path, ".tab", NULL), 0);
	assert_int_equal(sb.len, sizeof(strings));
	assert_memory_equal(sb.s, strings, sizeof(strings));
	assert_int_equal(object_section(&sb, path, ".nonesuch", NULL), -EINVAL);
	strbuf_release(&sb);
	free(path);
	fake_root_free(dir);
}

/* Functions "ere" at 16, and "here" at 64, where "re" is as well. */
static void test_functions_by_place(void **state)
{
	char *dir = fake_root_new(), *path = write_object(dir, EM_X86_64, ET_DYN);
	struct object_function *found = NULL;
	struct strbuf source = { 0 };
	size_t n = 0;

	(void)state;
	assert_int_equal(object_functions(&found, &n, path, NULL), 0);
	assert_int_equal(n, 2);
	assert_string_equal(found[0].name, "ere");
	assert_int_equal(found[0].at, 16);
	assert_string_equal(found[1].name, "here");
	assert_int_equal(found[1].at, 64);
	object_functions_free(found, n);
	assert_int_equal(names_source(&source, path, NULL), 0);
	assert_string_equal(source.s,
			    "const unsigned int kit_nr_names = 2;\n"
			    "const unsigned int kit_names[] = {\n16, 0,\n64, 4,\n0, 0 };\n"
			    "const char kit_names_text[] =\n\"ere\\0\"\n\"here\\0\"\n\"\";\n");
	strbuf_release(&source);
	assert_int_equal(object_functions(&found, &n, "/etc/passwd", NULL), -EINVAL);
	free(path);
	fake_root_free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_undefined_tells_who_is_called),
		cmocka_unit_test(test_what_is_not_understood_is_refused),
		cmocka_unit_test(test_section_by_name),
		cmocka_unit_test(test_functions_by_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
