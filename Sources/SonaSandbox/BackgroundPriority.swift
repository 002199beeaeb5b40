internal import CSandbox
internal import Glibc

/// The least priority for the disk and the processor: for programs that work beside a server.
public enum BackgroundPriority {
    /// Holds for threads that are made from now on, and for the calling one. Where the system refuses, nothing changes.
    public static func enter() {
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        _ = sona_sandbox_idle_disk()
    }
}
