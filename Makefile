# SPDX-License-Identifier: BSD-2-Clause
# netcost: build, test, install. Sources are found by their folder: a new file needs no line here.
#
# A machine that only reads traces needs little: `report` and `unit` need neither libbpf, clang,
# libelf nor bpftool. Keep src/report, src/common, format and their tests that way.

## netcost: what networking costs in CPU time and energy
##
##   make [TARGET] [VARIABLE=VALUE]
##
## Variables:
##   V=1           show the commands
##   WERROR=1      warnings are errors
##   SAN=1         with the address and undefined-behaviour sanitizers, into build/san
##   PREFIX=DIR    where install puts things (/usr/local); DESTDIR=DIR goes before it
##   CROSS=TRIPLET cross-compile, such as CROSS=aarch64-linux-gnu; RUN=PROGRAM runs what was built, to install it
##   CC CLANG CPPFLAGS CFLAGS LDFLAGS BPFTOOL PKG_CONFIG PROTOC_C have their usual meaning

PREFIX ?= /usr/local
ifneq ($(CROSS),)
CC := $(CROSS)-gcc
AR := $(CROSS)-ar
OBJCOPY := $(CROSS)-objcopy
PKG_CONFIG := PKG_CONFIG_LIBDIR=/usr/lib/$(CROSS)/pkgconfig:/usr/share/pkgconfig pkg-config
endif
CC ?= cc
AR ?= ar
CLANG ?= clang
CLANG_FORMAT ?= clang-format
LLVM_STRIP ?= llvm-strip
OBJCOPY ?= objcopy
PKG_CONFIG ?= pkg-config
PROTOC_C ?= protoc-c
# Distributions install bpftool in a folder that only root's PATH has.
BPFTOOL ?= $(firstword $(shell PATH="$$PATH:/usr/sbin:/sbin" command -v bpftool) bpftool)
# With the sanitizers: the level with the lowest total time of building and running.
CFLAGS ?= $(if $(filter 1,$(SAN)),-Og -g1,-O2 -g)
LDFLAGS ?= -Wl,--as-needed

.SUFFIXES:
.DELETE_ON_ERROR:
comma := ,
MAKEFLAGS += --no-builtin-rules
Q := $(if $(filter 1,$(V)),,@)
say = @$(if $(filter 1,$(V)),:,printf '  %-7s %s\n' $(1) $(2))

# ---- flags

pkg = $(shell $(PKG_CONFIG) $(1) 2>/dev/null)
# msgpack-c has both names, depending on its version.
MSGPACK := $(if $(call pkg,--modversion msgpack-c),msgpack-c,msgpack)
# Needed for pprof's format.
EXPORT := libprotobuf-c zlib
# The command sql; the report can be built without it.
SQLITE := $(if $(call pkg,--modversion sqlite3),sqlite3)

# Optional: the command live; export openmetrics --listen, not in static builds.
CURSES := $(if $(call pkg,--modversion ncursesw),ncursesw)
HTTP := $(if $(call pkg,--modversion libmicrohttpd),libmicrohttpd)
# Optional: without it the recorder has no filter of system calls.
SECCOMP := $(if $(call pkg,--modversion libseccomp),libseccomp)
# Optional: names of functions of user space, not in static builds.
DW := $(if $(call pkg,--modversion libdw),libdw)

BUILD := $(if $(filter 1,$(SAN)),build/san,build)
WARN := -Wall -Wextra $(if $(filter 1,$(WERROR)),-Werror)
SAN_FLAGS := $(if $(filter 1,$(SAN)),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all)
# Static programs contain only what they call. Debuggers have the frames in the debug information; sanitizers need tables.
LEAN := -ffunction-sections -fdata-sections $(if $(filter 1,$(SAN)),,-fno-asynchronous-unwind-tables)
# The same bytes whatever the folder is called.
MAP := -ffile-prefix-map=$(CURDIR)=.
INCLUDES := -Iinclude -Isrc -Ibuild -I.

