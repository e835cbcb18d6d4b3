/* SPDX-License-Identifier: BSD-2-Clause */
/* certify_traffic.h: packets over the loopback of a network namespace of their own. */
#ifndef NETCOST_CERTIFY_TRAFFIC_H
#define NETCOST_CERTIFY_TRAFFIC_H

#include <stdint.h>

#define CERTIFY_SIZE 64 /* bytes of a packet's data */

struct certify_traffic {
	int tx, rx;
	uint64_t sent, received;
};

/* The calling thread goes into a network namespace of its own, and its loopback is set up; -errno. */
int certify_enter(void);

int certify_traffic_open(struct certify_traffic *t);
void certify_traffic_close(struct certify_traffic *t);
/* Sends so many and receives them. A packet that does not come is waited for, for a while. -errno. */
int certify_traffic_send(struct certify_traffic *t, unsigned int packets);

#endif
