internal import Glibc

/// The one time domain of the live plane: `CLOCK_MONOTONIC_RAW`, which no time daemon slews.
///
/// Values are microseconds since some moment of this boot; they mean nothing on another machine or after a restart of
/// the kernel (Protocol/spec/time.md, "Clock").
public enum MonotonicClock {
    /// The present moment, µs. Callable from any thread; about 40 ns.
    public static func nowMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1000
    }

    /// Wall time, ms since 1970. Meant for times that are stored or shown, never for timing.
    public static func wallMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
    }

    /// Names the boot and the clock: the same for every process until the machine restarts.
    ///
    /// Source: `/proc/sys/kernel/random/boot_id` (random(4)), of which the first 64 bits are taken.
    public static let clockID: UInt64 = {
        var buffer = [UInt8](repeating: 0, count: 64)
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        var count = 0
        if file >= 0 {
            count = max(0, read(file, &buffer, buffer.count))
            close(file)
        }
        let digits = buffer[..<count].filter { $0 != UInt8(ascii: "-") && $0 > 0x20 }.prefix(16)
        // Without /proc the process is the best identity available: anchors then do not outlive it.
        return UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
            ?? UInt64(truncatingIfNeeded: wallMilliseconds()) &* 0x9E37_79B9_7F4A_7C15
    }()
}