BPF_ARCH := $(shell $(CC) -dumpmachine | sed 's/-.*//;s/x86_64/x86/;s/aarch64/arm64/;s/p.*pc64.*/powerpc/;s/s390x/s390/;s/riscv64/riscv/')
# BPF_PROG() creates unused parameters.
BPF_FLAGS := -O2 -g -target bpf -mcpu=v3 -D__TARGET_ARCH_$(BPF_ARCH) $(WARN) -Wno-unused-parameter \
	$(INCLUDES) $(MAP) $(call pkg,--cflags libbpf)

C_FLAGS := -std=c11 -D_GNU_SOURCE $(WARN) $(INCLUDES) $(SAN_FLAGS) \
	$(call pkg,--cflags libzstd $(MSGPACK)) $(call pkg,--cflags $(EXPORT) $(SQLITE)) $(if $(SQLITE),-DNETCOST_SQLITE) $(call pkg,--cflags libbpf jansson) \
	$(if $(CURSES),-DNETCOST_CURSES $(filter -I%,$(call pkg,--cflags $(CURSES)))) \
	$(if $(HTTP),-DNETCOST_HTTP -pthread $(call pkg,--cflags $(HTTP))) $(if $(SECCOMP),-DNETCOST_SECCOMP) \
	$(if $(DW),-DNETCOST_LIBDW $(call pkg,--cflags $(DW))) $(MAP) $(LEAN) $(CPPFLAGS) $(CFLAGS)
LINK := $(CC) $(SAN_FLAGS) $(LDFLAGS)
LIBS := $(call pkg,--libs libzstd $(MSGPACK) $(EXPORT) $(SQLITE) $(CURSES)) $(call pkg,--libs $(HTTP) $(DW)) $(if $(HTTP),-pthread) -lm
BPF_LIBS := $(call pkg,--libs libbpf libelf zlib)
RECORD_LIBS := $(BPF_LIBS) $(call pkg,--libs jansson $(SECCOMP))

# ---- sources and products

