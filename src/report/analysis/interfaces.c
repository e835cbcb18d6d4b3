// SPDX-License-Identifier: BSD-2-Clause
#include "interfaces.h"

#include <string.h>

const char *const interfaces_basis_keys[INTERFACES_BASES + 1] = {
#define X(NAME, key, text) key,
	INTERFACES_BASES_LIST(X)
#undef X
		NULL
};

const char *const interfaces_basis_text[INTERFACES_BASES] = {
#define X(NAME, key, text) text,
	INTERFACES_BASES_LIST(X)
#undef X
};

bool interfaces_counts(const struct model *m, const struct model_netdev *d,
		       enum interfaces_basis basis)
{
	return basis == INTERFACES_ALL ||
	       (d->netns == 1 &&
		(basis == INTERFACES_OWN || !strcmp(model_string(m, d->class), "physical")));
}

#define LEAST 0.1 /* share of the packets of all interfaces */

enum interfaces_basis interfaces_basis(const struct model *m)
{
	double packets[INTERFACES_BASES] = { 0 };
	enum interfaces_basis basis = INTERFACES_PHYSICAL;
	bool classes = false;

	for (size_t i = 0; i < m->nnetdevs; i++) {
		const struct model_netdev *d = &m->netdev[i];

		classes |= *model_string(m, d->class) != '\0';
		for (enum interfaces_basis b = 0; b < INTERFACES_BASES; b++)
			if (interfaces_counts(m, d, b))
				packets[b] += (double)d->counter[NETDEV_RX_PACKETS].sum +
					      (double)d->counter[NETDEV_TX_PACKETS].sum;
	}
	while (basis < INTERFACES_ALL &&
	       (!classes || !packets[basis] || packets[basis] < LEAST * packets[INTERFACES_ALL]))
		basis++;
	return basis;
}
