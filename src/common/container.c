// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/container.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define UID_LENGTH 36 /* length of a UUID in text form: 8-4-4-4-12 digits and four '-' */

/* A component of a path, between two slashes. */
struct span {
	const char *s;
	size_t len;
};

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static bool begins(struct span p, const char *with)
{
	size_t len = strlen(with);

	return p.len >= len && !memcmp(p.s, with, len);
}

static bool is(struct span p, const char *name)
{
	return p.len == strlen(name) && begins(p, name);
}

static bool ends(struct span p, const char *with)
{
	size_t len = strlen(with);

	return p.len >= len && !memcmp(p.s + p.len - len, with, len);
}

static struct span without(struct span p, const char *beginning, const char *end)
{
	size_t before = begins(p, beginning) ? strlen(beginning) : 0;

	p.len -= before + (ends(p, end) ? strlen(end) : 0);
	p.s += before;
	return p;
}

static void keep(char dst[CONTAINER_ID], struct span p)
{
	snprintf(dst, CONTAINER_ID, "%.*s", (int)(p.len < CONTAINER_ID ? p.len : CONTAINER_ID - 1),
		 p.s);
}

/* ---- containers that are found by an id of 64 digits ------------------------------------- */

/*
 * Returns the length of the text in front of the id, or -1 if there is no id. The forms are "ID", "docker-ID.scope" and
 * "cri-containerd-ID.scope". Without its systemd driver, containerd uses "kubepods-…-podUID.slice:cri-containerd:ID".
 */
static int before_id(struct span p)
{
	size_t at;

	if (p.len < CONTAINER_DIGITS)
		return -1;
	at = p.len - CONTAINER_DIGITS;
	for (size_t i = at; i < p.len; i++)
		if (!is_hex(p.s[i]))
			return -1;
	return !at || p.s[at - 1] == '-' || p.s[at - 1] == ':' ? (int)at : -1;
}

static const char *runtime_of(struct span before, struct span parent)
{
	static const struct {
		const char *prefix, *runtime;
	} known[] = {
		{ "cri-containerd-", "containerd" },
		{ "cri-containerd:", "containerd" },
		{ "nerdctl-", "containerd" },
		{ "docker-", "docker" },
		{ "crio-", "cri-o" },
		{ "libpod-", "podman" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (ends(before, known[i].prefix))
			return known[i].runtime;
	return is(parent, "docker") ? "docker" : is(parent, "libpod_parent") ? "podman" : "";
}

/* Returns true if the cgroup belongs to a process that watches a container from outside. */
static bool is_monitor(struct span p)
{
	return begins(p, "crio-conmon-") || begins(p, "libpod-conmon-");
}

static bool by_id(struct span p, struct span parent, struct container *c)
{
	struct span plain = without(p, "", ".scope");
	int before = before_id(plain);

	if (before < 0 || is_monitor(p))
		return false;
	c->runtime = runtime_of((struct span){ plain.s, (size_t)before }, parent);
	keep(c->id, (struct span){ plain.s + before, CONTAINER_DIGITS });
	return true;
}

/* ---- containers that are found by name --------------------------------------------------- */

static bool by_name(struct span p, struct span parent, struct container *c)
{
	static const struct {
		const char *parent, *beginning, *end, *runtime;
	} known[] = {
		{ NULL, "lxc.payload.", "", "lxc" },
		{ "lxc", "", "", "lxc" },
		{ NULL, "systemd-nspawn@", ".service", "nspawn" },
		/* may be a virtual machine or a container */
		{ NULL, "machine-", ".scope", "machined" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct span name = without(p, known[i].beginning, known[i].end);

		if ((known[i].parent && !is(parent, known[i].parent)) ||
		    !begins(p, known[i].beginning) || !ends(p, known[i].end))
			continue;
		if (name.len) {
			c->runtime = known[i].runtime;
			keep(c->id, name);
		}
		return name.len;
	}
	return false;
}

/* ---- pods -------------------------------------------------------------------------------- */

/*
 * Returns the length of a pod's uid: digits in the form 8-4-4-4-12, with '_' in place of '-' in names of systemd. The
 * uid of a pod that is defined by a file has 32 digits.
 */
static size_t uid_length(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && (is_hex(s[n]) || ((s[n] == '-' || s[n] == '_') && n >= 8 && n < 24)))
		n++;
	return n == UID_LENGTH || n == CONTAINER_DIGITS / 2 ? n : 0;
}

/*
 * Finds the pod in a component of a path: "podUID", or "kubepods-burstable-podUID.slice", after which
 * ":cri-containerd:ID" may follow.
 */
static bool pod_of(struct span p, char pod[CONTAINER_ID])
{
	for (size_t i = 0; i + 3 < p.len; i++) {
		size_t n;

		if (memcmp(p.s + i, "pod", 3) || (i && p.s[i - 1] != '-'))
			continue;
		n = uid_length(p.s + i + 3, p.len - i - 3);
		if (!n)
			continue;
		keep(pod, (struct span){ p.s + i + 3, n });
		for (char *c = pod; *c; c++)
			if (*c == '_')
				*c = '-';
		return true;
	}
	return false;
}

bool container_of_path(const char *path, struct container *c)
{
	struct span parent = { "", 0 };

	*c = (struct container){ .runtime = "" };
	while (*path) {
		struct span p = { path, strcspn(path, "/") };

		pod_of(p, c->pod);
		if (!by_id(p, parent, c))
			by_name(p, parent, c);
		if (p.len)
			parent = p;
		path += p.len;
		path += strspn(path, "/");
	}
	if (!*c->id)
		*c->pod = '\0'; /* the pod's own cgroup is in no container */
	return *c->id;
}
