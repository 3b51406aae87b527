#!/bin/sh
# tests/pages.sh BUILD - every workload has its page, and every page its workload.
set -eu
build=$1
worker=$build/src/worker/schedproof-worker
cd "$(dirname "$0")/.."
names=$("$worker" --list | awk '{print $1}' | sort)
pages=$(ls doc/workloads | sed '/^README/d; s/\.md$//' | sort)
if [ "$names" != "$pages" ]; then
	echo "workloads:" $names
	echo "pages in doc/workloads:" $pages
	exit 1
fi
