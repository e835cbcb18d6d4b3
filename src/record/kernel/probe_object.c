// SPDX-License-Identifier: BSD-2-Clause
#include "probe_object.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <bpf/libbpf.h>

#include <netcost/array.h>
#include <netcost/reasons.h>

#include "tracing.h"

/* Every skeleton that bpftool generates begins with these members. */
struct beginning {
	struct bpf_object_skeleton *skeleton;
	struct bpf_object *obj;
};

int probe_open(struct probe_object *o, probe_opener *open, struct tracing *tracing)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	struct beginning begins;

	libbpf_set_print(NULL); /* no messages of libbpf: the recorder reports each error once */
	if (tracing)
		opts.btf_custom_path = tracing_path(tracing);
	*o = (struct probe_object){ .skel = open(&opts), .tracing = tracing };
	if (!o->skel)
		return -errno;
	memcpy(&begins, o->skel, sizeof(begins));
	o->skeleton = begins.skeleton;
	o->obj = begins.obj;
	return tracing ? tracing_begin(tracing, o->obj) : 0;
}

int probe_function(const struct probe_object *o, struct bpf_program *prog, const char *function)
{
	bpf_program__set_autoload(prog, true);
	return tracing_function(o->tracing, prog, function);
}

int probe_load(const struct probe_object *o)
{
	return bpf_object__load_skeleton(o->skeleton);
}

void *probe_map(struct probe_object *o, const struct bpf_map *map, size_t bytes, int prot)
{
	void *p;

	if (o->nmapped == PROBE_MAPS) {
		errno = E2BIG;
		return NULL;
	}
	p = mmap(NULL, bytes, prot, MAP_SHARED, bpf_map__fd(map), 0);
	if (p == MAP_FAILED)
		return NULL;
	o->mapped[o->nmapped].at = p;
	o->mapped[o->nmapped++].bytes = bytes;
	return p;
}

/*
 * Attaches a program. libbpf would look up the target of a tracing program again, in the whole kernel BTF, although the
 * target was set at load time.
 */
struct bpf_link *probe_link(const struct bpf_program *prog)
{
	return bpf_program__type(prog) == BPF_PROG_TYPE_TRACING ? bpf_program__attach_trace(prog) :
								  bpf_program__attach(prog);
}

/* Returns "kfree_skb" for a program in the section "tp_btf/kfree_skb". */
static const char *probe_target(const struct bpf_program *prog)
{
	const char *slash = strchr(bpf_program__section_name(prog), '/');

	return slash ? slash + 1 : bpf_program__name(prog);
}

int probe_attach(struct probe_object *o, char *why, size_t whysize)
{
	struct bpf_program *prog;

	bpf_object__for_each_program (prog, o->obj) {
		struct bpf_link *link;
		int err;

		if (!bpf_program__autoload(prog))
			continue;
		err = array_reserve(&o->link, &o->room, o->nlinks + 1, sizeof(struct bpf_link *));
		link = err ? NULL : probe_link(prog);
		if (!link) {
			err = err ? err : -errno;
			snprintf(why, whysize, reason_not_attached, probe_target(prog), -err);
			return err;
		}
		o->link[o->nlinks++] = link;
	}
	return 0;
}

void probe_detach(struct probe_object *o)
{
	while (o->nlinks)
		bpf_link__destroy(o->link[--o->nlinks]);
}

void probe_close(struct probe_object *o)
{
	probe_detach(o);
	free(o->link);
	while (o->nmapped) {
		o->nmapped--;
		munmap(o->mapped[o->nmapped].at, o->mapped[o->nmapped].bytes);
	}
	if (o->skeleton)
		bpf_object__destroy_skeleton(o->skeleton);
	free(o->skel);
	*o = (struct probe_object){ 0 };
}
