/// Why a page of the directory cannot be had. Both are `request.invalid` at the field `cursor`; a client begins anew.
package enum DirectoryError: Error, Equatable {
    /// Not a cursor, or one of another search or of another reader.
    case cursorForeign
    /// Of a list that is kept no longer, or of another process.
    case cursorExpired
}
