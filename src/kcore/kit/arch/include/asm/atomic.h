/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_ATOMIC_H
#define _ASM_SCHEDPROOF_ATOMIC_H
#include <linux/types.h>
#include <asm/cmpxchg.h>
#include <asm/barrier.h>
#define ATOMIC64_INIT(i)                                                                           \
	{                                                                                          \
		(i)                                                                                \
	}
/* Macros of functions, laid out by hand. */
/* clang-format off */
#define KIT_ATOMIC(pfx, type, base)							\
static __always_inline base arch_##pfx##_read(const type *v) { return *(volatile const base *)&v->counter; } \
static __always_inline void arch_##pfx##_set(type *v, base i) { *(volatile base *)&v->counter = i; } \
KIT_AOP(pfx, type, base, add, v->counter + i) KIT_AOP(pfx, type, base, sub, v->counter - i) \
KIT_AOP(pfx, type, base, and, v->counter & i) KIT_AOP(pfx, type, base, or, v->counter | i) \
KIT_AOP(pfx, type, base, xor, v->counter ^ i) KIT_AOP(pfx, type, base, andnot, v->counter & ~i)
#define KIT_AOP(pfx, type, base, op, expr)						\
static __always_inline void arch_##pfx##_##op(base i, type *v) { v->counter = expr; }	\
static __always_inline base arch_##pfx##_fetch_##op(base i, type *v) { base o = v->counter; v->counter = expr; return o; } \
static __always_inline base arch_##pfx##_##op##_return(base i, type *v) { return v->counter = expr; }
KIT_ATOMIC(atomic, atomic_t, int)
KIT_ATOMIC(atomic64, atomic64_t, s64)
/* clang-format on */
#define arch_atomic_add_return	       arch_atomic_add_return
#define arch_atomic_sub_return	       arch_atomic_sub_return
#define arch_atomic_fetch_add	       arch_atomic_fetch_add
#define arch_atomic_fetch_sub	       arch_atomic_fetch_sub
#define arch_atomic_fetch_and	       arch_atomic_fetch_and
#define arch_atomic_fetch_or	       arch_atomic_fetch_or
#define arch_atomic_fetch_xor	       arch_atomic_fetch_xor
#define arch_atomic_andnot	       arch_atomic_andnot
#define arch_atomic_fetch_andnot       arch_atomic_fetch_andnot
#define arch_atomic64_add_return       arch_atomic64_add_return
#define arch_atomic64_sub_return       arch_atomic64_sub_return
#define arch_atomic64_fetch_add	       arch_atomic64_fetch_add
#define arch_atomic64_fetch_sub	       arch_atomic64_fetch_sub
#define arch_atomic64_fetch_and	       arch_atomic64_fetch_and
#define arch_atomic64_fetch_or	       arch_atomic64_fetch_or
#define arch_atomic64_fetch_xor	       arch_atomic64_fetch_xor
#define arch_atomic64_andnot	       arch_atomic64_andnot
#define arch_atomic64_fetch_andnot     arch_atomic64_fetch_andnot
#define arch_atomic_xchg(v, n)	       arch_xchg(&(v)->counter, n)
#define arch_atomic_cmpxchg(v, o, n)   arch_cmpxchg(&(v)->counter, o, n)
#define arch_atomic64_xchg(v, n)       arch_xchg(&(v)->counter, n)
#define arch_atomic64_cmpxchg(v, o, n) arch_cmpxchg(&(v)->counter, o, n)
#endif
