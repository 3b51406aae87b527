#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# sanitized.sh PROGRAM - is it built with the address or the thread sanitizer? Exit 0 or 1.
exec grep -q -e __asan_init -e __tsan_init "$1"
