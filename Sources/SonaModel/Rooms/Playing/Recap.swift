internal import FoundationEssentials
package import SonaWire

/// What played in a room from one moment to another, as a list for other programs.
///
/// Pure: bytes out of values. Texts that came with line breaks or other controls have spaces there.
package struct Recap: Sendable, Equatable {
    package let room: RoomID
    package let title: String
    /// Oldest first.
    package let entries: [HistoryStore.Entry]

    package init(room: RoomID, title: String, entries: [HistoryStore.Entry]) {
        self.room = room
        self.title = title
        self.entries = entries
    }

    // MARK: M3U

    /// Extended M3U in UTF-8, for a file ending in `.m3u8`; whole seconds, −1 for a length nobody knows.
    ///
    /// Rooms know no files, so the line of each track names one that a player may have beside the list:
    /// `./Artist - Title`.
    ///
    /// Source: RFC 8216, section 4.3, for `#EXTM3U` and `#EXTINF`; the rest is custom.
    package var m3u: String {
        var text = "#EXTM3U\n#PLAYLIST:\(Self.line(title))\n"
        for entry in entries {
            let seconds = entry.track.durationMicroseconds.map { Self.rounded($0, by: 1_000_000) } ?? -1
            let name = Self.name(of: entry.track)
            text += "#EXTINF:\(seconds),\(name)\n"
            if let album = entry.track.album, !album.isEmpty { text += "#EXTALB:\(Self.line(album))\n" }
            text += "./\(String(name.map { $0 == "/" || $0 == "\\" ? "_" : $0 }))\n"
        }
        return text
    }

    private static func name(of track: Track) -> String {
        let parts = [track.artist, track.title].compactMap { $0 }.map(line).filter { !$0.isEmpty }
        return parts.isEmpty ? "Unknown" : parts.joined(separator: " - ")
    }

    // MARK: JSPF

    /// JSPF: XSPF in JSON. Lengths are milliseconds, the date is that of the first track.
    ///
    /// Source: https://www.xspf.org/jspf and https://www.xspf.org/spec, version 1.
    package var jspf: String {
        var writer = JSONWriter(reserving: 256 + entries.count * 256)
        writer.object { writer in
            writer.key("playlist")
            writer.object { writer in
                writer.member("title", Self.line(title))
                if let first = entries.first { writer.member("date", Self.date(first.atMilliseconds)) }
                writer.key("track")
                writer.beginArray()
                for entry in entries { Self.jspf(entry, into: &writer) }
                writer.endArray()
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func jspf(_ entry: HistoryStore.Entry, into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("title", ifPresent: entry.track.title.map(line))
            writer.member("creator", ifPresent: entry.track.artist.map(line))
            writer.member("album", ifPresent: entry.track.album.map(line))
            writer.member("duration", ifPresent: entry.track.durationMicroseconds.map { rounded($0, by: 1_000) })
            writer.member("image", ifPresent: entry.track.artwork.flatMap(webAddress))
            writer.member("annotation", "Played at \(date(entry.atMilliseconds))")
        }
    }

    /// An image is a URI there; what else artwork may be means nothing outside of here.
    private static func webAddress(_ artwork: String) -> String? {
        artwork.hasPrefix("https://") || artwork.hasPrefix("http://") ? artwork : nil
    }

    // MARK: JSON

    /// Our own form, with all there is.
    package var json: String {
        var writer = JSONWriter(reserving: 256 + entries.count * 256)
        writer.object { writer in
            writer.member("room", room.rawValue)
            writer.member("title", title)
            writer.key("tracks")
            writer.beginArray()
            for entry in entries {
                writer.object { writer in
                    writer.member("at_ms", entry.atMilliseconds)
                    writer.member("title", orNull: entry.track.title)
                    writer.member("artist", orNull: entry.track.artist)
                    writer.member("album", orNull: entry.track.album)
                    writer.member("duration_us", orNull: entry.track.durationMicroseconds)
                    writer.member("artwork", orNull: entry.track.artwork)
                    writer.member("host", orNull: entry.host?.rawValue)
                }
            }
            writer.endArray()
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: Steps

    private static func line(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.unicodeScalars.append(" ")
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    /// Without a sum, which could overflow.
    private static func rounded(_ value: Int64, by unit: Int64) -> Int64 {
        value / unit + (value % unit >= unit / 2 ? 1 : 0)
    }

    /// `2026-11-21T19:50:19Z`: an XML Schema dateTime, of four-digit years.
    private static func date(_ milliseconds: Int64) -> String {
        let seconds = min(max(milliseconds / 1_000, 0), 253_402_300_799)
        return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
