/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interfaces.h: which interfaces count for packets and bytes. A packet passes several interfaces of a host with
 * containers (network card, bridge, veth pair), so the sum over all interfaces counts it several times.
 */
#ifndef NETCOST_REPORT_INTERFACES_H
#define NETCOST_REPORT_INTERFACES_H

#include "report/model/model.h"

/* Sets of interfaces. Each set contains the previous one. */
#define INTERFACES_BASES_LIST(X)                                                                   \
	X(PHYSICAL, "physical", "physical interfaces")                                             \
	X(OWN, "own_namespace",                                                                    \
	  "interfaces of the recorder's namespace, counted at each one that a packet passes")      \
	X(ALL, "all", "all interfaces, counted at each one that a packet passes")

enum interfaces_basis {
#define X(NAME, key, text) INTERFACES_##NAME,
	INTERFACES_BASES_LIST(X)
#undef X
		INTERFACES_BASES
};

extern const char *const interfaces_basis_keys[INTERFACES_BASES + 1];
extern const char *const interfaces_basis_text[INTERFACES_BASES];

bool interfaces_counts(const struct model *m, const struct model_netdev *d,
		       enum interfaces_basis basis);
/*
 * Returns the first set that carried at least a tenth of the packets of all interfaces so far. Otherwise a load on the
 * loopback interface, or between namespaces, would be divided by the few packets of an idle network card. Returns
 * INTERFACES_ALL for a trace without classes.
 */
enum interfaces_basis interfaces_basis(const struct model *m);

#endif
