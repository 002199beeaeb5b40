internal import SonaBase
internal import SonaDatabase

extension Journal {
    /// Notes outside of the database where the journal ends, unless what was noted before disagrees with it.
    ///
    /// Cheap (a read and a small file, fsynced) and not on the way of a line: call it every hour or so and before
    /// closing. What was appended since the last time is what a rollback of the whole database could hide. Of two at once
    /// the later write counts, which may be the one that looked earlier.
    ///
    /// - Throws: `busy`, `storage`.
    package func anchor() async throws(Refusal) {
        guard let anchorPath else { return }
        let found = try findAnchor()
        guard found != .foreign else { return }
        var known: JournalAnchor?
        if case .anchor(let anchor) = found { known = anchor }
        let (head, mac) = try await lines.head(andLine: known?.count ?? 0)
        guard let head, key.seals(head) else { return }
        if let known {
            guard known.since == head.since, known.count < head.count, known.count == 0 || known.mac == mac else {
                return
            }
        }
        try write(JournalAnchor(head), to: anchorPath)
    }

    /// Notes where the journal ends now, whatever was noted before: for an operator who knows why the two disagree,
    /// having restored an older database or replaced the key.
    ///
    /// - Throws: `busy`, `storage`; also when the head is not as it was sealed.
    package func reanchor() async throws(Refusal) {
        guard let anchorPath else { return }
        guard let head = try await lines.head(), key.seals(head) else {
            throw .storage(DatabaseError(kind: .corrupt, hint: "the head of the journal is not as it was sealed"))
        }
        try write(JournalAnchor(head), to: anchorPath)
    }

    /// - Throws: `storage`.
    func findAnchor() throws(Refusal) -> JournalAnchor.Found {
        guard let anchorPath else { return .none }
        do {
            return try JournalAnchor.read(anchorPath, key: key)
        } catch {
            throw Self.failure(error)
        }
    }

    private func write(_ anchor: JournalAnchor, to path: String) throws(Refusal) {
        do {
            try anchor.write(path, key: key)
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: SecretFile.Failure) -> Refusal {
        .storage(DatabaseError(kind: .io, detail: "\(error)", hint: "the anchor of the journal"))
    }
}
