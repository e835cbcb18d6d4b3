// SPDX-License-Identifier: BSD-2-Clause
/*
 * A refused system call is reported on stderr and fails with EPERM. The recording continues without the feature that
 * needed the call, and the message shows which call the filter lacks.
 */
#include "syscall_filter.h"

#include "msg.h"

#ifndef NETCOST_SECCOMP

void syscall_filter_load(unsigned int who)
{
	(void)who;
}

const char *syscall_filter_text(void)
{
	return "not restricted, because this program was built without libseccomp";
}

#else

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>

#include "privileges.h"

#define RECORDER PRIVILEGES_RECORDER
#define CERTIFY PRIVILEGES_CERTIFY
#define FILES PRIVILEGES_FILES
#define ADMIN PRIVILEGES_ADMIN
#define READER (RECORDER | ADMIN)
#define ALL (RECORDER | FILES | ADMIN)
/* The address sanitizer looks for leaks from a thread of its own. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZER ALL
#else
#define SANITIZER 0
#endif

/*
 * A system call that the processes `who` may make. If only.op is not 0, one argument must have a given value after
 * masking.
 */
struct filter_rule {
	int call;
	unsigned int who;
	struct scmp_arg_cmp only; /* op is 0: any */
};

#define CALL(name, who)                                                                            \
	{                                                                                          \
		SCMP_SYS(name), who,                                                               \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}
#define ONLY(name, who, arg, mask, value)                                                          \
	{                                                                                          \
		SCMP_SYS(name), who,                                                               \
		{                                                                                  \
			arg, SCMP_CMP_MASKED_EQ, mask, value                                       \
		}                                                                                  \
	}
#define BPF(command, who) ONLY(bpf, who, 0, UINT32_MAX, command)

