/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_UACCESS_H
#define _ASM_SCHEDPROOF_UACCESS_H
#include <linux/string.h>
#define INLINE_COPY_FROM_USER
#define INLINE_COPY_TO_USER
#define INLINE_COPY_USER
#define TASK_SIZE_MAX TASK_SIZE
static inline unsigned long raw_copy_from_user(void *t, const void *f, unsigned long n)
{
	memcpy(t, f, n);
	return 0;
}
static inline unsigned long raw_copy_to_user(void *t, const void *f, unsigned long n)
{
	memcpy(t, f, n);
	return 0;
}
#define get_user(x, p)                                                                             \
	({                                                                                         \
		(x) = *(p);                                                                        \
		0;                                                                                 \
	})
#define put_user(x, p)                                                                             \
	({                                                                                         \
		*(p) = (x);                                                                        \
		0;                                                                                 \
	})
#define __get_user	get_user
#define __put_user	put_user
#define access_ok(a, s) 1
#define clear_user(p, n)                                                                           \
	({                                                                                         \
		memset((void *)(p), 0, n);                                                         \
		0UL;                                                                               \
	})
#define strnlen_user(s, n) (strnlen((const char *)(s), n) + 1)
extern long strncpy_from_user(char *d, const char *s, long n);
#define __get_kernel_nofault(d, s, t, l)                                                           \
	do {                                                                                       \
		*(t *)(d) = *(t *)(s);                                                             \
	} while (0)
#define __put_kernel_nofault(d, s, t, l)                                                           \
	do {                                                                                       \
		*(t *)(d) = *(t *)(s);                                                             \
	} while (0)
#endif
