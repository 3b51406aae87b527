# The two commands of the README; everything behind them is meson's.
#   make demo    installs what is missing, builds, compares two variants on this machine
#   make check   installs, builds, runs every test
.PHONY: all demo check install-needs clean

BUILD := build

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

$(BUILD)/build.ninja: | install-needs
	@CC=$${CC:-gcc} meson setup $(BUILD) >/dev/null || { cat $(BUILD)/meson-logs/meson-log.txt; exit 1; }

# asks nothing and needs no network when all is there
install-needs:
	@tests/needs.sh build

demo: install-needs all
	@$(BUILD)/src/cmd/schedproof ab experiments/first.ini
	@echo "results:  $$($(BUILD)/src/cmd/schedproof list results | tail -n 1)"

check:
	@if [ "$$(id -u)" = 0 ]; then tests/needs.sh tests && tests/check.sh --install; \
	else tests/needs.sh check && tests/check.sh; fi

clean:
	rm -rf build build-*
