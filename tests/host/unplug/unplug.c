// SPDX-License-Identifier: BSD-2-Clause
/*
 * Imitates rare behaviour of the kernel, as LD_PRELOAD of a recorder that is linked to libbpf.so:
 * - the program named by NETCOST_TEST_UNPLUG is attached and then detached, without the recorder noticing;
 * - with NETCOST_TEST_RSS the largest resident size decreases from call to call, as the kernel's approximate counts may (6.2).
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bpf/libbpf.h>

/* Detaches the program. The link's file closes with its last descriptor, so another file replaces this descriptor. */
static struct bpf_link *unplug(const struct bpf_program *prog, struct bpf_link *link)
{
	const char *name = getenv("NETCOST_TEST_UNPLUG");
	int nothing;

	if (!link || !name || strcmp(bpf_program__name(prog), name))
		return link;
	nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	dup2(nothing, bpf_link__fd(link));
	close(nothing);
	return link;
}

struct bpf_link *bpf_program__attach_trace(const struct bpf_program *prog)
{
	struct bpf_link *(*real)(const struct bpf_program *) =
		(struct bpf_link * (*)(const struct bpf_program *)) dlsym(RTLD_NEXT, __func__);

	return unplug(prog, real(prog));
}

struct bpf_link *bpf_program__attach_raw_tracepoint(const struct bpf_program *prog,
						    const char *tracepoint)
{
	struct bpf_link *(*real)(const struct bpf_program *, const char *) =
		(struct bpf_link * (*)(const struct bpf_program *, const char *))
			dlsym(RTLD_NEXT, __func__);

	return unplug(prog, real(prog, tracepoint));
}

int getrusage(__rusage_who_t who, struct rusage *usage)
{
	int (*real)(__rusage_who_t, struct rusage *) =
		(int (*)(__rusage_who_t, struct rusage *))dlsym(RTLD_NEXT, __func__);
	static long fallen;
	int err = real(who, usage);

	if (!err && getenv("NETCOST_TEST_RSS"))
		usage->ru_maxrss -= fallen++;
	return err;
}
