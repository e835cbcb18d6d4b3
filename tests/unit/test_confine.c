// SPDX-License-Identifier: BSD-2-Clause
/* Tests confine.c: a process that follows a trace cannot make the system calls that are refused. */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/base/confine.h"
#include "record_util.h"

#define MAY(call) !((call) == -1 && errno == EPERM)

static int wrong(unsigned int keep, const char *file)
{
	confine(keep);
	return (open(file, O_RDONLY) < 0) + MAY(socket(AF_UNIX, SOCK_STREAM, 0)) + MAY(setuid(0)) +
	       MAY(execl("/bin/true", "", NULL)) + MAY(rename(file, "y")) +
	       (MAY(open(file, O_WRONLY)) != !!(keep & CONFINE_WRITES)) +
	       (MAY(unlink(file)) != !!(keep & CONFINE_REMOVES));
}

static void test_refused(void)
{
	for (unsigned int keep = 0; !under_valgrind() && keep < 4; keep++) {
		struct tmp t;
		int status = -1;

		tmp_make(&t);
		tmp_file(&t, "trace", "");
		if (!fork())
			_exit(chdir(t.dir) || wrong(keep, "trace"));
		CU_ASSERT(wait(&status) > 0 && !status);
		tmp_remove(&t);
	}
}

static const struct unit_test tests[] = { { "refused", test_refused } };

int main(void)
{
	return unit_main("confine", tests, 1);
}
