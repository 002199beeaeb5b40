internal import SonaBase
internal import SonaDatabase

extension Journal {
    /// Writes the anchor: the current end of the journal, in a file outside of the database. The anchor stays unchanged
    /// if it disagrees with the journal.
    ///
    /// Cheap: a read and a small file, fsynced. Call it every hour or so and before closing, not for each line. A
    /// rollback of the whole database can hide only lines that were added since. Of two concurrent calls the later
    /// write counts, even if it read the journal earlier.
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

    /// Writes the anchor even if the old one disagrees with the journal. For an operator who knows the reason: a
    /// restored older database, or a replaced key.
    ///
    /// - Throws: `busy`, `storage` (also if the seal of the head is invalid).
    package func reanchor() async throws(Refusal) {
        guard let anchorPath else { return }
        guard let head = try await lines.head(), key.seals(head) else {
            throw .storage(DatabaseError(kind: .corrupt, hint: "the head of the journal is not as it was sealed"))
        }
        try write(JournalAnchor(head), to: anchorPath)
    }

    /// Reads the anchor.
    ///
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
