internal import SonaWire

/// Finds the host's files that the entries of a room's queue name.
struct QueueFollower: Sendable {
    /// Items by the name of their file, without its ending.
    private var byName: [String: Range<Int>] = [:]
    private var byTitle: [String: Range<Int>] = [:]
    /// Revision of the last change that has been heeded.
    var revision: Int64 = 0
    /// The play in progress: the entry, which play that is, and its items.
    var playing: (entry: Int64, play: Int64, items: Range<Int>)?

    init(_ playlist: FileList) {
        for (index, item) in playlist.items.enumerated() {
            let file = item.path.split(separator: "/").last.map(String.init) ?? item.path
            let name = file.split(separator: ".").dropLast().joined(separator: ".")
            // The streams of a file follow each other.
            let start = byName[name]?.lowerBound ?? index
            byName[name] = start..<index + 1
            for title in Self.titles(item.track) where byTitle[title] == nil || start < index {
                byTitle[title] = start..<index + 1
            }
        }
    }

    /// The items of an entry, found by its source or else by its title.
    func items(of entry: QueuedTrack) -> Range<Int>? {
        if let source = entry.source, let items = byName[source] { return items }
        return Self.titles(entry.track).first.flatMap { byTitle[$0] }
    }

    /// The titles of a track, with its artist (if there is one) and without.
    private static func titles(_ track: Track) -> [String] {
        guard let title = track.title?.lowercased(), !title.isEmpty else { return [] }
        guard let artist = track.artist?.lowercased(), !artist.isEmpty else { return [title] }
        return ["\(title)\u{1F}\(artist)", title]
    }
}

extension FileBroadcast {
    /// Entries in a row that are not among the files, before a host waits for somebody to look into it.
    private static let strangersMax = 50

    /// Begins what the queue has chosen, or has it choose.
    ///
    /// - Returns: False if there is nothing to play; the broadcast is dry then.
    func choose() async throws(HostError) -> Bool {
        for _ in 0..<Self.strangersMax {
            let page = try await call(QueueGet(limit: 1))
            queue?.revision = page.revision
            guard let now = page.now else {
                guard page.waitingCount > 0 else { break }
                _ = try await call(QueueNext())
                continue
            }
            guard let items = queue?.items(of: now.entry) else {
                report(.warning("\(now.entry.track.title ?? now.entry.source ?? "That") is not among the files."))
                _ = try await call(QueueNext(from: now.entry.id))
                continue
            }
            queue?.playing = (now.entry.id, now.play, items)
            try await begin(.beginning(items.lowerBound, of: playlist), command: nil)
            report(.track(playlist.items[items.lowerBound].track))
            queue?.revision = try await call(QueueStarted(id: now.entry.id)).revision
            return true
        }
        isDry = true
        queue?.playing = nil
        return false
    }

    /// After the last packet of an item.
    func goOnInQueue() async throws(HostError) {
        let next = plan.item + 1
        if let items = queue?.playing?.items, items.contains(next) {
            return try await begin(.beginning(next, of: playlist), command: nil)
        }
        if let entry = queue?.playing?.entry { try await finish(entry) }
        if try await !choose() { try await runDry() }
    }

    /// Somebody may have gone on before: then that holds.
    private func finish(_ entry: Int64) async throws(HostError) {
        do throws(HostError) { _ = try await call(QueueFinished(id: entry)) } catch {
            guard case .client(let refusal) = error, refusal.code == .queueEntryNotFound else { throw error }
        }
    }

    private func runDry() async throws(HostError) {
        _ = try await call(HostPause())
        report(.queueEmpty)
    }

    /// Others have changed the queue: what plays may be something else now.
    func follow(_ changed: QueueChanged) async throws(HostError) {
        guard let queue, changed.revision > queue.revision else { return }
        self.queue?.revision = changed.revision
        if isDry {
            _ = try await choose()
            return
        }
        for case .now(let now) in changed.changes where now?.play != queue.playing?.play {
            if try await !choose() { try await runDry() }
            return
        }
    }
}
