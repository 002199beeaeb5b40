internal import FoundationEssentials
package import SonaWire

/// What played in a room from one moment to another, as a list for other programs.
///
/// Pure: bytes out of values. Texts that came with line breaks or other controls have spaces there.
package struct Recap: Sendable, Equatable {
    package let room: RoomID
    package let title: String
    /// Oldest first.
    package let plays: [RoomPlay]
    /// How many listened, if all are of one broadcast and the reader may know it.
    package let audience: Audience?

    package init(room: RoomID, title: String, plays: [RoomPlay], audience: Audience? = nil) {
        self.room = room
        self.title = title
        self.plays = plays
        self.audience = audience
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
        for play in plays {
            let seconds = play.track.durationMicroseconds.map { Self.rounded($0, by: 1_000_000) } ?? -1
            let name = Self.name(of: play.track)
            text += "#EXTINF:\(seconds),\(name)\n"
            if let album = play.track.album, !album.isEmpty { text += "#EXTALB:\(Self.line(album))\n" }
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
        var writer = JSONWriter(reserving: 256 + plays.count * 256)
        writer.object { writer in
            writer.key("playlist")
            writer.object { writer in
                writer.member("title", Self.line(title))
                if let first = plays.first { writer.member("date", Self.date(first.atMilliseconds)) }
                writer.key("track")
                writer.beginArray()
                for play in plays { Self.jspf(play, into: &writer) }
                writer.endArray()
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func jspf(_ play: RoomPlay, into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("title", ifPresent: play.track.title.map(line))
            writer.member("creator", ifPresent: play.track.artist.map(line))
            writer.member("album", ifPresent: play.track.album.map(line))
            writer.member("duration", ifPresent: play.track.durationMicroseconds.map { rounded($0, by: 1_000) })
            writer.member("image", ifPresent: play.track.artwork.flatMap(webAddress))
            writer.member("annotation", "Played at \(date(play.atMilliseconds))")
        }
    }

    /// An image is a URI there; what else artwork may be means nothing outside of here.
    private static func webAddress(_ artwork: String) -> String? {
        artwork.hasPrefix("https://") || artwork.hasPrefix("http://") ? artwork : nil
    }

    // MARK: JSON

    /// Our own form, with all there is.
    package var json: String {
        var writer = JSONWriter(reserving: 256 + plays.count * 256)
        writer.object { writer in
            writer.member("room", room.rawValue)
            writer.member("title", title)
            if let audience { writer.member("audience", audience) }
            writer.key("tracks")
            writer.beginArray()
            for play in plays {
                writer.object { writer in
                    writer.member("at_ms", play.atMilliseconds)
                    writer.member("title", orNull: play.track.title)
                    writer.member("artist", orNull: play.track.artist)
                    writer.member("album", orNull: play.track.album)
                    writer.member("duration_us", orNull: play.track.durationMicroseconds)
                    writer.member("artwork", orNull: play.track.artwork)
                    writer.member("host", orNull: play.host?.uid.rawValue)
                }
            }
            writer.endArray()
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: CSV

    /// A table with a line of names, for the reports that rights societies and spreadsheets take.
    ///
    /// Source: RFC 4180. A text that a spreadsheet would take for a formula begins with an apostrophe.
    package var csv: String {
        // The sums of the broadcast stand in every line: a table has no other place for them.
        let sums = audience.map { ",\($0.listeners),\($0.peak),\($0.listenedMilliseconds / 60_000)" } ?? ""
        var text = "at,title,artist,album,seconds,host"
        if audience != nil { text += ",listeners,peak,listener_minutes" }
        text += "\r\n"
        for play in plays {
            let track = play.track
            let seconds = track.durationMicroseconds.map { String(Self.rounded($0, by: 1_000_000)) } ?? ""
            let host = play.host.map { $0.username?.rawValue ?? $0.uid.rawValue } ?? ""
            let cells = [track.title ?? "", track.artist ?? "", track.album ?? "", seconds, host].map(Self.cell)
            text += "\(Self.date(play.atMilliseconds)),\(cells.joined(separator: ","))\(sums)\r\n"
        }
        return text
    }

    private static func cell(_ text: String) -> String {
        let line = line(text)
        let isFormula = line.first.map { "=+-@".contains($0) } ?? false
        let cell = isFormula ? "'" + line : line
        guard cell.contains(where: { $0 == "," || $0 == "\"" }) else { return cell }
        return "\"" + cell.replacing("\"", with: "\"\"") + "\""
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
