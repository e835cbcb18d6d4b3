// SPDX-License-Identifier: BSD-2-Clause
#include "quiet.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LONG_ENOUGH_US 20000

void quiet_wait(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		usleep(LONG_ENOUGH_US);
}
