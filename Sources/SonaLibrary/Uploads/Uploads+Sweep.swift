internal import SonaDatabase
internal import SonaModel
internal import SonaWire

/// The removal of what is no longer needed, and the end of what a server that was killed has left.
extension Uploads {
    /// Does what is left of uploads from before the start: those that are whole become tracks, those that nobody can go on
    /// with are removed, and files without a row go.
    package func recover() async {
        await sweep()
        _ = try? await run {
            for id in self.folder.allIncoming() where self.goesOn {
                guard self.lock(id) else { continue }
                defer { self.unlock(id) }
                // The row comes before the file, so a file without one belongs to nobody. Nor is one needed of an upload that
                // has become a track of a content that was there.
                let upload = try self.row(id)
                if upload == nil || upload?.track != nil { self.folder.removeIncoming(id) }
            }
            try self.contents.sweepStrays { self.goesOn }
        }
    }

    /// Removes uploads that have been silent for too long, finishes those that are whole, and removes contents that no
    /// row names. It may end at any moment and be called again. What fails is done by the next one.
    package func sweep() async {
        _ = try? await run { try self.removeExpired() }
        let whole = try? await run {
            try self.ids("track IS NULL AND received = length")
        }
        for id in whole ?? [] where goesOn { _ = try? await complete(id) }
        _ = try? await run {
            // Nobody can go on with these: their clients have been cut off from them.
            for id in try self.ids("track IS NULL AND NOT resumable AND received < length") where self.goesOn {
                guard self.lock(id) else { continue }
                self.forget(id)
                self.unlock(id)
            }
            _ = try self.contents.sweep { self.goesOn }
            try self.countUse()
        }
    }

    /// Removes a content of a track that is gone, unless something else is of it. What fails is done by the sweep.
    func removeSoon(_ content: [UInt8]) {
        Task { _ = try? await run { try self.contents.removeIfUnnamed(content) } }
    }

    private func removeExpired() throws {
        let before = now - Int64(Limits.uploadIdleSeconds) * 1_000
        for id in try ids("touched_ms <= \(before)") where goesOn {
            // Bytes of it are coming: it is not silent.
            guard lock(id) else { continue }
            forget(id)
            unlock(id)
        }
    }

    private func ids(_ condition: SQL) throws -> [MusicID] {
        try database.readNow { db in
            try db.values("SELECT id FROM uploads WHERE \(condition) ORDER BY id", as: MusicID.self)
        }
    }

    private func countUse() throws {
        let all = try database.readNow { db in try UploadUsage(in: &db) }
        note(usedBytes: all.usedBytes + all.comingBytes)
    }
}
