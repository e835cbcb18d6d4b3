// SPDX-License-Identifier: BSD-2-Clause
#include "container_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <jansson.h>

#include <netcost/container.h>

/* Limits, so that a hostile file or folder cannot cost much. */
#define FILE_MOST (1u << 20)
#define ENTRIES_MOST 20000
#define NAME_MOST 512
#define CONTAINERS_MOST 65536

struct names {
	struct names *next;
	char id[CONTAINER_DIGITS + 1];
	const char *name[CONTAINER_NAMES]; /* "" or an allocated string */
	bool any;
};

static const struct names no_names = { .name = { "", "", "", "", "" } };

struct container_names {
	int root;
	bool is_host; /* `root` is the root of this process */
	struct names *first;
	unsigned int n;
};

/* ---- files with names --------------------------------------------------------------------- */

/* Files that hold names, relative to the root. The container's id is between `before` and `after`. */
static const struct place {
	/* if `after` is empty, the file is a list of containers with their ids */
	const char *before, *after;
} places[] = {
	{ "run/containerd/io.containerd.runtime.v2.task/k8s.io/", "/config.json" },
	{ "run/k3s/containerd/io.containerd.runtime.v2.task/k8s.io/", "/config.json" },
	{ "run/containerd/io.containerd.runtime.v2.task/default/", "/config.json" }, /* nerdctl */
	{ "run/containers/storage/overlay-containers/", "/userdata/config.json" },   /* CRI-O */
	{ "var/lib/docker/containers/", "/config.v2.json" },
	{ "var/lib/containers/storage/overlay-containers/", "/userdata/config.json" },
	/* Podman; the second file lists the containers of `podman run --rm` */
	{ "var/lib/containers/storage/overlay-containers/containers.json", "" },
	{ "var/lib/containers/storage/overlay-containers/volatile-containers.json", "" },
};

/* Keys of strings in these files. If a name has several keys, the first key that is present is used. */
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
	{ CONTAINER_NAME, "Name" },  /* Docker; the value begins with a slash */
	{ CONTAINER_NAME, "names" }, /* Podman; an array */
	{ CONTAINER_IMAGE, "io.kubernetes.cri.image-name" },
	{ CONTAINER_IMAGE, "io.kubernetes.cri-o.ImageName" },
	{ CONTAINER_IMAGE, "Image" },	   /* Docker */
	{ CONTAINER_IMAGE, "image-name" }, /* Podman */
	{ CONTAINER_WORKLOAD, "com.docker.swarm.service.name" },
	{ CONTAINER_WORKLOAD, "com.docker.compose.service" },
};

/* ---- reading files ----------------------------------------------------------------------- */

/* Opens a file or folder. Never follows a link out of the root, and never waits for the other end of a pipe. */
static int names_open(const struct container_names *n, const char *path, uint64_t flags)
{
	struct open_how how = { .flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };

	/* the system call filter cannot check the flags of openat2(2), so it allows openat2(2) only with --host-root */
	if (n->is_host)
		return openat(n->root, path, (int)how.flags);
	return (int)syscall(SYS_openat2, n->root, path, &how, sizeof(how));
}

/* Reads a file. Returns NULL if it does not exist, is too large, or is not JSON. */
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
	char *name = *to->name[which] || !len ? NULL :
						strndup(s, len < NAME_MOST ? len : NAME_MOST);

	if (!name)
		return;
	to->name[which] = name;
	to->any = true;
}

static void names_set_json(struct names *to, enum container_name which, const json_t *value)
{
	const char *s = json_string_value(json_is_array(value) ? json_array_get(value, 0) : value);

	if (s)
		names_set(to, which, s + (*s == '/'), strlen(s + (*s == '/')));
}

/* Sets the names from one container's JSON object. */
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

static void names_at(const struct container_names *n, const struct place *p, const char *id,
		     struct names *to)
{
	char path[PATH_MAX];
	json_t *json, *one;
	size_t i;

	snprintf(path, sizeof(path), "%s%s%s", p->before, *p->after ? id : "", p->after);
	json = names_read(n, path);
	if (*p->after)
		names_from(to, json);
	json_array_foreach(json, i, one)
	{
		const char *is = json_string_value(json_object_get(one, "id"));

		if (is && !strcmp(is, id))
			names_from(to, one);
	}
	json_decref(json);
}

/* ---- folders of kubelet's logs ------------------------------------------------------------ */

/* Finds the folder's entry whose name ends with `end`, and sets the names that '_' separates in the entry's name. */
static void names_logged(const struct container_names *n, const char *folder, const char *end,
			 struct names *to, const enum container_name which[3])
{
	int fd = names_open(n, folder, O_DIRECTORY);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	char part[3][NAME_MAX + 1] = { "" };
	struct dirent *e;

