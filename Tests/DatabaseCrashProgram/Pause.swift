import Glibc

/// Holds a thread, for reads that are to last.
enum Pause {
    static func milliseconds(_ count: Int) { usleep(UInt32(count) * 1_000) }
}
