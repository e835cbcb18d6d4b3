// SPDX-License-Identifier: BSD-2-Clause
#include "netlink.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define BUFFER 32768 /* the kernel writes at most this many bytes at a time */
#define REQUEST 64

static int send_request(int fd, uint16_t type, const void *payload, size_t n)
{
	struct {
		struct nlmsghdr head;
		char payload[REQUEST];
	} request = { .head = { .nlmsg_len = (uint32_t)NLMSG_LENGTH(n),
				.nlmsg_type = type,
				.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP } };

	if (n > sizeof(request.payload))
		return -EINVAL;
	memcpy(request.payload, payload, n);
	return send(fd, &request, request.head.nlmsg_len, 0) < 0 ? -errno : 0;
}

/* Takes one message of an answer. Returns 1 if more messages follow, 0 at the end, or -errno. */
static int take(const struct nlmsghdr *m, netlink_fn *fn, void *ctx)
{
	int err = 0;

	if (m->nlmsg_type == NLMSG_ERROR || m->nlmsg_type == NLMSG_DONE) {
		/* the payload begins with an error number, but old kernels send NLMSG_DONE without payload */
		if (m->nlmsg_len >= NLMSG_LENGTH(sizeof(err)))
			memcpy(&err, NLMSG_DATA(m), sizeof(err));
		return err < 0 ? err : 0;
	}
	return fn(ctx, m) ? 1 : 0;
}

static int receive(int fd, netlink_fn *fn, void *ctx)
{
	static const size_t head = sizeof(struct nlmsghdr);
	_Alignas(struct nlmsghdr) char buffer[BUFFER];
	int more = 1;

	while (more > 0) {
		ssize_t got = recv(fd, buffer, sizeof(buffer), 0);
		size_t n = got > 0 ? (size_t)got : 0;

		if (got < 0 && errno == EINTR)
			continue;
		if (n < head)
			return got < 0 ? -errno : -EPROTO;
		for (size_t at = 0; more > 0 && n - at >= head;) {
			const struct nlmsghdr *m = (const struct nlmsghdr *)(buffer + at);

			if (m->nlmsg_len < head || m->nlmsg_len > n - at)
				return -EPROTO;
			more = take(m, fn, ctx);
			at += NLMSG_ALIGN(m->nlmsg_len);
			if (at > n)
				break;
		}
	}
	return more;
}

int netlink_list(int protocol, uint16_t type, const void *payload, size_t n, netlink_fn *fn,
		 void *ctx)
{
	const struct timeval patience = { .tv_sec = 1 };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol), err;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	err = send_request(fd, type, payload, n);
	if (!err)
		err = receive(fd, fn, ctx);
	close(fd);
	return err;
}

/* ---- attributes -------------------------------------------------------------------------- */

static const struct rtattr *find(const void *first, size_t n, unsigned int type)
{
	const char *p = first;

	while (n >= sizeof(struct rtattr)) {
		const struct rtattr *a = (const struct rtattr *)p;
		size_t step = RTA_ALIGN(a->rta_len);

		if (a->rta_len < sizeof(*a) || a->rta_len > n)
			return NULL;
		if ((a->rta_type & NLA_TYPE_MASK) == type)
			return a;
		if (step > n)
			return NULL;
		p += step;
		n -= step;
	}
	return NULL;
}

const struct rtattr *netlink_attr(const struct nlmsghdr *m, size_t head, unsigned int type)
{
	size_t skip = NLMSG_SPACE(head);

	if (m->nlmsg_len < skip)
		return NULL;
	return find((const char *)m + skip, m->nlmsg_len - skip, type);
}

const struct rtattr *netlink_inside(const struct rtattr *attr, unsigned int type)
{
	return attr ? find(RTA_DATA(attr), RTA_PAYLOAD(attr), type) : NULL;
}

uint32_t netlink_uint(const struct rtattr *attr)
{
	uint32_t v = 0;

	if (attr && RTA_PAYLOAD(attr) == 1)
		return *(const uint8_t *)RTA_DATA(attr);
	if (attr && RTA_PAYLOAD(attr) >= sizeof(v))
		memcpy(&v, RTA_DATA(attr), sizeof(v));
	return v;
}

const char *netlink_text(const struct rtattr *attr)
{
	return attr && memchr(RTA_DATA(attr), '\0', RTA_PAYLOAD(attr)) ? RTA_DATA(attr) : "";
}
