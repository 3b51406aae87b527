/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_CMPXCHG_H
#define _ASM_SCHEDPROOF_CMPXCHG_H
/* the simulator is single threaded: plain C is atomic */
#define arch_xchg(p, n)                                                                            \
	({                                                                                         \
		typeof(p) _xp = (p);                                                               \
		typeof(*_xp) _xo = *_xp;                                                           \
		*_xp = (typeof(*_xp))(n);                                                          \
		_xo;                                                                               \
	})
#define arch_cmpxchg(p, o, n)                                                                      \
	({                                                                                         \
		typeof(p) _cp = (p);                                                               \
		typeof(*_cp) _co = *_cp;                                                           \
		if (_co == (typeof(*_cp))(o))                                                      \
			*_cp = (typeof(*_cp))(n);                                                  \
		_co;                                                                               \
	})
#define arch_cmpxchg64	     arch_cmpxchg
#define arch_cmpxchg_local   arch_cmpxchg
#define arch_cmpxchg64_local arch_cmpxchg
#endif
