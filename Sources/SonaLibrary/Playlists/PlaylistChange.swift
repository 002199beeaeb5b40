internal import SonaBase
package import SonaWire

/// A change of a playlist that has been stored.
package struct PlaylistChange: Sendable {
    package let id: MusicID
    let number: Int64
    /// The versions before and after. Equal if nothing but the receiver's own pin has changed.
    package let before: Int64
    package let version: Int64
    var added: [PlaylistEntryRecord] = []
    var moved: [PlaylistPlace] = []
    var removed: [MusicID] = []
    var isReload = false
    /// Who is told.
    package let audience: [UserID]
}

/// Tells of changes of playlists, those of one list in the order of their versions.
///
/// Transactions end in order, but the tasks that waited for them go on in any. A change that comes early waits for
/// the one before it, a moment at most.
///
/// Any thread.
final class PlaylistAnnouncer: Sendable {
    private struct State {
        var handler: (@Sendable (PlaylistChange) -> Void)?
        /// The version told last, by playlist.
        var told: [Int64: Int64] = [:]
        var waiting: [Int64: [PlaylistChange]] = [:]
    }

    private let state = Monitor(State())
    /// Playlists whose last version is remembered.
    private static let toldMax = 10_000
    private static let wait = Duration.milliseconds(200)

    func setHandler(_ handler: @escaping @Sendable (PlaylistChange) -> Void) {
        state.withLock { $0.handler = handler }
    }

    func tell(_ change: PlaylistChange) {
        // The handler only takes the change: it is called under the lock, so that the order is kept.
        let isWaiting = state.withLock { state -> Bool in
            if change.before == change.version {
                state.handler?(change)
                return false
            }
            if let told = state.told[change.number], change.before > told {
                state.waiting[change.number, default: []].append(change)
                return true
            }
            Self.tell(change, &state)
            return false
        }
        guard isWaiting else { return }
        Task { [self] in
            try? await Task.sleep(for: Self.wait)
            giveUp(change)
        }
    }

    /// Tells a change and those that waited for it.
    private static func tell(_ change: PlaylistChange, _ state: inout State) {
        if state.told.count >= toldMax { state.told.removeAll() }
        state.handler?(change)
        var told = max(state.told[change.number] ?? 0, change.version)
        var waiting = state.waiting.removeValue(forKey: change.number) ?? []
        while let next = waiting.firstIndex(where: { $0.before <= told }) {
            let change = waiting.remove(at: next)
            state.handler?(change)
            told = max(told, change.version)
        }
        if !waiting.isEmpty { state.waiting[change.number] = waiting }
        state.told[change.number] = told
    }

    /// The change before one never came. Clients see the gap and get the list again.
    private func giveUp(_ change: PlaylistChange) {
        state.withLock { state in
            guard var waiting = state.waiting[change.number],
                let place = waiting.firstIndex(where: { $0.version == change.version })
            else { return }
            waiting.remove(at: place)
            state.waiting[change.number] = waiting
            Self.tell(change, &state)
        }
    }
}
