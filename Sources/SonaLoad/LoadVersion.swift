package enum LoadVersion {
    /// Version of the harness, given in `hello` and in records.
    package static let text = "0.1.0"
}
