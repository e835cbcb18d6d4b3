// SPDX-License-Identifier: BSD-2-Clause
#include "container_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <jansson.h>

#include <netcost/array.h>
#include <netcost/container.h>
#include <netcost/idmap.h>

/* Limits of what a hostile file or folder can cost. */
#define FILE_MOST (1u << 20)
#define ENTRIES_MOST 20000
#define NAME_MOST 512
#define CONTAINERS_MOST 65536

struct names {
	char *name[CONTAINER_NAMES];
};

struct container_names {
	int root;
	struct idmap by_id; /* by the first 64 bits of the container's id */
	struct names **container;
	size_t n, size;
};

/* ---- where names are ---------------------------------------------------------------------- */

/* Files with names, each below the root: before, the container's id, after. */
static const struct place {
	const char *before, *after; /* after is NULL: a list of containers with their ids */
} places[] = {
	{ "run/containerd/io.containerd.runtime.v2.task/k8s.io/", "/config.json" },
	{ "run/k3s/containerd/io.containerd.runtime.v2.task/k8s.io/", "/config.json" },
	{ "run/containerd/io.containerd.runtime.v2.task/default/", "/config.json" }, /* nerdctl */
	{ "run/containers/storage/overlay-containers/", "/userdata/config.json" },   /* CRI-O */
	{ "var/lib/docker/containers/", "/config.v2.json" },
	{ "var/lib/containers/storage/overlay-containers/", "/userdata/config.json" },
	/* Podman; the second has those of `podman run --rm` */
	{ "var/lib/containers/storage/overlay-containers/containers.json", NULL },
	{ "var/lib/containers/storage/overlay-containers/volatile-containers.json", NULL },
};

/* Keys of strings in these files: the first one that is there has the name. */
static const struct {
	enum container_name name;
	const char *key;
} keys[] = {
	{ CONTAINER_POD, "io.kubernetes.cri.sandbox-name" }, /* containerd */
	{ CONTAINER_POD, "io.kubernetes.pod.name" },	     /* CRI-O, Docker */
	{ CONTAINER_POD, "io.kubernetes.cri-o.KubeName" },
	{ CONTAINER_NAMESPACE, "io.kubernetes.cri.sandbox-namespace" },
	{ CONTAINER_NAMESPACE, "io.kubernetes.pod.namespace" },
	{ CONTAINER_NAMESPACE, "io.kubernetes.cri-o.Namespace" },
	{ CONTAINER_NAMESPACE, "com.docker.stack.namespace" },
	{ CONTAINER_NAMESPACE, "com.docker.compose.project" },
	{ CONTAINER_NAME, "io.kubernetes.cri.container-name" },
	{ CONTAINER_NAME, "io.kubernetes.container.name" },
	{ CONTAINER_NAME, "nerdctl/name" },
	{ CONTAINER_NAME, "Name" },  /* Docker; it begins with a slash */
	{ CONTAINER_NAME, "names" }, /* Podman; an array */
	{ CONTAINER_IMAGE, "io.kubernetes.cri.image-name" },
	{ CONTAINER_IMAGE, "io.kubernetes.cri-o.ImageName" },
	{ CONTAINER_IMAGE, "Image" },	   /* Docker */
	{ CONTAINER_IMAGE, "image-name" }, /* Podman */
	{ CONTAINER_WORKLOAD, "com.docker.swarm.service.name" },
	{ CONTAINER_WORKLOAD, "com.docker.compose.service" },
};

/* Folders of kubelet's, with an entry for each pod or container: names joined by '_', and an end. */
static const struct log {
	const char *folder, *end; /* end: around the pod's uid, or the container's id */
	bool of_pod;
	size_t n;
	enum container_name part[3];
} logs[] = {
	{ "var/log/pods", "_%s", true, 2, { CONTAINER_NAMESPACE, CONTAINER_POD } },
	{ "var/log/containers",
	  "-%s.log",
	  false,
	  3,
	  { CONTAINER_POD, CONTAINER_NAMESPACE, CONTAINER_NAME } },
};

