// SPDX-License-Identifier: GPL-2.0-only
/* string.c - memory moved and filled word by word; the compiler calls these too */
#include <linux/string.h>
#include <linux/export.h>

typedef unsigned long __attribute__((may_alias, aligned(1))) word;

void *memset(void *to, int byte, size_t n)
{
	unsigned char *p = to;
	word pattern = 0x0101010101010101UL * (unsigned char)byte;

	for (; n >= sizeof(word); n -= sizeof(word), p += sizeof(word))
		*(word *)p = pattern;
	while (n--)
		*p++ = (unsigned char)byte;
	return to;
}

void *memcpy(void *to, const void *from, size_t n)
{
	unsigned char *p = to;
	const unsigned char *q = from;

	for (; n >= sizeof(word); n -= sizeof(word), p += sizeof(word), q += sizeof(word))
		*(word *)p = *(const word *)q;
	while (n--)
		*p++ = *q++;
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	unsigned char *p = to;
	const unsigned char *q = from;

	if (p <= q || p >= q + n)
		return memcpy(to, from, n);
	while (n--)
		p[n] = q[n];
	return to;
}
