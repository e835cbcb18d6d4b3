// SPDX-License-Identifier: BSD-2-Clause
/* Tests privileges.c: processes of the recorder cannot make the system calls that they do not need. */
#include "record_util.h"

#include <errno.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "record/base/privileges.h"

#define MAY(call, error) !((call) == -1 && errno == (error))

static int wrong(unsigned int who, const char *file)
{
	privileges_keep(who, open(".", O_PATH));
	if (who == PRIVILEGES_FILES)
		return (open(file, O_WRONLY) < 0) + MAY(open("/dev/null", O_WRONLY), EACCES) +
		       MAY(socket(AF_UNIX, SOCK_STREAM, 0), EPERM);
	return (open(file, O_RDONLY) < 0) + MAY(open(file, O_WRONLY), EPERM) +
	       MAY(unlink(file), EPERM) + MAY(mount("", "x", "tmpfs", 0, NULL), EPERM) +
	       MAY(setuid(0), EPERM) + MAY(ptrace(PTRACE_ATTACH, 1, 0, 0), EPERM) +
	       MAY(execl("/bin/true", "", NULL), EPERM) +
	       MAY((int)syscall(SYS_bpf, 5 /* BPF_PROG_LOAD */, NULL, 0), EPERM) +
	       (who == PRIVILEGES_ADMIN ?
			MAY(socket(AF_INET, SOCK_STREAM, 0), EPERM) :
			MAY((int)syscall(SYS_bpf, 11 /* BPF_PROG_GET_NEXT_ID */, NULL, 0), EPERM));
}

static void check(unsigned int who)
{
	struct tmp t;
	int status = -1;

	tmp_make(&t);
	tmp_file(&t, "trace", "");
	if (!fork())
		_exit(chdir(t.dir) || wrong(who, "trace"));
	CU_ASSERT(wait(&status) > 0 && !status);
	tmp_remove(&t);
}

static void test_forbidden(void)
{
	if (!under_valgrind())
		check(PRIVILEGES_RECORDER), check(PRIVILEGES_FILES), check(PRIVILEGES_ADMIN);
}

static const struct unit_test tests[] = { { "forbidden", test_forbidden } };

int main(void)
{
	return unit_main("record_privileges", tests, 1);
}
