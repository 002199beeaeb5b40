internal import Glibc

/// Variables of the environment; empty ones count as absent.
public enum Environment {
    /// The value of a variable; `nil` if it is not set or empty. Bytes that are not UTF-8 are replaced by U+FFFD.
    public static subscript(name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
