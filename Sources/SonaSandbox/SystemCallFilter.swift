internal import CSandbox
internal import Glibc

/// The kernel's filter of system calls (seccomp) that a worker puts upon itself.
///
/// Allowed is what computing needs: reading and writing open files, memory without execution, locks, the clock, and
/// the end. All else answers EPERM, so that a library that asks for more goes on without it. A call of another
/// architecture (32-bit or x32 on x86-64) kills the process: only an attacker makes one.
///
/// Source: Documentation/userspace-api/seccomp_filter.rst of Linux; linux/filter.h.
enum SystemCallFilter {
    /// Puts the filter upon every thread of this process, for good. Needs "no new privileges" before.
    ///
    /// - Returns: Whether the kernel took it. False on an architecture whose numbers are not known here.
    static func install(receivesFiles: Bool) -> Bool {
        guard var steps = program(allowing: allowed + (receivesFiles ? forFiles : [])) else { return false }
        return sona_sandbox_filter(&steps, UInt16(steps.count)) == 0
    }

    /// Puts a filter upon this process that another program can live with, and that it keeps through `execv`: it
    /// refuses sockets, processes, signals, and every change of a file that is not open.
    ///
    /// - Returns: As `install`.
    static func installBeforeProgram() -> Bool {
        guard var steps = programBefore else { return false }
        return sona_sandbox_filter(&steps, UInt16(steps.count)) == 0
    }

    private static var programBefore: [sock_filter]? {
        guard var steps = start else { return nil }
        for number in refusedToPrograms {
            steps += [jump(BPF_JEQ, UInt32(number), ifTrue: 0, ifFalse: 1), answer(refuse)]
        }
        // glibc goes back to clone then, whose flags can be looked at.
        steps += [jump(BPF_JEQ, UInt32(sona_sandbox_clone3), ifTrue: 0, ifFalse: 1), answer(unknown)]
        // A thread is no new process.
        steps += [
            jump(BPF_JEQ, UInt32(SYS_clone), ifTrue: 0, ifFalse: 4), load(16),
            jump(BPF_JSET, cloneThread, ifTrue: 0, ifFalse: 1), answer(allow), answer(refuse),
        ]
        let writing = UInt32(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)
        var openings = [(number: Int(SYS_openat), flags: 2)]
        #if arch(x86_64)
            openings.append((number: Int(SYS_open), flags: 1))
        #endif
        for opening in openings {
            steps += [
                jump(BPF_JEQ, UInt32(opening.number), ifTrue: 0, ifFalse: 4), load(UInt32(16 + 8 * opening.flags)),
                jump(BPF_JSET, writing, ifTrue: 0, ifFalse: 1), answer(refuse), answer(allow),
            ]
        }
        return steps + [answer(allow)]
    }

    /// `CLONE_THREAD` of linux/sched.h, which Swift does not see.
    private static let cloneThread: UInt32 = 0x1_0000

    private static var refusedToPrograms: [Int] {
        var numbers: [Int] = [
            SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto,
            SYS_sendmsg, SYS_sendmmsg, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill, SYS_tkill,
            SYS_pidfd_send_signal, SYS_unlinkat, SYS_renameat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_mkdirat,
            SYS_mknodat, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_truncate, SYS_utimensat, SYS_setxattr,
            SYS_lsetxattr, SYS_fsetxattr, SYS_mount, SYS_umount2, SYS_chroot, SYS_pivot_root, SYS_setns, SYS_unshare,
            SYS_bpf, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_io_uring_setup,
            SYS_userfaultfd, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot,
            SYS_swapon, SYS_swapoff, SYS_open_by_handle_at, sona_sandbox_openat2,
        ].map { Int($0) }
        #if arch(x86_64)
            numbers += [
                SYS_fork, SYS_vfork, SYS_creat, SYS_unlink, SYS_rename, SYS_link, SYS_symlink, SYS_mkdir, SYS_rmdir,
                SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
            ].map { Int($0) }
        #endif
        return numbers
    }

    /// Refuses what is no call of this architecture, and leaves the call's number loaded.
    private static var start: [sock_filter]? {
        guard let architecture else { return nil }
        return [
            load(4),  // struct seccomp_data: 0 number, 4 architecture, 16 + 8 × n argument n.
            jump(BPF_JEQ, architecture, ifTrue: 1, ifFalse: 0),
            answer(killProcess),
            load(0),
            // x32: the numbers of x86-64 with bit 30 set.
            jump(BPF_JGE, 0x4000_0000, ifTrue: 0, ifFalse: 1),
            answer(killProcess),
        ]
    }

    /// `nil` on an architecture that is not known here.
    private static func program(allowing allowed: [Int]) -> [sock_filter]? {
        guard var steps = start else { return nil }
        for number in allowed { steps += [jump(BPF_JEQ, UInt32(number), ifTrue: 0, ifFalse: 1), answer(allow)] }
        // Memory that can be executed is refused: the third argument of both, whose low half lies first.
        for number in [SYS_mmap, SYS_mprotect] {
            steps += [
                jump(BPF_JEQ, UInt32(number), ifTrue: 0, ifFalse: 4),
                load(16 + 8 * 2),
                jump(BPF_JSET, UInt32(PROT_EXEC), ifTrue: 0, ifFalse: 1),
                answer(refuse),
                answer(allow),
            ]
        }
        return steps + [answer(refuse)]
    }

    /// Taking open files from a socket, and reading them at any place.
    private static let forFiles = [SYS_recvmsg, SYS_pread64, SYS_fstat, SYS_newfstatat].map { Int($0) }

    private static let allowed = [
        SYS_read, SYS_write, SYS_close, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_exit,
        SYS_exit_group, SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_sigaltstack, SYS_clock_gettime,
        SYS_getrandom, SYS_sched_yield, SYS_getpid, SYS_gettid, SYS_restart_syscall,
    ].map { Int($0) }

    /// `AUDIT_ARCH_…` of linux/audit.h.
    private static var architecture: UInt32? {
        #if arch(x86_64)
            0xC000_003E
        #elseif arch(arm64)
            0xC000_00B7
        #else
            nil
        #endif
    }

    /// `SECCOMP_RET_…` of linux/seccomp.h.
    private static let killProcess: UInt32 = 0x8000_0000
    private static let allow: UInt32 = 0x7FFF_0000
    private static let refuse: UInt32 = 0x0005_0000 | UInt32(EPERM)
    private static let unknown: UInt32 = 0x0005_0000 | UInt32(ENOSYS)

    private static func load(_ offset: UInt32) -> sock_filter {
        sock_filter(code: UInt16(BPF_LD | BPF_W | BPF_ABS), jt: 0, jf: 0, k: offset)
    }

    /// The distances count steps that are left out.
    private static func jump(_ test: Int32, _ value: UInt32, ifTrue: UInt8, ifFalse: UInt8) -> sock_filter {
        sock_filter(code: UInt16(BPF_JMP | test | BPF_K), jt: ifTrue, jf: ifFalse, k: value)
    }

    private static func answer(_ value: UInt32) -> sock_filter {
        sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: value)
    }
}
