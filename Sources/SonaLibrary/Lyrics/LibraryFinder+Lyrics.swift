internal import SonaDatabase
package import SonaModel
package import SonaWire

extension LibraryFinder {
    /// The words of a track. They are for whoever may hear all of it.
    ///
    /// - Throws: `trackNotFound`, also if the listener does not see it; `trackNoLyrics`; `busy`, `storage`.
    package func lyrics(of id: MusicID, for listener: Listener) async throws(Refusal) -> TrackLyricsResult {
        try await read { db in
            guard let row = try db.first(TrackRecord.filter(TrackRecord.id == id)), let number = row.number else {
                throw Refusal(.trackNotFound)
            }
            switch Access.to(try Access.rights(of: row, for: listener, in: &db), for: listener) {
            case .none: throw Refusal(.trackNotFound)
            case .preview: throw Refusal(.trackNoLyrics)
            case .full: break
            }
            guard let record = try db.first(LyricsRecord.self, key: number) else { throw Refusal(.trackNoLyrics) }
            return record.told
        }
    }
}
