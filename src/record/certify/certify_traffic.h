/* SPDX-License-Identifier: BSD-2-Clause */
/* certify_traffic.h: sends packets over the loopback of a separate network namespace. */
#ifndef NETCOST_CERTIFY_TRAFFIC_H
#define NETCOST_CERTIFY_TRAFFIC_H

#include <stdint.h>

#define CERTIFY_SIZE 64 /* payload of a packet, bytes */

struct certify_traffic {
	int tx, rx;
	uint64_t sent, received;
};

/* Moves the calling thread into a new network namespace, and sets up its loopback. Returns 0 or -errno. */
int certify_enter(void);

int certify_traffic_open(struct certify_traffic *t);
void certify_traffic_close(struct certify_traffic *t);
/* Sends and receives this number of packets. If a packet does not arrive, waits for a while. Returns 0 or -errno. */
int certify_traffic_send(struct certify_traffic *t, unsigned int packets);

#endif
