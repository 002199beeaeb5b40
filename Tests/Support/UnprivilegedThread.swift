import Glibc

/// Runs code without the superuser's right to every file, so that tests of refused files prove something as root too.
package enum UnprivilegedThread {
    private struct StillPrivileged: Error {}

    /// Calls `body` on this thread, which opens files as the user nobody meanwhile if it runs as root.
    ///
    /// The kernel keeps this user for each thread by itself, and takes the superuser's rights over files away with it.
    /// Other threads are not concerned.
    package static func run<Value>(_ body: () throws -> Value) throws -> Value {
        guard geteuid() == 0 else { return try body() }
        // <sys/fsuid.h> is not part of the module Glibc.
        guard let symbol = dlsym(nil, "setfsuid") else { throw StillPrivileged() }
        let setFileUser = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> Int32).self)
        _ = setFileUser(65_534)
        defer { _ = setFileUser(0) }
        // It says which user was there before, and nothing else.
        guard setFileUser(65_534) == 65_534 else { throw StillPrivileged() }
        return try body()
    }
}
