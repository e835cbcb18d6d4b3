// SPDX-License-Identifier: BSD-2-Clause
/*
 * The filter lists the system calls that are refused, instead of those that are allowed, because C libraries differ in
 * the system calls that they use. The filter needs no library, so every build contains it.
 */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#define ARCH 0
#endif

#define WRITES (O_ACCMODE | O_CREAT | O_TRUNC)
/* O_TMPFILE is allowed: such a file cannot get a name, because linkat(2) is refused */
#define NAMELESS (O_TMPFILE & ~O_DIRECTORY)
#define OTHER_ABI 0x40000000 /* x32 */
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
#define IF(how, value, skip) BPF_JUMP(BPF_JMP | (how) | BPF_K, value, 0, skip)
/* arg: low half of the argument with the flags of open(2), on a little-endian machine */
#define ONLY_TO_READ(call, arg)                                                                    \
	IF(BPF_JEQ, call, 6), LOAD(args[arg]), IF(BPF_JSET, NAMELESS, 1),                          \
		RETURN(SECCOMP_RET_ALLOW), IF(BPF_JSET, WRITES, 1), REFUSE,                        \
		RETURN(SECCOMP_RET_ALLOW)

static const unsigned int confine_refused[] = {
	SYS_execve,
	SYS_execveat,
	SYS_openat2,
	SYS_open_by_handle_at, /* programs and files */
	SYS_linkat,
	SYS_symlinkat,
	SYS_mkdirat,
	SYS_mknodat,
	SYS_renameat2,
	SYS_fchmod,
	SYS_fchmodat,
	SYS_fchown,
	SYS_fchownat,
	SYS_truncate,
	SYS_setxattr,
	SYS_fsetxattr,
	SYS_acct,
	SYS_swapon,
	SYS_socket,
	SYS_socketpair,
	SYS_connect,
	SYS_bind,
	SYS_listen, /* sockets */
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_pidfd_open, /* processes */
	SYS_kcmp,
	SYS_setuid,
	SYS_setgid,
	SYS_setreuid,
	SYS_setregid,
	SYS_setresuid, /* rights */
	SYS_setresgid,
	SYS_setgroups,
	SYS_setfsuid,
	SYS_setfsgid,
	SYS_capset,
	SYS_setns,
	SYS_unshare,
	SYS_chroot,
	SYS_pivot_root,
	SYS_mount,
	SYS_umount2,
	SYS_fsopen,
	SYS_fsmount,
	SYS_open_tree,
	SYS_move_mount,
	SYS_bpf,
	SYS_perf_event_open,
	SYS_io_uring_setup, /* kernel */
	SYS_userfaultfd,
	SYS_add_key,
	SYS_keyctl,
	SYS_request_key,
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_kexec_load,
	SYS_reboot,
	SYS_settimeofday,
	SYS_clock_settime,
	SYS_personality,
	SYS_syslog,
	SYS_sethostname,
	SYS_quotactl,
#ifdef SYS_open
	SYS_creat,
	SYS_link,
	SYS_symlink,
	SYS_mkdir,
	SYS_mknod,
	SYS_rename,
	SYS_chmod,
	SYS_chown,
	SYS_lchown,
	SYS_rmdir,
#endif
#ifdef SYS_iopl /* x86 */
	SYS_iopl,
	SYS_ioperm,
#endif
#ifdef SYS_renameat
	SYS_renameat,
#endif
};

static const unsigned int confine_removing[] = {
	SYS_unlinkat,
#ifdef SYS_unlink
	SYS_unlink,
#endif
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static size_t confine_refuse(struct sock_filter *to, const unsigned int *call, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct sock_filter rule[] = { IF(BPF_JEQ, call[i], 1), REFUSE };

		memcpy(to + 2 * i, rule, sizeof(rule));
	}
	return 2 * n;
}

void confine(unsigned int keep)
{
	static const struct sock_filter head[] = { LOAD(arch),
						   IF(BPF_JEQ, ARCH, 1),
						   BPF_STMT(BPF_JMP | BPF_JA, 1),
						   REFUSE,
						   LOAD(nr),
						   IF(BPF_JGE, OTHER_ABI, 1),
						   REFUSE };
	static const struct sock_filter tail[] = {
		ONLY_TO_READ(SYS_openat, 2),
#ifdef SYS_open
		ONLY_TO_READ(SYS_open, 1),
#endif
		RETURN(SECCOMP_RET_ALLOW),
	};
	struct sock_filter code[COUNT_OF(head) + 2 * COUNT_OF(confine_refused) +
				2 * COUNT_OF(confine_removing) + COUNT_OF(tail)];
	struct sock_fprog program = { .filter = code };
	size_t n = COUNT_OF(head);

	if (!ARCH || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return;
	memcpy(code, head, sizeof(head));
	n += confine_refuse(code + n, confine_refused, COUNT_OF(confine_refused));
	if (!(keep & CONFINE_REMOVES))
		n += confine_refuse(code + n, confine_removing, COUNT_OF(confine_removing));
	memcpy(code + n, keep & CONFINE_WRITES ? &tail[COUNT_OF(tail) - 1] : tail,
	       keep & CONFINE_WRITES ? sizeof(*tail) : sizeof(tail));
	program.len = (unsigned short)(n + (keep & CONFINE_WRITES ? 1 : COUNT_OF(tail)));
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
