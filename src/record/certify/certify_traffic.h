/* SPDX-License-Identifier: BSD-2-Clause */
/* certify_traffic.h: packets over the loopback of a network namespace of their own. */
#ifndef NETCOST_CERTIFY_TRAFFIC_H
#define NETCOST_CERTIFY_TRAFFIC_H

#include <stdint.h>

#define CERTIFY_SIZE 64 /* payload bytes of a packet */

struct certify_traffic {
	int tx, rx;
	uint64_t sent, received;
};

/* Moves the calling thread into a new network namespace, and sets up its loopback; -errno. */
int certify_enter(void);

int certify_traffic_open(struct certify_traffic *t);
void certify_traffic_close(struct certify_traffic *t);
/* Sends and receives that number of packets. Waits a while for a packet that does not arrive. -errno. */
int certify_traffic_send(struct certify_traffic *t, unsigned int packets);

#endif
