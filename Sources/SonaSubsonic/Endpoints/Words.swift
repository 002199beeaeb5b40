internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// The words of songs.
extension Call {
    private func words(_ id: MusicID) async throws -> TrackLyricsResult? {
        do { return try await finder.lyrics(of: id, for: listener) } catch {
            guard error.code == .trackNoLyrics else { throw error }
            return nil
        }
    }

    func lyricsBySong() async throws -> Element {
        let id = try parameters.id()
        guard let track = try await finder.shelvedTracks([id], for: listener).first?.track else {
            throw SubsonicError.notFound
        }
        guard let words = try await words(id) else { return Element("lyricsList", Element("structuredLyrics", [])) }
        var told = Element()
        told.set("displayArtist", track.artists.line)
        told.set("displayTitle", track.title)
        told.set("lang", "xxx")
        told.set("synced", words.lines != nil)
        let plain = words.text?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
        let lines =
            words.lines?.map { (start: Optional($0.atMilliseconds), text: $0.text) }
            ?? plain.map { (start: nil, text: $0) }
        told.set(
            "line",
            lines.map { line in
                var element = Element()
                element.set("start", line.start)
                element.set("value", line.text)
                return element
            })
        return Element("lyricsList", Element("structuredLyrics", [told]))
    }

    /// By artist and title, as apps asked before songs had identifiers.
    func lyrics() async throws -> Element {
        var told = Element()
        let (artist, title) = (parameters.first("artist"), parameters.first("title"))
        if let title {
            let found = try await finder.search(
                MusicSearch(query: [artist, title].compactMap(\.self).joined(separator: " "), kind: .tracks, limit: 5),
                for: listener)
            for track in found.tracks where track.lyrics != nil && track.title.lowercased() == title.lowercased() {
                guard let words = try await words(track.id) else { continue }
                told.set("artist", track.artists.line)
                told.set("title", track.title)
                told.set("value", words.text ?? words.lines?.map(\.text).joined(separator: "\n") ?? "")
                return Element("lyrics", told)
            }
        }
        told.set("artist", artist)
        told.set("title", title)
        told.set("value", "")
        return Element("lyrics", told)
    }
}
