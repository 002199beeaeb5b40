internal import SonaBase
internal import SonaWire

/// How the last backup of a data folder went, in the file `backup.json` of the folder.
///
/// Whoever makes a backup writes it, by hand or by schedule; the server reads it for its metrics, its log and its
/// journal.
package struct BackupRecord: Sendable, Equatable {
    package var endedMilliseconds: Int64
    /// The name of the backup; `nil` if it failed.
    package var name: String?
    /// Why it failed, as a sentence.
    package var failure: String?
    package var seconds: Double
    package var storedBytes: Int64
    /// Bytes of everything in the backup.
    package var bytes: Int64
    /// The end of the last one that succeeded; `nil` if none ever did.
    package var successMilliseconds: Int64?

    package var isSuccess: Bool { failure == nil }

    package static func path(_ dataFolder: String) -> String { dataFolder + "/backup.json" }

    package init(
        name: String?, failure: String?, seconds: Double, storedBytes: Int64 = 0, bytes: Int64 = 0,
        endedMilliseconds: Int64? = nil
    ) {
        self.name = name
        self.failure = failure
        self.seconds = seconds
        self.storedBytes = storedBytes
        self.bytes = bytes
        self.endedMilliseconds = endedMilliseconds ?? WallMilliseconds.now()
        successMilliseconds = failure == nil ? self.endedMilliseconds : nil
    }

    /// - Returns: `nil` if no backup was ever made, or the file can't be read.
    package static func read(_ dataFolder: String) -> BackupRecord? {
        guard let bytes = try? WholeFile.read(path(dataFolder), bytesMax: 64 << 10), let json = try? JSON.parse(bytes),
            let ended = json["ended_ms"]?.integer
        else { return nil }
        var record = BackupRecord(
            name: json["name"]?.string, failure: json["failure"]?.string,
            seconds: Double(json["duration_ms"]?.integer ?? 0) / 1_000,
            storedBytes: json["stored_bytes"]?.integer ?? 0, bytes: json["bytes"]?.integer ?? 0,
            endedMilliseconds: ended)
        record.successMilliseconds = json["success_ms"]?.integer
        return record
    }

    /// Puts it into the data folder. A failure is ignored: the backup itself does not depend on it.
    package func write(_ dataFolder: String) {
        var record = self
        if record.successMilliseconds == nil { record.successMilliseconds = Self.read(dataFolder)?.successMilliseconds }
        try? SecretFile.replace(Self.path(dataFolder), record.encoded() + [UInt8(ascii: "\n")])
    }

    package func encoded() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("ended_ms", endedMilliseconds)
            writer.member("name", orNull: name)
            writer.member("failure", orNull: failure)
            writer.member("duration_ms", Int64(seconds * 1_000))
            writer.member("stored_bytes", storedBytes)
            writer.member("bytes", bytes)
            writer.member("success_ms", orNull: successMilliseconds)
        }
        return writer.bytes
    }
}