	for (size_t i = 0; d && i < ENTRIES_MOST && (e = readdir(d)); i++) {
		size_t len = strlen(e->d_name), tail = strlen(end);

		if (len <= tail || strcmp(e->d_name + len - tail, end))
			continue;
		e->d_name[len - tail] = '\0';
		sscanf(e->d_name, "%255[^_]_%255[^_]_%255[^_]", part[0], part[1], part[2]);
		break;
	}
	for (size_t i = 0; i < 3; i++)
		names_set(to, which[i], part[i], strlen(part[i]));
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
}

/*
 * Sets names from kubelet's folders: /var/log/pods has NAMESPACE_POD_UID, which exists before the container does, and
 * /var/log/containers has POD_NAMESPACE_CONTAINER-ID.log.
 */
static void names_of_logs(const struct container_names *n, const struct container *c,
			  struct names *to)
{
	static const enum container_name of_pod[] = { CONTAINER_NAMESPACE, CONTAINER_POD,
						      CONTAINER_NAME };
	static const enum container_name of_container[] = { CONTAINER_POD, CONTAINER_NAMESPACE,
							    CONTAINER_NAME };
	char end[CONTAINER_ID + 8];

	snprintf(end, sizeof(end), "-%s.log", c->id);
	names_logged(n, "var/log/containers", end, to, of_container);
	snprintf(end, sizeof(end), "_%s", c->pod);
	names_logged(n, "var/log/pods", end, to, of_pod);
}

/* ---- workloads ---------------------------------------------------------------------------- */

/*
 * The characters of random suffixes that Kubernetes generates. Kubernetes omits vowels, so that suffixes form no words.
 */
#define MADE "bcdfghjklmnpqrstvwxz2456789"
#define DIGITS "0123456789"

/*
 * Returns the length of s without its ending: "-" and then `least` to `most` characters of the set `of`. Returns len if
 * s has no such ending.
 */
static size_t names_without(const char *s, size_t len, const char *of, size_t least, size_t most)
{
	size_t n = 0;

	while (n < len && strchr(of, s[len - n - 1]))
		n++;
	return n >= least && n <= most && len > n + 1 && s[len - n - 1] == '-' ? len - n - 1 : len;
}

/*
 * Guesses the workload from the pod's name. A Deployment's pod is NAME-HASH-XXXXX, a CronJob's pod NAME-MINUTES-XXXXX,
 * a Job's or DaemonSet's pod NAME-XXXXX, and a StatefulSet's pod NAME-0. This is a guess, because the name does not
 * show which of these kinds the workload is.
 */
static void names_guess(struct names *to)
{
	const char *pod = to->name[CONTAINER_POD];
	size_t len = strlen(pod), cut = names_without(pod, len, MADE, 5, 5);

	if (cut == len)
		cut = names_without(pod, len, DIGITS, 1, 4);
	else
		cut = names_without(pod, names_without(pod, cut, MADE, 8, 10), DIGITS, 8, 10);
	names_set(to, CONTAINER_WORKLOAD, pod, cut);
}

/* ---- finding all names --------------------------------------------------------------------- */

static void names_find(const struct container_names *n, const struct container *c, struct names *to)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !to->any; i++)
		names_at(n, &places[i], c->id, to);
	if (*c->pod && !*to->name[CONTAINER_POD])
		names_of_logs(n, c, to);
	names_guess(to);
}

/* Adds a container. Returns NULL if out of memory, or if there are too many containers. */
static struct names *names_add(struct container_names *n, const char *id)
{
	struct names *new = n->n < CONTAINERS_MOST ? malloc(sizeof(*new)) : NULL;

	if (!new)
		return NULL;
	*new = no_names;
	snprintf(new->id, sizeof(new->id), "%.64s", id);
	new->next = n->first;
	n->first = new;
	n->n++;
	return new;
}

const char *const *container_names_of(struct container_names *n, const char *path)
{
	struct names *names;
	struct container c;

	if (!n || !container_of_path(path, &c) ||
	    strspn(c.id, "0123456789abcdef") != CONTAINER_DIGITS)
		return no_names.name;
	for (names = n->first; names && strcmp(names->id, c.id);)
		names = names->next;
	if (!names)
		names = names_add(n, c.id);
	if (names && !names->any)
		names_find(n, &c, names);
	return names ? names->name : no_names.name;
}

int container_names_new(struct container_names **np, const char *root)
{
	int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

	*np = NULL;
	if (fd < 0)
		return -errno;
	*np = calloc(1, sizeof(**np));
	if (!*np) {
		close(fd);
		return -ENOMEM;
	}
	(*np)->root = fd;
	(*np)->is_host = !strcmp(root, "/");
	return 0;
}

void container_names_free(struct container_names *n)
{
	if (!n)
		return;
	for (struct names *names = n->first, *next; names; names = next) {
		next = names->next;
		for (size_t k = 0; k < CONTAINER_NAMES; k++)
			if (*names->name[k])
				free((char *)names->name[k]);
		free(names);
	}
	close(n->root);
	free(n);
}
