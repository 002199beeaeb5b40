internal import Glibc
internal import SonaBase

/// Why a backup, its verification or a restore failed: a kind to decide by, and a sentence for the operator.
package struct BackupError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// Bytes are missing or are not those that were backed up.
        case damaged
        /// A newer version of Sona made the backup or the database.
        case newer
        /// There is no such backup, folder or file.
        case missing
        /// Something is in the place, and may not be overwritten.
        case exists
        /// Another program works on the same folder.
        case busy
        /// The disk has too little space.
        case full
        /// The passphrase is missing, too short or wrong.
        case passphrase
        /// Text that is no place, no rule or no name.
        case usage
        /// rclone is not installed, or failed.
        case remote
        /// A file could not be read or written.
        case io
    }

    package let kind: Kind
    /// One or more whole sentences.
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// A call of the system that failed, by `errno`.
    static func system(_ attempt: String, _ path: String, _ number: Int32 = errno) -> BackupError {
        let isFull = number == ENOSPC || number == EDQUOT
        return BackupError(
            isFull ? .full : number == ENOENT ? .missing : .io,
            "\(path) can't be \(attempt): \(String(cString: strerror(number))).")
    }
}
