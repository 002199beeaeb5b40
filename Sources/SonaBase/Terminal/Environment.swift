internal import Glibc

/// Variables of the environment; empty ones count as absent.
public enum Environment {
    public static subscript(name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
