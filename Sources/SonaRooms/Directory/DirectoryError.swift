/// The reason why a page of the directory is refused. Both cases are `request.invalid` at the field `cursor`; a client
/// starts the search again.
package enum DirectoryError: Error, Equatable {
    /// Not a cursor, or the cursor of another search or of another reader.
    case cursorForeign
    /// The cursor of a list that is no longer kept, or of another process.
    case cursorExpired
}
