// SPDX-License-Identifier: BSD-2-Clause
#include "certify_traffic.h"

#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define LATE_MS 50

static int udp_socket(void)
{
	return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

int certify_enter(void)
{
	struct ifreq lo = { .ifr_name = "lo" };
	int fd, err;

	if (unshare(CLONE_NEWNET))
		return -errno;
	fd = udp_socket();
	if (fd < 0)
		return -errno;
	err = ioctl(fd, SIOCGIFFLAGS, &lo);
	lo.ifr_flags |= IFF_UP;
	if (!err)
		err = ioctl(fd, SIOCSIFFLAGS, &lo);
	err = err ? -errno : 0;
	close(fd);
	return err;
}

int certify_traffic_open(struct certify_traffic *t)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(to);

	*t = (struct certify_traffic){ .rx = udp_socket(), .tx = udp_socket() };
	if (t->rx >= 0 && t->tx >= 0 && !bind(t->rx, (struct sockaddr *)&to, len) &&
	    !getsockname(t->rx, (struct sockaddr *)&to, &len) &&
	    !connect(t->tx, (struct sockaddr *)&to, len))
		return 0;
	return -errno;
}

void certify_traffic_close(struct certify_traffic *t)
{
	if (t->tx >= 0)
		close(t->tx);
	if (t->rx >= 0)
		close(t->rx);
}

/* Receives a packet. Waits for it first, because a receive that fails would be counted, too. */
static int receive(struct certify_traffic *t)
{
	struct pollfd ready = { .fd = t->rx, .events = POLLIN };
	char data[CERTIFY_SIZE];

	if (poll(&ready, 1, LATE_MS) != 1)
		return -ETIMEDOUT;
	if (recv(t->rx, data, sizeof(data), MSG_DONTWAIT) != CERTIFY_SIZE)
		return -EIO;
	t->received++;
	return 0;
}

int certify_traffic_send(struct certify_traffic *t, unsigned int packets)
{
	static const char data[CERTIFY_SIZE];
	int err = 0;

	for (unsigned int i = 0; i < packets; i++) {
		if (send(t->tx, data, sizeof(data), 0) != CERTIFY_SIZE)
			return -errno;
		t->sent++;
	}
	for (unsigned int i = 0; i < packets && !err; i++)
		err = receive(t);
	return err;
}
