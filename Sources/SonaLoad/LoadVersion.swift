package enum LoadVersion {
    /// Of the harness, as it says in `hello` and in records.
    package static let text = "0.1.0"
}
