// SPDX-License-Identifier: GPL-2.0-only
int kit_asm_offsets;