/* ---- files ------------------------------------------------------------------------------- */

/* Never follows a link out of the root, and never waits for the other end of a pipe. */
static int names_open(const struct container_names *n, const char *path, uint64_t flags)
{
	struct open_how how = { .flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };

	return (int)syscall(SYS_openat2, n->root, path, &how, sizeof(how));
}

/* NULL: not there, too large, or not JSON. */
static json_t *names_read(const struct container_names *n, const char *path)
{
	int fd = names_open(n, path, 0);
	json_t *json = NULL;
	char *text = NULL;
	struct stat st;
	ssize_t len;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 && st.st_size <= FILE_MOST)
		text = malloc((size_t)st.st_size);
	len = text ? read(fd, text, (size_t)st.st_size) : -1;
	if (len > 0)
		json = json_loadb(text, (size_t)len, 0, NULL);
	free(text);
	close(fd);
	return json;
}

static void names_set(struct names *to, enum container_name which, const char *s, size_t len)
{
	if (!to->name[which] && len)
		to->name[which] = strndup(s, len < NAME_MOST ? len : NAME_MOST);
}

static void names_set_json(struct names *to, enum container_name which, const json_t *value)
{
	const char *s = json_string_value(json_is_array(value) ? json_array_get(value, 0) : value);

	if (!s)
		return;
	s += *s == '/';
	names_set(to, which, s, strlen(s));
}

/* Takes the names from one container's object. */
static void names_from(struct names *to, const json_t *json)
{
	const json_t *config = json_object_get(json, "Config");
	const char *text = json_string_value(json_object_get(json, "metadata"));
	json_t *metadata = text ? json_loads(text, 0, NULL) : NULL;
	const json_t *in[] = { json_object_get(json, "annotations"),
			       json_object_get(config, "Labels"), config, json, metadata };

	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
		for (size_t i = 0; i < sizeof(in) / sizeof(in[0]); i++)
			names_set_json(to, keys[k].name, json_object_get(in[i], keys[k].key));
	json_decref(metadata);
}

/* The element of a list of containers that has the id; NULL: none. */
static const json_t *names_listed(const json_t *list, const char *id)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *one = json_array_get(list, i);
		const char *s = json_string_value(json_object_get(one, "id"));

		if (s && !strcmp(s, id))
			return one;
	}
	return NULL;
}

static void names_at(const struct container_names *n, const struct place *p, const char *id,
		     struct names *to)
{
	char path[PATH_MAX];
	json_t *json;

	snprintf(path, sizeof(path), "%s%s%s", p->before, p->after ? id : "",
		 p->after ? p->after : "");
	json = names_read(n, path);
	names_from(to, p->after ? json : names_listed(json, id));
	json_decref(json);
}

/* ---- folders of logs ---------------------------------------------------------------------- */

/* Splits "a_b_c", whose end has been removed, into the parts of a log. */
static void names_split(const struct log *l, const char *s, size_t len, struct names *to)
{
	for (size_t i = 0; i < l->n; i++) {
		const char *end = i + 1 < l->n ? memchr(s, '_', len) : s + len;

		if (!end)
			return;
		names_set(to, l->part[i], s, (size_t)(end - s));
		len -= (size_t)(end - s) + (i + 1 < l->n);
		s = end + 1;
	}
}

static void names_logged(const struct container_names *n, const struct log *l,
			 const struct container *c, struct names *to)
{
	int fd = names_open(n, l->folder, O_DIRECTORY);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	char end[CONTAINER_ID + 8];
	struct dirent *e;

	snprintf(end, sizeof(end), l->of_pod ? "_%s" : "-%s.log", l->of_pod ? c->pod : c->id);
	for (size_t i = 0; d && i < ENTRIES_MOST && (e = readdir(d)); i++) {
		size_t len = strlen(e->d_name), tail = strlen(end);

		if (len > tail && !strcmp(e->d_name + len - tail, end)) {
			names_split(l, e->d_name, len - tail, to);
			break;
		}
	}
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
}

/* ---- workloads ---------------------------------------------------------------------------- */

