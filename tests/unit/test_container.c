// SPDX-License-Identifier: BSD-2-Clause
/* Tests which container a cgroup's path belongs to. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <netcost/container.h>

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define UID "8dbc6a39-01aa-4b4a-b1a6-6a4b6d6b1e2f"
#define UID_SYSTEMD "8dbc6a39_01aa_4b4a_b1a6_6a4b6d6b1e2f"

static const struct {
	const char *path, *runtime, *id, *pod;
} paths[] = {
	{ "/system.slice/docker-" ID ".scope", "docker", ID, "" },
	{ "/docker/" ID, "docker", ID, "" },
	{ "/docker/" ID "/init.scope", "docker", ID, "" },
	{ "/docker/" ID "/docker/" OTHER, "docker", OTHER, "" },
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_SYSTEMD
	  ".slice/cri-containerd-" ID ".scope",
	  "containerd", ID, UID },
	{ "/kubepods.slice/kubepods-pod" UID_SYSTEMD ".slice/crio-" ID ".scope", "cri-o", ID, UID },
	{ "/kubepods.slice/kubepods-pod" UID_SYSTEMD ".slice/crio-" ID ".scope/container", "cri-o",
	  ID, UID },
	{ "/kubepods/burstable/pod" UID "/" ID, "", ID, UID },
	{ "/kubepods/besteffort/pod" UID "/crio-" ID, "cri-o", ID, UID },
	{ "/kubepods/pod5f1e2f3a4b5c6d7e8f90a1b2c3d4e5f6/" ID, "", ID,
	  "5f1e2f3a4b5c6d7e8f90a1b2c3d4e5f6" },
	{ "/system.slice/containerd.service/kubepods-burstable-pod" UID_SYSTEMD
	  ".slice:cri-containerd:" ID,
	  "containerd", ID, UID },
	{ "/system.slice/nerdctl-" ID ".scope", "containerd", ID, "" },
	{ "/machine.slice/libpod-" ID ".scope/container", "podman", ID, "" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope", "podman",
	  ID, "" },
	{ "/libpod_parent/" ID, "podman", ID, "" },
	{ "/lxc/web", "lxc", "web", "" },
	{ "/lxc.payload.web/system.slice/nginx.service", "lxc", "web", "" },
	{ "/machine.slice/systemd-nspawn@web.service", "nspawn", "web", "" },
	{ "/machine.slice/machine-web.scope", "machined", "web", "" },
	/* paths that do not belong to a container */
	{ "", "", "", "" },
	{ "/", "", "", "" },
	{ "/system.slice/docker.service", "", "", "" },
	{ "/machine.slice/libpod-conmon-" ID ".scope", "", "", "" },
	{ "/kubepods.slice/kubepods-pod" UID_SYSTEMD ".slice/crio-conmon-" ID ".scope", "", "",
	  "" },
	{ "/kubepods.slice/kubepods-pod" UID_SYSTEMD ".slice", "", "", "" },
	{ "/system.slice/docker-0123.scope", "", "", "" },
	{ "/x" ID, "", "", "" },
	{ "/system.slice/machine-.scope", "", "", "" },
	{ "//", "", "", "" },
};

static void by_path(void)
{
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct container c;
		bool found = container_of_path(paths[i].path, &c);
		bool right = found == (*paths[i].id != '\0') &&
			     !strcmp(c.runtime, paths[i].runtime) && !strcmp(c.id, paths[i].id) &&
			     !strcmp(c.pod, paths[i].pod);

		if (!right)
			fprintf(stderr, "%s: %s '%s' '%s'\n", paths[i].path, c.runtime, c.id,
				c.pod);
		CU_ASSERT_TRUE(right);
	}
}

/* Checks names of any length. */
static void long_names(void)
{
	char path[4096];
	struct container c;

	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	CU_ASSERT_FALSE(container_of_path(path, &c)); /* the path has no slash before the id */
	memcpy(path, "/lxc/", 5);
	CU_ASSERT_TRUE(container_of_path(path, &c));
	CU_ASSERT_EQUAL(strlen(c.id), CONTAINER_ID - 1);
}

static const struct unit_test tests[] = {
	{ "by_path", by_path },
	{ "long_names", long_names },
};

int main(void)
{
	return unit_main("container", tests, sizeof(tests) / sizeof(tests[0]));
}
