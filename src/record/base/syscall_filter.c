// SPDX-License-Identifier: BSD-2-Clause
/*
 * A refused call is reported on stderr and fails with EPERM. The recording continues without what it was for: that is
 * better than its end, and a filter that lacks a call does not pass unnoticed.
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
	return "not limited, because this program was built without libseccomp";
}

#else

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "privileges.h"

#define RECORDER PRIVILEGES_RECORDER
#define CERTIFY PRIVILEGES_CERTIFY
#define FILES PRIVILEGES_FILES
#define BOTH (RECORDER | FILES)
/* The address sanitizer looks for leaks from a thread of its own. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZER BOTH
#else
#define SANITIZER 0
#endif

static const struct {
	int call;
	unsigned int who;
} filter_calls[] = {
	{ SCMP_SYS(brk), BOTH },
	{ SCMP_SYS(close), BOTH },
	{ SCMP_SYS(exit), BOTH },
	{ SCMP_SYS(exit_group), BOTH },
	{ SCMP_SYS(fstat), BOTH },
	{ SCMP_SYS(futex), BOTH },
	{ SCMP_SYS(geteuid), BOTH },
	{ SCMP_SYS(gettid), BOTH },
	{ SCMP_SYS(madvise), BOTH },
	{ SCMP_SYS(mmap), BOTH },
	{ SCMP_SYS(munmap), BOTH },
	{ SCMP_SYS(newfstatat), BOTH },
	{ SCMP_SYS(read), BOTH },
	{ SCMP_SYS(recvmsg), BOTH },
	{ SCMP_SYS(rt_sigprocmask), BOTH },
	{ SCMP_SYS(rt_sigreturn), BOTH },
	{ SCMP_SYS(sendmsg), BOTH },
	{ SCMP_SYS(tgkill), BOTH },
	{ SCMP_SYS(write), BOTH },
	{ SCMP_SYS(fchown), FILES },
	{ SCMP_SYS(linkat), FILES },
	{ SCMP_SYS(openat), FILES },
	{ SCMP_SYS(renameat), FILES },
	{ SCMP_SYS(renameat2), FILES },
	{ SCMP_SYS(unlinkat), FILES },
	{ SCMP_SYS(accept4), RECORDER },
	{ SCMP_SYS(access), RECORDER },
	{ SCMP_SYS(clock_gettime), RECORDER },
	{ SCMP_SYS(clock_nanosleep), RECORDER },
	{ SCMP_SYS(dup2), RECORDER },
	{ SCMP_SYS(epoll_ctl), RECORDER },
	{ SCMP_SYS(epoll_pwait), RECORDER },
	{ SCMP_SYS(epoll_wait), RECORDER },
	{ SCMP_SYS(faccessat), RECORDER },
	{ SCMP_SYS(faccessat2), RECORDER },
	{ SCMP_SYS(fcntl), RECORDER },
	{ SCMP_SYS(fsconfig), RECORDER },
	{ SCMP_SYS(fsmount), RECORDER },
	{ SCMP_SYS(fsopen), RECORDER },
	{ SCMP_SYS(ftruncate), RECORDER },
	{ SCMP_SYS(getdents64), RECORDER },
	{ SCMP_SYS(getpid), RECORDER },
	{ SCMP_SYS(getrandom), RECORDER },
	{ SCMP_SYS(getrusage), RECORDER },
	{ SCMP_SYS(getsockopt), RECORDER },
	{ SCMP_SYS(ioctl), RECORDER },
	{ SCMP_SYS(kill), RECORDER },
	{ SCMP_SYS(lseek), RECORDER },
	{ SCMP_SYS(membarrier), RECORDER },
	{ SCMP_SYS(mprotect), RECORDER },
	{ SCMP_SYS(mremap), RECORDER },
	{ SCMP_SYS(open_by_handle_at), RECORDER },
	{ SCMP_SYS(perf_event_open), RECORDER },
	{ SCMP_SYS(poll), RECORDER },
	{ SCMP_SYS(ppoll), RECORDER },
	{ SCMP_SYS(pread64), RECORDER },
	{ SCMP_SYS(readlink), RECORDER },
	{ SCMP_SYS(readlinkat), RECORDER },
	{ SCMP_SYS(recvfrom), RECORDER },
	{ SCMP_SYS(restart_syscall), RECORDER },
	{ SCMP_SYS(rt_sigaction), RECORDER },
	{ SCMP_SYS(sched_getaffinity), RECORDER },
	{ SCMP_SYS(sched_setaffinity), RECORDER },
	{ SCMP_SYS(sendto), RECORDER },
	{ SCMP_SYS(setns), RECORDER },
	{ SCMP_SYS(setsockopt), RECORDER },
	{ SCMP_SYS(socket), RECORDER },
	{ SCMP_SYS(uname), RECORDER },
	{ SCMP_SYS(wait4), RECORDER },
	{ SCMP_SYS(openat2), PRIVILEGES_HOST_ROOT },
	{ SCMP_SYS(bind), CERTIFY },
	{ SCMP_SYS(connect), CERTIFY },
	{ SCMP_SYS(getsockname), CERTIFY },
	{ SCMP_SYS(io_uring_enter), CERTIFY },
	{ SCMP_SYS(io_uring_setup), CERTIFY },
	{ SCMP_SYS(listen), CERTIFY },
	{ SCMP_SYS(memfd_create), CERTIFY },
	{ SCMP_SYS(nanosleep), CERTIFY },
	{ SCMP_SYS(pipe2), CERTIFY },
	{ SCMP_SYS(preadv2), CERTIFY },
	{ SCMP_SYS(pwrite64), CERTIFY },
	{ SCMP_SYS(pwritev2), CERTIFY },
	{ SCMP_SYS(readv), CERTIFY },
	{ SCMP_SYS(recvmmsg), CERTIFY },
	{ SCMP_SYS(rseq), CERTIFY },
	{ SCMP_SYS(sendfile), CERTIFY },
	{ SCMP_SYS(sendmmsg), CERTIFY },
	{ SCMP_SYS(set_robust_list), CERTIFY },
	{ SCMP_SYS(shutdown), CERTIFY },
	{ SCMP_SYS(socketpair), CERTIFY },
	{ SCMP_SYS(splice), CERTIFY },
	{ SCMP_SYS(unshare), CERTIFY },
	{ SCMP_SYS(writev), CERTIFY },
	{ SCMP_SYS(clone), CERTIFY | SANITIZER },
	{ SCMP_SYS(clone3), CERTIFY | SANITIZER },
	{ SCMP_SYS(prctl), SANITIZER },
	{ SCMP_SYS(process_vm_readv), SANITIZER },
	{ SCMP_SYS(ptrace), SANITIZER },
	{ SCMP_SYS(sched_yield), SANITIZER },
	{ SCMP_SYS(sigaltstack), SANITIZER },
};

/* Commands of bpf(2). The recorder loads programs only for a certificate. */
static const struct {
	enum bpf_cmd cmd;
	unsigned int who;
} filter_bpf[] = {
	{ BPF_MAP_LOOKUP_ELEM, RECORDER },
	{ BPF_MAP_UPDATE_ELEM, RECORDER },
	{ BPF_MAP_DELETE_ELEM, RECORDER },
	{ BPF_MAP_GET_NEXT_KEY, RECORDER },
	{ BPF_MAP_LOOKUP_BATCH, RECORDER },
	{ BPF_MAP_LOOKUP_AND_DELETE_BATCH, RECORDER },
	{ BPF_MAP_LOOKUP_AND_DELETE_ELEM, RECORDER },
	{ BPF_OBJ_GET_INFO_BY_FD, RECORDER },
	{ BPF_ENABLE_STATS, RECORDER },
	{ BPF_PROG_GET_NEXT_ID, RECORDER },
	{ BPF_PROG_GET_FD_BY_ID, RECORDER },
	{ BPF_MAP_GET_FD_BY_ID, RECORDER },
	{ BPF_LINK_GET_NEXT_ID, RECORDER },
	{ BPF_LINK_GET_FD_BY_ID, RECORDER },
	{ BPF_PROG_QUERY, RECORDER },
	{ BPF_PROG_TEST_RUN, RECORDER },
	{ BPF_RAW_TRACEPOINT_OPEN, RECORDER },
	{ BPF_LINK_CREATE, RECORDER },
	{ BPF_LINK_DETACH, RECORDER },
	{ BPF_ITER_CREATE, RECORDER },
	{ BPF_MAP_CREATE, CERTIFY },
	{ BPF_MAP_FREEZE, CERTIFY },
	{ BPF_PROG_LOAD, CERTIFY },
	{ BPF_BTF_LOAD, CERTIFY },
	{ BPF_BTF_GET_FD_BY_ID, CERTIFY },
	{ BPF_BTF_GET_NEXT_ID, CERTIFY },
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
	const unsigned int writes = O_ACCMODE | O_CREAT | O_TRUNC;
	int err = 0;

	for (size_t i = 0; i < COUNT(filter_calls) && !err; i++)
		if (filter_calls[i].who & who)
			err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, filter_calls[i].call, 0);
	for (size_t i = 0; i < COUNT(filter_bpf) && !err; i++)
		if (filter_bpf[i].who & who)
			err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(bpf), 1,
					       SCMP_A0(SCMP_CMP_EQ, filter_bpf[i].cmd));
	if (!err && who & RECORDER) /* only for reading */
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
				       SCMP_A2(SCMP_CMP_MASKED_EQ, writes, O_RDONLY));
	return err;
}

void syscall_filter_load(unsigned int who)
{
	const struct sigaction action = { .sa_sigaction = refused, .sa_flags = SA_SIGINFO };
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
	int err = filter ? 0 : -ENOMEM;

	if (!err)
		err = add_rules(filter, who);
	/* without this, older kernels slow down the process, as for code that they do not trust */
	if (!err)
		seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
	if (!err && sigaction(SIGSYS, &action, NULL))
		err = -errno;
	if (!err)
		err = seccomp_load(filter);
	if (err)
		msg("system calls cannot be limited: %s", strerror(-err));
	seccomp_release(filter);
}

const char *syscall_filter_text(void)
{
	return "only those that they need (seccomp)";
}

#endif
