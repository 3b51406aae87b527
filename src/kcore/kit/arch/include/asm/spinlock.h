/* SPDX-License-Identifier: GPL-2.0-only */
/* One thread: a lock that is taken when it is asked for will never be given back, which is told at once. */
#ifndef _ASM_SCHEDPROOF_SPINLOCK_H
#define _ASM_SCHEDPROOF_SPINLOCK_H

#include <asm/processor.h>

extern void kit_deadlock(const void *lock);

#define arch_spin_is_locked(l)	    ((l)->slock != 0)
#define arch_spin_is_contended(l)   ((void)(l), 0)
#define arch_spin_value_unlocked(l) ((l).slock == 0)

static __always_inline void arch_spin_lock(arch_spinlock_t *l)
{
	if (unlikely(l->slock))
		kit_deadlock(l);
	l->slock = 1;
}

static __always_inline int arch_spin_trylock(arch_spinlock_t *l)
{
	if (l->slock)
		return 0;
	l->slock = 1;
	return 1;
}

static __always_inline void arch_spin_unlock(arch_spinlock_t *l)
{
	l->slock = 0;
}

static __always_inline void arch_read_lock(arch_rwlock_t *l)
{
	if (unlikely(l->lock < 0))
		kit_deadlock(l);
	l->lock++;
}

static __always_inline int arch_read_trylock(arch_rwlock_t *l)
{
	if (l->lock < 0)
		return 0;
	l->lock++;
	return 1;
}

static __always_inline void arch_read_unlock(arch_rwlock_t *l)
{
	l->lock--;
}

static __always_inline void arch_write_lock(arch_rwlock_t *l)
{
	if (unlikely(l->lock))
		kit_deadlock(l);
	l->lock = -1;
}

static __always_inline int arch_write_trylock(arch_rwlock_t *l)
{
	if (l->lock)
		return 0;
	l->lock = -1;
	return 1;
}

static __always_inline void arch_write_unlock(arch_rwlock_t *l)
{
	l->lock = 0;
}

#endif
