// SPDX-License-Identifier: GPL-2.0-only
/* various.c - single functions of parts of a kernel that are not here */
#include <linux/mm_types.h>
#include <linux/once.h>
#include "kit.h"

struct mm_struct init_mm = {
	.mm_users = ATOMIC_INIT(2), .mm_count = ATOMIC_INIT(1 << 20), /* never falls to 0 */
};

rwlock_t tasklist_lock = __RW_LOCK_UNLOCKED(tasklist_lock);

bool set_kthread_struct(struct task_struct *task)
{
	return true;
}

bool __do_once_start(bool *done, unsigned long *flags)
{
	return !*done;
}

void __do_once_done(bool *done, struct static_key_true *key, unsigned long *flags,
		    struct module *module)
{
	*done = true;
}

/* Whoever sets a knob may. */
bool capable(int cap)
{
	return true;
}
