internal import ArgumentParser
internal import SonaClient
internal import SonaWire

struct LibraryUsage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Shows the space that your uploads take and may take.",
        discussion: "Administrators see the space of all uploads besides, and who takes the most of it.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let usage = try await global.withClient(.account) { try await $0.call(StorageUsage()) }
        if json { return Console.out(json: usage) }
        var table = Table()
        table.add("used", ByteText.of(usage.usedBytes), count(usage.trackCount))
        table.add("coming", ByteText.of(usage.comingBytes), "\(usage.uploads.count) uploads")
        table.add("quota", ByteText.of(usage.quotaBytes), "\(ByteText.of(usage.fileBytesMax)) a file")
        for upload in usage.uploads {
            table.add(
                upload.id.rawValue, "\(ByteText.of(upload.offset)) of \(ByteText.of(upload.length))",
                upload.name ?? "", "until \(Console.date(milliseconds: upload.expiresMilliseconds))")
        }
        if let server = usage.server {
            table.add("server: used", ByteText.of(server.usedBytes), "\(server.fileCount) files")
            table.add("server: coming", ByteText.of(server.comingBytes), "\(server.uploadCount) uploads")
            table.add(
                "server: space", ByteText.of(server.spaceBytes),
                server.freeBytes.map { "\(ByteText.of($0)) free on disk" } ?? "")
            for account in server.accounts {
                let name = account.user.username.map { "@\($0.rawValue)" } ?? account.user.uid.rawValue
                table.add(name, ByteText.of(account.usedBytes), count(account.trackCount))
            }
        }
        table.show()
    }
}

/// Numbers of bytes for people.
enum ByteText {
    /// `999 B`, `12.3 kB`, `1.5 GB`.
    static func of(_ bytes: Int64) -> String {
        if bytes < 1_000 { return "\(bytes) B" }
        var (value, unit) = (Double(bytes), 0)
        while value >= 999.95, unit < units.count {
            value /= 1_000
            unit += 1
        }
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit - 1])"
    }

    private static let units = ["kB", "MB", "GB", "TB", "PB"]
}

private func count(_ tracks: Int) -> String { tracks == 1 ? "1 track" : "\(tracks) tracks" }
