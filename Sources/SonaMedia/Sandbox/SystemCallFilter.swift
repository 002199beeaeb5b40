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
    static func install() -> Bool {
        guard var steps = program else { return false }
        return sona_sandbox_filter(&steps, UInt16(steps.count)) == 0
    }

    /// `nil` on an architecture that is not known here.
    private static var program: [sock_filter]? {
        guard let architecture else { return nil }
        var steps = [
            load(4),  // struct seccomp_data: 0 number, 4 architecture, 16 + 8 × n argument n.
            jump(BPF_JEQ, architecture, ifTrue: 1, ifFalse: 0),
            answer(killProcess),
            load(0),
            // x32: the numbers of x86-64 with bit 30 set.
            jump(BPF_JGE, 0x4000_0000, ifTrue: 0, ifFalse: 1),
            answer(killProcess),
        ]
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

    private static let allowed = [
        SYS_read, SYS_write, SYS_close, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_exit,
        SYS_exit_group, SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_sigaltstack, SYS_clock_gettime,
        SYS_getrandom, SYS_sched_yield, SYS_getpid, SYS_gettid, SYS_restart_syscall,
    ]

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
