/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef NETCOST_VERSION_H
#define NETCOST_VERSION_H

#define NETCOST_VERSION "1.0.0"

#endif