objs = $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard $(1))))
# All folders of a program.
tree = $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(shell find $(1) -name '*.c')))
LIB_OBJS := $(call objs,format/*.c src/common/*.c)
PROTOS := build/profile.pb-c.h build/perfetto.pb-c.h
REPORT_OBJS := $(call tree,src/report) $(PROTOS:%.h=$(BUILD)/obj/%.o)
RECORD_OBJS := $(call tree,src/record)
UTIL_OBJS := $(call objs,tests/unit/util/*.c)
UTIL_RECORD_OBJS := $(call objs,tests/unit/util/record/*.c)
UNIT_OBJS := $(call objs,tests/unit/*.c) $(UTIL_OBJS) $(UTIL_RECORD_OBJS)
VERIFIED := $(call objs,tests/verified.c)
FUZZ_OBJS := $(call objs,tests/fuzz/*.c)
# With the sanitizers large buffers are reused: see that file.
KEPT := $(if $(filter 1,$(SAN)),$(call objs,tests/fuzz/memory.c))
WRAP := $(if $(KEPT),-Wl$(comma)--wrap=malloc$(comma)--wrap=realloc$(comma)--wrap=free)
HOST_OBJS := $(call objs,tests/host/*.c)
# The skeletons do not depend on the sanitizers: both builds share one folder.
BPF_OBJS := $(patsubst %.bpf.c,build/%.bpf.o,$(wildcard bpf/*.bpf.c))
SPIN_OBJS := $(call objs,$(filter-out %.bpf.c,$(wildcard tests/host/spin/*.c)))
SPIN_BPF := build/tests/host/spin/spin.bpf.o
BESIDE_OBJS := $(call objs,tests/bench/beside.c)
BESIDE_BPF := $(patsubst %.bpf.c,build/%.bpf.o,$(wildcard tests/bench/*.bpf.c))
SKELETONS := $(BPF_OBJS:.bpf.o=.skel.h)

LIB := $(BUILD)/libnetcost.a
LIBREPORT := $(BUILD)/libreport.a
LIBRECORD := $(BUILD)/librecord.a
# Code shared by unit tests; UTIL_RECORD: by those of the recorder.
UTIL := $(BUILD)/tests/libutil.a
UTIL_RECORD := $(BUILD)/tests/libutil_record.a
REPORT := $(BUILD)/netcost-report
RECORD := $(BUILD)/netcost-record
STATIC := $(addprefix $(BUILD)/static/,netcost-report netcost-record)

test_names = $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_$(1)*.c))
UNIT_RECORD := $(call test_names,record_)
UNIT := $(filter-out $(UNIT_RECORD),$(call test_names))
HOST := $(patsubst tests/host/%.c,$(BUILD)/tests/%,$(wildcard tests/host/*.c))
SPIN := $(BUILD)/tests/spin
UNPLUG := $(BUILD)/tests/unplug.so
BESIDE := $(BUILD)/tests/beside
LOAD := $(BUILD)/tests/load
SWEEP := $(BUILD)/tests/sweep
MANY := $(BUILD)/tests/many
SERVER := $(BUILD)/tests/report_server
REPLAY := $(BUILD)/tests/replay

# ---- targets

.PHONY: all record report static unit unit-record host-tools sweep demo test test-all test-vm soak bench bench-tools bench-results deps help
.PHONY: install install-lib uninstall man-report
.PHONY: format check-format clean texts need-report need-record need-static-record need-unit FORCE

##
## Targets:
all: record report ## both programs (the default)
record: $(RECORD) ## build/netcost-record
report: $(REPORT) ## build/netcost-report; needs no libbpf, clang, libelf or bpftool
static: $(STATIC) ## both programs, linked to no shared library, in build/static; without sql, live, --listen, user symbols

deps: ## install what building needs from the distribution, as root
	$(Q)sh tools/deps.sh build

demo: ## record 10 s of traffic between two namespaces and report on it, as root
	$(Q)sh examples/demo.sh

test: ## install what testing needs, build, run the gate, as root (5 to 10 minutes)
	$(Q)sh tests/run.sh

test-all: ## the gate and all that takes long, as root (an hour)
	$(Q)sh tests/run.sh all

test-vm: ## only the tests on other kernels, in virtual machines; needs no root
	$(Q)sh tests/vm/run.sh

soak: ## tests of amounts of time, on a quiet machine, as root (one to two hours; see tests/soak/run.sh)
	$(Q)sh tests/soak/run.sh

bench-tools: all $(BESIDE) $(LOAD) ## what the bench needs, without running it

bench: bench-tools ## what recording costs, and against the peers, as root (takes two hours; see tests/bench/run.sh)
	$(Q)sh tests/bench/run.sh

bench-results: bench-tools ## run the same benchmarks and write tests/bench/RESULTS.md
	$(Q)sh tests/bench/results.sh

unit: $(UNIT) ## the unit tests that need no libbpf
unit-record: $(UNIT_RECORD) ## the unit tests of the recorder
host-tools: $(HOST) $(SPIN) $(UNPLUG) ## the helpers of the live tests

sweep: $(SWEEP) ## cut a real trace at every byte, flip every bit of it (takes minutes)
	$(Q)$(SWEEP) format/vectors/real-*.nct

help: ## this text
	@awk -F ':.*## ' '/^## ?/ { print substr($$0, 4) } \
		/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' Makefile

# ---- rules

need-report:
	@$(PKG_CONFIG) --exists libzstd $(MSGPACK) $(EXPORT) && command -v $(PROTOC_C) >/dev/null || \
	{ echo "zstd, msgpack-c, protobuf-c or zlib not found: sh tools/deps.sh report" >&2; exit 1; }

need-record: need-report
	@$(PKG_CONFIG) --exists libbpf libelf zlib jansson && \
	command -v $(CLANG) >/dev/null && command -v $(BPFTOOL) >/dev/null || \
	{ echo "libbpf, libelf, zlib, jansson, clang or bpftool not found: sh tools/deps.sh build" >&2; exit 1; }

# Debian 13's libelf.a was archived without the functions of elfutils' libeu that it calls.
need-static-record: need-record | $(BUILD)/static/netcost-report
	@echo 'int elf_end(void *); int main(void) { return elf_end(0); }' | \
	$(LINK) -static -o /dev/null -x c - -x none $(call pkg,--static --libs libelf) 2>$(BUILD)/static/libelf.log || \
	{ { grep -v 'in function' $(BUILD)/static/libelf.log; \
	echo "$(BUILD)/static/netcost-record cannot be linked: no program can, statically, with this libelf.a (elfutils $(call pkg,--modversion libelf))."; \
	echo "Use $(RECORD), or another elfutils, with LDFLAGS=-L and its folder: 0.192 lacks functions that 0.188 has."; } >&2; exit 1; }

need-unit:
	@$(PKG_CONFIG) --exists cunit || { echo "CUnit not found: sh tools/deps.sh unit" >&2; exit 1; }

# These files change only with the flags, so that WERROR=1 after a plain build recompiles everything,
# except the BPF programs, which builds with and without the sanitizers share: two parallel builds
# would write the same files.
$(BUILD)/flags: FLAGS = $(CC) $(C_FLAGS) $(LINK) $(LIBS)
build/bpf/flags: FLAGS = $(CLANG) $(filter-out -Werror,$(BPF_FLAGS))
$(BUILD)/flags build/bpf/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' >$@

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_FLAGS) -MMD -MP -c -o $@ $<

$(LIB_OBJS) $(REPORT_OBJS) $(RECORD_OBJS): private C_FLAGS += -Wmissing-declarations
$(LIB_OBJS) $(REPORT_OBJS): | need-report
$(REPORT_OBJS): | texts
$(RECORD_OBJS) $(call objs,tests/unit/test_record_*.c): | need-record $(SKELETONS)
$(SPIN_OBJS): | need-record $(SPIN_BPF:.bpf.o=.skel.h)
$(BESIDE_OBJS): | need-record $(BESIDE_BPF:.bpf.o=.skel.h)
$(BPF_OBJS) $(SPIN_BPF) $(BESIDE_BPF): | need-record
$(UNIT_OBJS): | need-unit
# Private, because $(BUILD)/flags is a prerequisite of every file.
$(UNIT_OBJS): private C_FLAGS += -Itests/unit/util -Itests/unit/util/record

# Stripped of DWARF, which nothing reads from the embedded object; the BTF stays.
build/%.bpf.o: %.bpf.c build/bpf/flags
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_FLAGS) -MMD -MP -c -o $@ $<
	$(Q)$(LLVM_STRIP) -g $@

build/%.skel.h: build/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $(*F)_bpf >$@

# Text that is compiled in as a C string, and the hashes by which a page allows its scripts.
TEXTS := $(addprefix build/,default_rules.h flamegraph_js.h flamegraph_css.h page_css.h sort_js.h)
HASHES := $(addprefix build/,flamegraph_js_hash.h flamegraph_css_hash.h page_css_hash.h sort_js_hash.h)
texts: $(TEXTS) $(HASHES) $(PROTOS)
build/default_rules.h: examples/rules/default.rules
build/flamegraph_js.h build/flamegraph_js_hash.h: src/report/stacks/flamegraph.js
build/flamegraph_css.h build/flamegraph_css_hash.h: src/report/stacks/flamegraph.css
build/page_css.h build/page_css_hash.h: src/report/page/page.css
build/sort_js.h build/sort_js_hash.h: src/report/page/sort.js

$(TEXTS):
	$(call say,TEXT,$@)
	@mkdir -p $(@D)
	$(Q)sed 's/[\\"?]/\\&/g; s/.*/"&\\n"/' $< >$@

$(HASHES): %: tools/csp_hash.sh
	$(call say,HASH,$@)
	@mkdir -p $(@D)
	$(Q)sh tools/csp_hash.sh $(filter src/%,$^) >$@

# C code for the messages of pprof and Perfetto.
$(PROTOS): build/%.pb-c.h: src/report/export/%.proto | need-report
	$(call say,PROTO,$@)
	@mkdir -p $(@D)
	$(Q)$(PROTOC_C) -I $(<D) --c_out=$(@D) $<
$(PROTOS:.h=.c): %.c: %.h ;

# Created from scratch: `ar` alone would keep members whose source is gone.
$(LIB): $(LIB_OBJS)
$(LIBREPORT): $(filter-out %/main.o,$(REPORT_OBJS))
$(LIBRECORD): $(filter-out %/main.o,$(RECORD_OBJS))
$(UTIL): $(UTIL_OBJS) $(VERIFIED)
$(UTIL_RECORD): $(UTIL_RECORD_OBJS)
$(LIB) $(LIBREPORT) $(LIBRECORD) $(UTIL) $(UTIL_RECORD):
	$(call say,AR,$@)
	@mkdir -p $(@D)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^

$(REPORT): $(REPORT_OBJS) $(LIB)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

$(RECORD): $(RECORD_OBJS) $(LIB)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(RECORD_LIBS) $(LIBS)

$(STATIC): | $(BUILD)/static
$(BUILD)/static:
	@mkdir -p $@

# Without SQL, live, the server of metrics and names of user functions, whose libraries are large or have no static ones.
SLIM := cmd/cmd_sql cmd/live cmd/listen model/user_names
$(SLIM:%=$(BUILD)/static/%.o): $(BUILD)/static/%.o: src/report/%.c $(BUILD)/flags | $(BUILD)/static
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_FLAGS) -UNETCOST_SQLITE -UNETCOST_CURSES -UNETCOST_HTTP -UNETCOST_LIBDW -c -o $@ $<

