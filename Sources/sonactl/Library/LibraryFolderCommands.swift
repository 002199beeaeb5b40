internal import ArgumentParser
internal import SonaBase
internal import SonaClient
internal import SonaWire

struct LibraryScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Scans music folders, and shows how far that is. For administrators.",
        discussion: """
            Prints one line a second, or one line that changes on a terminal. Ctrl-C leaves the scan running; --cancel \
            ends it. At the end there is a line for each folder: name, files, files a second, and what was found.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "A music folder by its name; all of them without one.") var folder: String?
    @Flag(help: "End the scan.") var cancel = false
    @Flag(help: "Begin the scan, and do not wait for its end.") var background = false
    @Flag(help: "Print the folders at the end as one JSON object: {\"folders\": […]}.") var json = false

    func run() async throws {
        let folders = try await global.asOperator { client in
            if cancel { return try await client.call(LibraryScanCancel(folder: folder)).folders }
            var folders = try await client.call(LibraryScan(folder: folder)).folders
            if background { return folders }
            var line = ProgressLine()
            while folders.contains(where: { $0.isScanning && (folder == nil || $0.name == folder) }) {
                line.show(folders.filter(\.isScanning).map(\.progress).joined(separator: "; "))
                try await Task.sleep(for: .milliseconds(500))
                folders = try await client.call(LibraryFolders()).folders
            }
            line.end()
            return folders
        }
        let shown = folders.filter { folder == nil || $0.name == folder }
        if json { return Console.out { $0.member("folders", shown) } }
        for folder in shown { Console.out(folder.outcome) }
        if let failed = shown.first(where: { $0.failure != nil }), !cancel {
            throw Failure(69, Console.printable(failed.failure ?? ""))
        }
    }
}

struct LibraryFoldersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "folders", abstract: "Lists the music folders, and who sees them. For administrators.")

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object: {\"folders\": […]}.") var json = false

    func run() async throws {
        let folders = try await global.asOperator { try await $0.call(LibraryFolders()).folders }
        if json { return Console.out { $0.member("folders", folders) } }
        folders.show()
    }
}

struct LibraryShare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Says who sees a music folder. For administrators.")

    /// Who sees a folder.
    enum Audience: String, CaseIterable, ExpressibleByArgument {
        case accounts, chosen, admins

        var audience: FolderAudience {
            switch self {
            case .accounts: .accounts
            case .chosen: .chosen
            case .admins: .admins
            }
        }
    }

    @OptionGroup var global: GlobalOptions
    @Argument(help: "A music folder by its name.") var folder: String
    @Argument(
        help: "accounts: everybody with an account; chosen: the accounts named by --user; admins: administrators.")
    var audience: Audience
    @Option(help: "The identifier of a chosen account; several times for several.") var user: [String] = []

    func run() async throws {
        let users = try user.map { text in
            guard let uid = UserID(text) else { throw ValidationError("\(text) is no identifier of an account.") }
            return uid
        }
        let folders = try await global.asOperator { client in
            try await client.call(
                LibraryFolderUpdate(folder: folder, audience: audience.audience, users: users)
            ).folders
        }
        folders.filter { $0.name == folder }.show()
    }
}

struct LibraryProblemsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "problems",
        abstract: "Lists files with nothing to play in them, each with the reason. For administrators.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var list: ListOptions
    @Flag(help: "Print one JSON object: {\"files\": […]}.") var json = false

    func run() async throws {
        let (files, hasMore) = try await global.asOperator { client in
            try await list.collect(pageMax: Int(Limits.problemPageCount.upperBound)) { limit, cursor in
                let page = try await client.call(LibraryProblems(limit: limit, cursor: cursor))
                return (page.files, page.nextCursor)
            }
        }
        if json { return Console.out { $0.member("files", files) } }
        var table = Table()
        for file in files {
            table.add(
                file.problem, file.folder ?? "upload", Console.printable(file.file),
                Console.printable(file.detail ?? ""))
        }
        table.show()
        if files.isEmpty { Console.say("There are no problems.") }
        list.tell(hasMore: hasMore)
    }
}

extension [SonaWire.MusicFolder] {
    fileprivate func show() {
        var table = Table()
        for folder in self {
            let scanned = folder.isScanning ? "scanning" : folder.scannedMilliseconds == nil ? "not scanned" : "scanned"
            table.add(
                folder.name, folder.audience.rawValue, "\(folder.trackCount) tracks",
                "\(folder.problemCount) problems", "\(folder.missingCount) missing", scanned)
        }
        table.show()
        if isEmpty { Console.say("There are no music folders: start the server with --music.") }
    }
}

extension SonaWire.MusicFolder {
    /// How far the scan is.
    fileprivate var progress: String {
        guard let scan else { return name }
        return "\(name): \(scan.files) files, \(scan.added) new"
    }

    /// What the last scan found.
    fileprivate var outcome: String {
        guard let scan else { return "\(name): not scanned" }
        let rate = Int64(scan.files) * 1_000 / max(1, scan.milliseconds)
        let state = isScanning ? "scanning" : failure == nil ? "done" : "ended early"
        return "\(name): \(state), \(scan.files) files, \(rate) files/s, \(scan.added) new, \(scan.changed) changed, "
            + "\(scan.moved) moved, \(scan.missing) missing, \(scan.problems) problems"
    }
}
