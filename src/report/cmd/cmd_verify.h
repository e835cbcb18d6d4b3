/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_verify.h: what verify says of a trace, for the commands that say it, too. */
#ifndef NETCOST_REPORT_CMD_VERIFY_H
#define NETCOST_REPORT_CMD_VERIFY_H

#include "command.h"
#include "report/base/doc.h"
#include "report/input/input.h"

/* All parts of it. quiet: nothing if all is right. EXIT_DONE, EXIT_CUT, EXIT_FAILED. */
enum exit_status verify_input(struct doc *d, struct input *in, bool quiet);

#endif