$(BUILD)/static/netcost-report: $(filter-out $(SLIM:%=$(BUILD)/obj/src/report/%.o),$(REPORT_OBJS)) \
		$(SLIM:%=$(BUILD)/static/%.o) $(LIB)
	$(call say,LINK,$@)
	$(Q)$(LINK) -static -s -Wl,--gc-sections -o $@ $^ $(call pkg,--static --libs libzstd $(MSGPACK) $(EXPORT)) -lm

# After the report, so that `make static` builds it where the recorder cannot be linked.
$(BUILD)/static/netcost-record: $(RECORD_OBJS) $(LIB) | need-static-record $(BUILD)/static/netcost-report
	$(call say,LINK,$@)
	$(Q)$(LINK) -static -s -Wl,--gc-sections -o $@ $^ $(call pkg,--static --libs libbpf libelf zlib jansson libzstd $(MSGPACK) $(SECCOMP)) -lm

$(UNIT): $(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(KEPT) $(UTIL) $(LIBREPORT) $(LIB)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $(WRAP) -o $@ $^ $(LIBS) -lcunit

$(UNIT_RECORD): $(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(KEPT) $(UTIL_RECORD) $(UTIL) $(LIBREPORT) $(LIBRECORD) $(LIB)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $(WRAP) -o $@ $^ $(RECORD_LIBS) $(LIBS) -lcunit

$(SWEEP): $(BUILD)/obj/tests/vectors/sweep.o $(VERIFIED) $(LIBREPORT) $(LIB)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# Renames the report's main().
$(MANY).main.o: $(BUILD)/obj/src/report/main.o
	@mkdir -p $(@D)
	$(Q)$(OBJCOPY) --redefine-sym main=report_main $< $@

$(MANY): $(BUILD)/obj/tests/report/many.o $(MANY).main.o $(LIBREPORT) $(LIB)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

$(SERVER): $(BUILD)/obj/tests/vectors/report_server.o $(MANY).main.o $(LIBREPORT) $(LIB)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# Replays the fuzzers' inputs without libFuzzer: SAN=1.
$(REPLAY): $(FUZZ_OBJS) $(VERIFIED) $(LIBREPORT) $(LIB)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $(WRAP) -o $@ $^ $(LIBS)

$(HOST): $(BUILD)/tests/%: $(BUILD)/obj/tests/host/%.o
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $^

$(SPIN): $(SPIN_OBJS)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $^ $(BPF_LIBS)

$(UNPLUG): tests/host/unplug/unplug.c $(BUILD)/flags | need-record
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_FLAGS) -fPIC -shared -o $@ $< -ldl

$(BESIDE): $(BESIDE_OBJS)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $^ $(BPF_LIBS)

$(LOAD): $(BUILD)/obj/tests/bench/load.o
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $^

# ---- install

DEST := $(DESTDIR)$(PREFIX)
MAN1 := $(patsubst man/%,$(BUILD)/man/%,$(wildcard man/*.1))
BASH := $(addprefix $(BUILD)/completion/,netcost-report.bash netcost-record.bash)
ZSH := $(addprefix $(BUILD)/completion/_,netcost-report netcost-record)
FISH := $(addprefix $(BUILD)/completion/,netcost-report.fish netcost-record.fish)
MAN5 := $(wildcard format/netcost-trace.5)
SHARE := $(wildcard examples/*.nct examples/rules/*.rules)
API := $(addprefix include/netcost/,trace.h registry.h registry_keys.h events.h parts.h version.h)
VERSION := $(shell sed -n 's/.*NETCOST_VERSION "\(.*\)"/\1/p' include/netcost/version.h)

# For other programs. Its symbols are those of the map; the major number of its name changes with their meaning.
LIBDIR ?= $(PREFIX)/lib
API_OBJS := $(patsubst %.c,$(BUILD)/api/%.o,$(sort $(wildcard format/*.c)) src/common/utf8.c src/common/array.c)
API_MAP := format/netcost-trace.map
API_A := $(BUILD)/api/libnetcost-trace.a
API_SO := $(BUILD)/api/libnetcost-trace.so.1
$(API_OBJS): $(BUILD)/api/%.o: %.c $(BUILD)/flags | need-report
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_FLAGS) -fPIC -MMD -MP -c -o $@ $<

# One object, so that its internal names do not collide with the program's.
$(API_A): $(API_OBJS) $(API_MAP)
	$(call say,AR,$@)
	$(Q)$(CC) -nostdlib -r -o $(@D)/netcost.o $(API_OBJS)
	$(Q)sed -n 's/^\t\t\(trace_.*\);/\1/p' $(API_MAP) >$(@D)/symbols
	$(Q)$(OBJCOPY) --keep-global-symbols=$(@D)/symbols $(@D)/netcost.o
	$(Q)rm -f $@ && $(AR) rcsD $@ $(@D)/netcost.o

$(API_SO): $(API_OBJS) $(API_MAP)
	$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,--no-undefined-version -Wl,-z,defs -Wl,-soname,$(@F) -Wl,--version-script=$(API_MAP) -o $@ $(API_OBJS) $(call pkg,--libs libzstd)

install-lib: $(API_A) $(API_SO) ## the trace library for other programs: netcost-trace in pkg-config
	$(call say,INSTALL,$(DESTDIR)$(LIBDIR))
	$(Q)install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DEST)/include/netcost
	$(Q)install -m 644 $(API_A) $(API_SO) $(DESTDIR)$(LIBDIR)
	$(Q)ln -sf $(notdir $(API_SO)) $(DESTDIR)$(LIBDIR)/libnetcost-trace.so
	$(Q)install -m 644 $(API) $(DEST)/include/netcost
	$(Q)sed 's|@PREFIX@|$(PREFIX)|;s|@LIBDIR@|$(LIBDIR)|;s|@VERSION@|$(VERSION)|' \
		format/netcost-trace.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/netcost-trace.pc

# The programs print what their man pages say of options, and what completes arguments in a shell.
$(BUILD)/man/netcost-record.1: man/netcost-record.1 $(RECORD) tools/man.sh
	@mkdir -p $(@D)
	$(Q)sh tools/man.sh $< "$(RUN) $(RECORD) --print-man-options" >$@

MAN_REPORT := $(filter-out %/netcost-record.1,$(MAN1))
$(MAN_REPORT): $(BUILD)/man/%.1: man/%.1 $(REPORT) tools/man.sh
	@mkdir -p $(@D)
	$(Q)sh tools/man.sh $< "$(RUN) $(REPORT) --print-man-options=$(patsubst netcost-report-%,%,$(filter-out netcost-report,$*))" >$@

$(BASH): $(BUILD)/completion/%.bash: $(BUILD)/%
$(ZSH): $(BUILD)/completion/_%: $(BUILD)/%
$(FISH): $(BUILD)/completion/%.fish: $(BUILD)/%
$(BASH) $(ZSH) $(FISH):
	@mkdir -p $(@D)
	$(Q)$(RUN) $< --print-completion=$(if $(filter %.bash,$@),bash,$(if $(filter %.fish,$@),fish,zsh)) >$@

man-report: $(MAN_REPORT) ## the man pages of netcost-report, in build/man

install: all install-lib $(MAN1) $(BASH) $(ZSH) $(FISH) ## programs, the trace library, man pages, completions and examples, below PREFIX
	$(call say,INSTALL,$(DEST))
	$(Q)install -d $(DEST)/bin $(DEST)/share/man/man1 $(DEST)/share/man/man5 $(DEST)/share/netcost
	$(Q)install -m 755 $(RECORD) $(REPORT) $(DEST)/bin
	$(Q)install -m 644 $(MAN1) $(DEST)/share/man/man1
	$(Q)install -d $(addprefix $(DEST)/share/,bash-completion/completions zsh/site-functions fish/vendor_completions.d)
	$(Q)install -m 644 $(BUILD)/completion/netcost-report.bash $(DEST)/share/bash-completion/completions/netcost-report
	$(Q)install -m 644 $(BUILD)/completion/netcost-record.bash $(DEST)/share/bash-completion/completions/netcost-record
	$(Q)install -m 644 $(ZSH) $(DEST)/share/zsh/site-functions
	$(Q)install -m 644 $(FISH) $(DEST)/share/fish/vendor_completions.d
	$(Q)$(if $(MAN5),install -m 644 $(MAN5) $(DEST)/share/man/man5)
	$(Q)$(if $(SHARE),install -m 644 $(SHARE) $(DEST)/share/netcost)

uninstall: ## remove what install has put there
	$(call say,REMOVE,$(DEST))
	$(Q)rm -f $(addprefix $(DEST)/bin/,netcost-record netcost-report) \
		$(addprefix $(DEST)/share/man/man1/,$(notdir $(MAN1))) \
		$(addprefix $(DEST)/share/man/man5/,$(notdir $(MAN5))) \
		$(addprefix $(DEST)/share/bash-completion/completions/,netcost-report netcost-record) \
		$(addprefix $(DEST)/share/zsh/site-functions/,$(notdir $(ZSH))) \
		$(addprefix $(DEST)/share/fish/vendor_completions.d/,$(notdir $(FISH)))
	$(Q)rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,$(notdir $(API_A) $(API_SO)) libnetcost-trace.so pkgconfig/netcost-trace.pc)
	$(Q)rm -rf $(DEST)/share/netcost $(DEST)/include/netcost

# ---- source format

SOURCES = $(shell find bpf format include src tests -name '*.[ch]')

format: ## clang-format all sources, in place
	$(Q)$(CLANG_FORMAT) -i $(SOURCES)

check-format: ## show what clang-format would change
	$(Q)$(CLANG_FORMAT) --dry-run -Werror $(SOURCES)

clean: ## remove build/
	$(Q)rm -rf build

-include $(patsubst %.o,%.d,$(LIB_OBJS) $(API_OBJS) $(REPORT_OBJS) $(RECORD_OBJS) $(UNIT_OBJS) $(VERIFIED) $(HOST_OBJS) \
	$(SPIN_OBJS) $(BPF_OBJS) $(SPIN_BPF) $(BUILD)/obj/tests/report/many.o \
	$(FUZZ_OBJS) $(call objs,tests/vectors/*.c))
