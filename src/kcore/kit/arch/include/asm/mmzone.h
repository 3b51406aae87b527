/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_MMZONE_H
#define _ASM_SCHEDPROOF_MMZONE_H

struct pglist_data;

#ifndef NODE_DATA
extern struct pglist_data *node_data[];
#endif
#undef NODE_DATA
#define NODE_DATA(node) (node_data[node])

#endif
