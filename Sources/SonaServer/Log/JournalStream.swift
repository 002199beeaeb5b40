internal import Glibc
internal import SonaBase

/// systemd's journal as the reader of a descriptor.
package enum JournalStream {
    /// Whether a descriptor leads to the journal: `JOURNAL_STREAM` names the very socket. The variable alone says little, as
    /// it is inherited by processes whose output goes elsewhere.
    ///
    /// Source: systemd.exec(5), "$JOURNAL_STREAM".
    package static func isBehind(_ descriptor: Int32, _ variable: String? = Environment["JOURNAL_STREAM"]) -> Bool {
        var status = stat()
        guard let variable, fstat(descriptor, &status) == 0 else { return false }
        return variable == "\(status.st_dev):\(status.st_ino)"
    }
}
