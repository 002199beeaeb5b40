internal import ArgumentParser
internal import SonaClient
internal import SonaWire

/// `sonactl storage`.
struct StorageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storage", abstract: "Shows the space that uploads take on the server. For administrators.",
        discussion: """
            The space that is used, coming and allowed, what is free on the disk, and a line for each account that takes \
            much: user, bytes, tracks. One's own uploads: sonactl library usage.
            """)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let usage = try await global.asOperator { try await $0.call(StorageUsage()) }
        guard let server = usage.server else {
            throw Failure(77, "Administrators see the server's storage. Your own: sonactl library usage.")
        }
        if json { return Console.out(json: server) }
        var table = Table()
        table.add("used", ByteText.of(server.usedBytes), "\(server.fileCount) files")
        table.add("coming", ByteText.of(server.comingBytes), "\(server.uploadCount) uploads")
        table.add("allowed", ByteText.of(server.spaceBytes), "\(ByteText.of(usage.fileBytesMax)) a file")
        if let free = server.freeBytes { table.add("free on disk", ByteText.of(free)) }
        for account in server.accounts {
            let name = account.user.username.map { "@\($0.rawValue)" } ?? account.user.uid.rawValue
            table.add(name, ByteText.of(account.usedBytes), "\(account.trackCount) tracks")
        }
        table.show()
    }
}