/* Kubernetes makes endings of these: they form no words. */
#define MADE "bcdfghjklmnpqrstvwxz2456789"
#define DIGITS "0123456789"

/* The length of s without "-" and `least` to `most` of those characters at its end. */
static size_t names_without(const char *s, size_t len, const char *of, size_t least, size_t most)
{
	size_t n = 0;

	while (n < len && strchr(of, s[len - n - 1]))
		n++;
	return n >= least && n <= most && len > n + 1 && s[len - n - 1] == '-' ? len - n - 1 : len;
}

/*
 * A Deployment's pod is NAME-HASH-XXXXX, a CronJob's NAME-MINUTES-XXXXX, a Job's or DaemonSet's NAME-XXXXX, and a
 * StatefulSet's NAME-0. That is all a pod's name shows: it is a guess.
 */
static void names_guess(struct names *to)
{
	const char *pod = to->name[CONTAINER_POD];
	size_t len = pod ? strlen(pod) : 0, cut = names_without(pod, len, MADE, 5, 5), more;

	if (cut == len) {
		cut = names_without(pod, len, DIGITS, 1, 4);
	} else {
		more = names_without(pod, cut, MADE, 8, 10);
		cut = more < cut ? more : names_without(pod, cut, DIGITS, 8, 10);
	}
	names_set(to, CONTAINER_WORKLOAD, pod, cut);
}

/* ---- all ----------------------------------------------------------------------------------- */

static bool names_lack(const struct names *to)
{
	return !to->name[CONTAINER_POD] || !to->name[CONTAINER_NAMESPACE] ||
	       !to->name[CONTAINER_NAME] || !to->name[CONTAINER_IMAGE];
}

static void names_find(const struct container_names *n, const struct container *c, struct names *to)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && names_lack(to); i++)
		names_at(n, &places[i], c->id, to);
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]) && *c->pod; i++)
		if (names_lack(to))
			names_logged(n, &logs[i], c, to);
	names_guess(to);
}

static bool names_any(const struct names *of)
{
	for (size_t i = 0; i < CONTAINER_NAMES; i++)
		if (of->name[i])
			return true;
	return false;
}

/* The container's place, which is empty if it is new; NULL: no memory, or too many. */
static struct names *names_slot(struct container_names *n, uint64_t key)
{
	uint32_t at = idmap_get(&n->by_id, key);
	struct names *new;

	if (at)
		return n->container[at - 1];
	if (n->n >= CONTAINERS_MOST ||
	    array_reserve(&n->container, &n->size, n->n + 1, sizeof(*n->container)))
		return NULL;
	new = calloc(1, sizeof(*new));
	if (!new || idmap_set(&n->by_id, key, (uint32_t)n->n + 1)) {
		free(new);
		return NULL;
	}
	return n->container[n->n++] = new;
}

const char *const *container_names_of(struct container_names *n, const char *path)
{
	struct container c;
	struct names *names;
	char key[17];

	if (!n || !container_of_path(path, &c) ||
	    strspn(c.id, "0123456789abcdef") != CONTAINER_DIGITS)
		return NULL;
	snprintf(key, sizeof(key), "%.16s", c.id);
	names = names_slot(n, strtoull(key, NULL, 16));
	if (names && !names_any(names))
		names_find(n, &c, names);
	return names ? (const char *const *)names->name : NULL;
}

int container_names_new(struct container_names **np, const char *root)
{
	struct container_names *n = calloc(1, sizeof(*n));
	int err;

	*np = n;
	if (!n)
		return -ENOMEM;
	n->root = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	err = n->root < 0 ? -errno : 0;
	if (err) {
		container_names_free(n);
		*np = NULL;
	}
	return err;
}

void container_names_free(struct container_names *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < n->n; i++) {
		for (size_t k = 0; k < CONTAINER_NAMES; k++)
			free(n->container[i]->name[k]);
		free(n->container[i]);
	}
	if (n->root >= 0)
		close(n->root);
	free(n->container);
	idmap_free(&n->by_id);
	free(n);
}
