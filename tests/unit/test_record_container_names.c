// SPDX-License-Identifier: BSD-2-Clause
/* Tests names of containers. They are read from files in a root directory that the test makes. */
#include "unit.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record_util.h"
#include "record/intern/container_names.h"

#define UID "8dbc6a39-01aa-4b4a-b1a6-6a4b6d6b1e2f"
#define CRI "run/containerd/io.containerd.runtime.v2.task/k8s.io/"
#define DOCKER "var/lib/docker/containers/"
#define PODMAN "var/lib/containers/storage/overlay-containers"
#define NAMES(...) ((const char *const[]){ __VA_ARGS__ })

static const char *const none[] = { "-", "-", "-", "-", "-" };
static char root[PATH_MAX / 2];

/* Returns a container id. Each n has a different id. */
static const char *id(unsigned int n)
{
	static char text[65];

	snprintf(text, sizeof(text), "%08x%056x", n, 7);
	return text;
}

/* Returns the path of a file below the root, and makes its folders. */
static const char *below(const char *before, const char *middle, const char *after)
{
	static char path[PATH_MAX];
	char command[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s%s%s", root, before, middle, after);
	snprintf(command, sizeof(command), "mkdir -p \"$(dirname '%s')\"", path);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
	return path;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	CU_ASSERT_FATAL(f && fputs(text, f) >= 0 && !fclose(f));
}

static void begin(struct container_names **n)
{
	snprintf(root, sizeof(root), "%s/names-XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	CU_ASSERT_FATAL(mkdtemp(root) != NULL);
	CU_ASSERT_EQUAL_FATAL(container_names_new(n, root), 0);
}

static void end(struct container_names *n)
{
	char command[PATH_MAX];

	container_names_free(n);
	snprintf(command, sizeof(command), "rm -r '%s'", root);
	CU_ASSERT_EQUAL(system(command), 0);
}

/* Checks that the path has these names; "-" stands for an unknown name. */
static void expect(struct container_names *n, const char *path, const char *const *expected)
{
	const char *const *name = container_names_of(n, path);

	for (unsigned int i = 0; i < CONTAINER_NAMES; i++) {
		const char *is = *name[i] ? name[i] : "-";

		if (strcmp(is, expected[i]))
			printf("%s: %s, not %s\n", path, is, expected[i]);
		CU_ASSERT_STRING_EQUAL(is, expected[i]);
	}
}

static void expect_of(struct container_names *n, unsigned int of, const char *const *expected)
{
	char path[160];

	snprintf(path, sizeof(path), "/docker/%s", id(of));
	expect(n, path, expected);
}

static void test_runtimes(void)
{
	struct container_names *n;
	char text[512], path[160];

	begin(&n);
	put(below(CRI, id(1), "/config.json"),
	    "{\"annotations\":{\"io.kubernetes.cri.sandbox-name\":\"web-7d9c6b8f5-x2x4z\","
	    "\"io.kubernetes.cri.sandbox-namespace\":\"shop\",\"io.kubernetes.cri.container-name\":\"nginx\","
	    "\"io.kubernetes.cri.image-name\":\"docker.io/library/nginx:1\"}}");
	expect_of(n, 1,
		  NAMES("web-7d9c6b8f5-x2x4z", "shop", "nginx", "docker.io/library/nginx:1",
			"web"));
	put(below("run/containers/storage/overlay-containers/", id(2), "/userdata/config.json"),
	    "{\"annotations\":{\"io.kubernetes.pod.name\":\"db-0\",\"io.kubernetes.pod.namespace\":\"shop\","
	    "\"io.kubernetes.container.name\":\"postgres\",\"io.kubernetes.cri-o.ImageName\":\"quay.io/postgres:17\"}}");
	expect_of(n, 2, NAMES("db-0", "shop", "postgres", "quay.io/postgres:17", "db"));
	put(below(DOCKER, id(3), "/config.v2.json"),
	    "{\"Name\":\"/shop-api-1\",\"Image\":\"sha256:1\",\"Config\":{\"Image\":\"api:2\",\"Labels\":"
	    "{\"com.docker.compose.project\":\"shop\",\"com.docker.compose.service\":\"api\"}}}");
	expect_of(n, 3, NAMES("-", "shop", "shop-api-1", "api:2", "api"));
	snprintf(
		text, sizeof(text),
		"[{\"id\":\"0\",\"names\":[\"other\"]},{\"id\":\"%s\",\"names\":[\"box\"],\"image\":\"1234\","
		"\"metadata\":\"{\\\"image-name\\\":\\\"quay.io/box:3\\\"}\"}]",
		id(4));
	put(below(PODMAN, "", "/containers.json"), text);
	expect_of(n, 4, NAMES("-", "-", "box", "quay.io/box:3", "-"));

	/* These names are only in kubelet's folders. At first the folders have no file of the container. */
	snprintf(path, sizeof(path), "/kubepods/pod" UID "/%s", id(5));
	expect(n, path, none);
	snprintf(text, sizeof(text), "/cron-28391234-b2c4d_shop_job-%s.log", id(5));
	put(below("var/log/containers", "", text), "");
	expect(n, path, NAMES("cron-28391234-b2c4d", "shop", "job", "-", "cron"));
	snprintf(path, sizeof(path), "/kubepods/pod" UID "/%s", id(6));
	below("var/log/pods/kube-system_kube-proxy-x7x8x_" UID, "", "/0.log");
	expect(n, path, NAMES("kube-proxy-x7x8x", "kube-system", "-", "-", "kube-proxy"));
	expect(n, "/system.slice/ssh.service", none);
	expect(n, "/lxc/box", none);
	expect(NULL, path, none);
	end(n);
}

/* Tests names with endings that look as if Kubernetes had made them, and names with other endings. */
static void test_workloads(void)
{
	static const char *const pods[][2] = {
		{ "web-7d9c6b8f5-x2x4z", "web" },
		{ "web-x2x4z", "web" },
		{ "web-12", "web" },
		{ "web", "web" },
		{ "my-nginx", "my-nginx" },
		{ "etcd-node-1", "etcd-node" },
		{ "cron-28391234-b2c4d", "cron" },
		{ "-x2x4z", "-x2x4z" },
		{ "api-v2-66f5d5ffcb-b2c4d", "api-v2" },
	};
	struct container_names *n;
	char text[256];

	begin(&n);
	for (unsigned int i = 0; i < sizeof(pods) / sizeof(pods[0]); i++) {
		snprintf(text, sizeof(text),
			 "{\"annotations\":{\"io.kubernetes.pod.name\":\"%s\"}}", pods[i][0]);
		put(below(CRI, id(i), "/config.json"), text);
		expect_of(n, i, NAMES(pods[i][0], "-", "-", "-", pods[i][1]));
	}
	end(n);
}

/* Tests hostile files: the recorder reads nothing outside of the root, never blocks, and ignores files of any other
 * form. */
static void test_hostile(void)
{
	static const char *const forms[] = {
		"",
		"[]",
		"{\"annotations\":7}",
		"{\"Config\":[{\"Labels\":{}}],\"Name\":{}}",
		"{\"annotations\":{\"io.kubernetes.pod.name\":[[\"a\"]]}}",
		"{\"Name\":\"/\"}",
		"{\"Name\":\"x\"",
	};
	char outside[PATH_MAX], *deep = calloc(1, (1 << 20) + 2);
	struct container_names *n;
	unsigned int i;

	begin(&n);
	CU_ASSERT_FATAL(deep != NULL);
	snprintf(outside, sizeof(outside), "%s.json", root);
	put(outside, "{\"Name\":\"leaked\"}");
	CU_ASSERT_EQUAL(symlink(outside, below(DOCKER, id(100), "/config.v2.json")), 0);
	CU_ASSERT_EQUAL(symlink("../../../../../../../../../../../../proc/self/cmdline",
				below(CRI, id(100), "/config.json")),
			0);
	expect_of(n, 100, none);
	unlink(outside);
	CU_ASSERT_EQUAL(mkfifo(below(DOCKER, id(101), "/config.v2.json"), 0600), 0);
	expect_of(n, 101, none);
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		put(below(DOCKER, id(i), "/config.v2.json"), forms[i]);
		expect_of(n, i, none);
	}
	memset(deep, '[', 1 << 20);
	put(below(DOCKER, id(102), "/config.v2.json"), deep);
	expect_of(n, 102, none);
	memset(deep, ' ', 1 << 20);
	memcpy(deep, "{\"Name\":\"large\"}", 16);
	deep[1 << 20] = ' ';
	put(below(DOCKER, id(103), "/config.v2.json"), deep);
	expect_of(n, 103, none);
	free(deep);
	end(n);
	CU_ASSERT(container_names_new(&n, "/proc/no/such") < 0);
	CU_ASSERT_PTR_NULL(n);
}

static const struct unit_test tests[] = {
	{ "runtimes", test_runtimes },
	{ "workloads", test_workloads },
	{ "hostile", test_hostile },
};

int main(void)
{
	return unit_main("record_container_names", tests, sizeof(tests) / sizeof(tests[0]));
}