static const struct filter_rule filter_rules[] = {
	CALL(brk, ALL), CALL(close, ALL), CALL(exit, ALL), CALL(exit_group, ALL), CALL(fstat, ALL),
	CALL(futex, ALL), CALL(geteuid, ALL), CALL(gettid, ALL), CALL(madvise, ALL),
	CALL(mmap, ALL), CALL(munmap, ALL), CALL(newfstatat, ALL), CALL(read, ALL),
	CALL(recvmsg, ALL), CALL(rt_sigprocmask, ALL), CALL(rt_sigreturn, ALL), CALL(sendmsg, ALL),
	CALL(tgkill, ALL), CALL(write, ALL), CALL(fchown, FILES), CALL(linkat, FILES),
	CALL(openat, FILES), CALL(renameat, FILES), CALL(renameat2, FILES), CALL(unlinkat, FILES),
	CALL(accept4, RECORDER), CALL(access, RECORDER), CALL(clock_gettime, READER),
	CALL(clock_nanosleep, RECORDER), CALL(dup2, RECORDER), CALL(dup3, RECORDER),
	CALL(stat, ALL), CALL(lstat, ALL), CALL(epoll_ctl, RECORDER), CALL(epoll_pwait, RECORDER),
	CALL(epoll_wait, RECORDER), CALL(faccessat, RECORDER), CALL(faccessat2, RECORDER),
	CALL(fcntl, RECORDER), CALL(fsconfig, ADMIN), CALL(fsmount, ADMIN), CALL(fsopen, ADMIN),
	CALL(ftruncate, RECORDER), CALL(getcwd, RECORDER), CALL(getdents64, RECORDER),
	CALL(getpid, RECORDER), CALL(getrandom, RECORDER), CALL(getrusage, RECORDER),
	CALL(getsockopt, RECORDER), CALL(ioctl, RECORDER), CALL(kill, RECORDER),
	CALL(lseek, RECORDER), CALL(membarrier, RECORDER), CALL(mprotect, RECORDER),
	CALL(mremap, RECORDER), CALL(perf_event_open, RECORDER), CALL(poll, RECORDER),
	CALL(ppoll, RECORDER), CALL(pread64, RECORDER), CALL(readlink, RECORDER),
	CALL(readlinkat, RECORDER), CALL(recvfrom, RECORDER), CALL(restart_syscall, RECORDER),
	CALL(rt_sigaction, RECORDER), CALL(sched_getaffinity, RECORDER),
	CALL(sched_setaffinity, RECORDER), CALL(sendto, RECORDER), CALL(setsockopt, RECORDER),
	CALL(socket, RECORDER), CALL(sysinfo, RECORDER), CALL(uname, RECORDER),
	CALL(wait4, RECORDER), CALL(capget, RECORDER),
	/* these processes may open files only for reading, and join only network namespaces */
	ONLY(openat, READER, 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY),
	ONLY(open_by_handle_at, RECORDER, 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY),
	ONLY(setns, ADMIN, 1, UINT32_MAX, CLONE_NEWNET), CALL(openat2, PRIVILEGES_HOST_ROOT),
	ONLY(socket, ADMIN, 0, UINT32_MAX, AF_UNIX),
	ONLY(getsockopt, ADMIN, 2, UINT32_MAX, SO_NETNS_COOKIE), CALL(bind, CERTIFY),
	CALL(connect, CERTIFY), CALL(getsockname, CERTIFY), CALL(getcpu, CERTIFY),
	CALL(io_uring_enter, CERTIFY), CALL(io_uring_setup, CERTIFY), CALL(listen, CERTIFY),
	CALL(memfd_create, RECORDER), CALL(nanosleep, CERTIFY), CALL(pipe2, CERTIFY),
	CALL(preadv2, CERTIFY), CALL(pwrite64, CERTIFY), CALL(pwritev2, CERTIFY),
	CALL(readv, RECORDER), CALL(recvmmsg, CERTIFY), CALL(sendfile, CERTIFY),
	CALL(sendmmsg, CERTIFY), CALL(shutdown, CERTIFY), CALL(socketpair, CERTIFY),
	CALL(splice, CERTIFY), CALL(writev, CERTIFY), CALL(clone, SANITIZER),
	CALL(clone3, SANITIZER), CALL(getdents, SANITIZER), CALL(getppid, SANITIZER),
	CALL(open, SANITIZER), CALL(prctl, SANITIZER), CALL(process_vm_readv, SANITIZER),
	CALL(ptrace, SANITIZER), CALL(sched_yield, SANITIZER), CALL(sigaltstack, SANITIZER),
	BPF(BPF_MAP_LOOKUP_ELEM, RECORDER), BPF(BPF_MAP_UPDATE_ELEM, RECORDER),
	BPF(BPF_MAP_DELETE_ELEM, RECORDER), BPF(BPF_MAP_GET_NEXT_KEY, RECORDER),
	BPF(BPF_MAP_LOOKUP_BATCH, RECORDER), BPF(BPF_OBJ_GET_INFO_BY_FD, READER),
	BPF(BPF_ENABLE_STATS, ADMIN), BPF(BPF_PROG_GET_NEXT_ID, ADMIN),
	BPF(BPF_PROG_GET_FD_BY_ID, ADMIN), BPF(BPF_LINK_GET_NEXT_ID, ADMIN),
	BPF(BPF_LINK_GET_FD_BY_ID, ADMIN), BPF(BPF_PROG_QUERY, RECORDER),
	BPF(BPF_PROG_TEST_RUN, RECORDER), BPF(BPF_RAW_TRACEPOINT_OPEN, RECORDER),
	BPF(BPF_LINK_CREATE, RECORDER), BPF(BPF_ITER_CREATE, RECORDER)
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void set_result(ucontext_t *context, long result)
{
#if defined(__x86_64__)
	context->uc_mcontext.gregs[REG_RAX] = result;
#elif defined(__aarch64__)
	context->uc_mcontext.regs[0] = (unsigned long)result;
#else
	(void)context;
	(void)result;
	_exit(1);
#endif
}

/* Reports each system call once. */
static void refused(int signo, siginfo_t *info, void *context)
{
	static bool reported[1024];
	unsigned int call = (unsigned int)info->si_syscall;
	int error = errno;
	char text[96];

	(void)signo;
	if (call < COUNT(reported) && !reported[call]) {
		int n = snprintf(text, sizeof(text),
				 "netcost-record: system call %u is not allowed after the start\n",
				 call);

		reported[call] = write(STDERR_FILENO, text, (size_t)n) == n;
	}
	set_result(context, -EPERM);
	errno = error;
}

static int add_rules(scmp_filter_ctx filter, unsigned int who)
{
	int err = 0;

	for (size_t i = 0; i < COUNT(filter_rules) && !err; i++) {
		const struct filter_rule *r = &filter_rules[i];

		if (r->who & who)
			err = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, r->call,
						     r->only.op ? 1 : 0, &r->only);
	}
	return err;
}

void syscall_filter_load(unsigned int who)
{
	const struct sigaction action = { .sa_sigaction = refused, .sa_flags = SA_SIGINFO };
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
	int err = filter ? 0 : -ENOMEM;

	if (!err)
		err = add_rules(filter, who);
	/*
	 * without this attribute, older kernels mitigate speculative store bypass in this process, which makes it
	 * slower
	 */
	if (!err)
		seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
	if (!err && sigaction(SIGSYS, &action, NULL))
		err = -errno;
	if (!err)
		err = seccomp_load(filter);
	if (err)
		msg("cannot restrict system calls: %s", strerror(-err));
	seccomp_release(filter);
}

const char *syscall_filter_text(void)
{
	return "only those that these processes need (seccomp)";
}

#endif
