internal import SonaBase
internal import SonaLibrary
internal import SonaWire

/// Seconds, rounded to the nearest.
func seconds(_ milliseconds: Int64) -> Int64 { (milliseconds + 500) / 1_000 }

/// `2026-11-21T19:22:52Z`.
func date(_ milliseconds: Int64?) -> String? { milliseconds.map { UTC.text(milliseconds: $0) } }

extension MusicCover {
    /// The identifier of a cover: its key, so that another picture has another identifier and apps may keep it for ever.
    var key: String { String(path.dropFirst(Limits.coversPathPrefix.count)) }
}

extension [MusicName] {
    /// All names as one line; `nil` if there are none.
    var line: String? { isEmpty ? nil : map(\.name).joined(separator: ", ") }

    var elements: [SonaSubsonic.Element] {
        map { name in
            var element = SonaSubsonic.Element()
            element.set("id", name.id.rawValue)
            element.set("name", name.name)
            return element
        }
    }
}

private func genres(_ names: [String]) -> [Element] {
    names.map { name in
        var genre = Element()
        genre.set("name", name)
        return genre
    }
}

// MARK: Tracks

extension ShelvedTrack {
    /// A `Child` that is a song.
    var element: Element {
        var song = Element()
        song.set("id", track.id.rawValue)
        song.set("parent", track.album?.id.rawValue)
        song.set("isDir", false)
        song.set("title", track.title)
        song.set("album", track.album?.name)
        song.set("artist", track.artists.line)
        song.set("track", track.place)
        song.set("year", track.year)
        song.set("genre", track.genres.first?.name)
        song.set("coverArt", track.cover?.key)
        if size > 0 { song.set("size", size) }
        song.set("contentType", SoundFormat.contentType(track.kind))
        song.set("suffix", ending)
        if ending != "opus" {
            song.set("transcodedContentType", "audio/ogg")
            song.set("transcodedSuffix", "opus")
        }
        song.set("duration", seconds(track.durationMilliseconds))
        if track.bitrate > 0 { song.set("bitRate", track.bitrate) }
        if track.sampleRate > 0 { song.set("samplingRate", track.sampleRate) }
        if track.channels > 0 { song.set("channelCount", track.channels) }
        song.set("path", path)
        song.set("isVideo", false)
        song.set("userRating", track.rating)
        song.set("playCount", track.plays)
        song.set("discNumber", track.disc)
        song.set("created", date(track.addedMilliseconds))
        song.set("starred", date(likedMilliseconds))
        song.set("albumId", track.album?.id.rawValue)
        song.set("artistId", track.artists.first?.id.rawValue)
        song.set("type", "music")
        song.set("mediaType", "song")
        song.set("genres", genres(track.genres.map(\.name)))
        song.set("artists", track.artists.elements)
        song.set("displayArtist", track.artists.line)
        song.set("albumArtists", albumArtists.elements)
        song.set("displayAlbumArtist", albumArtists.line)
        if track.gain != nil || track.albumGain != nil {
            var gain = Element()
            gain.set("trackGain", track.gain.map { Double($0) / 100 })
            gain.set("albumGain", track.albumGain.map { Double($0) / 100 })
            song.set("replayGain", gain)
        }
        return song
    }

    var ending: String { suffix.isEmpty ? SoundFormat.ending(track.kind) : suffix }

    /// Where it would lie in a folder of music: real places are not told. Apps name files that they keep by it.
    private var path: String {
        func name(_ text: String?) -> String {
            let text = (text ?? "").replacing("/", with: "_")
            return text.isEmpty || text == "." || text == ".." ? "Unknown" : text
        }
        let place = [track.disc.map { "\($0)" }, track.place.map { $0 < 10 ? "0\($0)" : "\($0)" }].compactMap(\.self)
        let number = place.isEmpty ? "" : place.joined(separator: "-") + " "
        return "\(name((albumArtists.isEmpty ? track.artists : albumArtists).line))/\(name(track.album?.name))/"
            + "\(number)\(name(track.title)).\(ending)"
    }
}

// MARK: Albums

extension ShelvedAlbum {
    private var artistLine: String {
        if let line = album.artists.line { return line }
        return artist.isEmpty ? "Various Artists" : artist
    }

    /// An `AlbumID3`.
    var element: Element {
        var told = Element()
        told.set("id", album.id.rawValue)
        told.set("name", album.name)
        told.set("artist", artistLine)
        told.set("artistId", album.artists.first?.id.rawValue)
        told.set("coverArt", album.cover?.key)
        told.set("songCount", album.trackCount)
        told.set("duration", seconds(album.durationMilliseconds))
        told.set("playCount", plays)
        told.set("created", date(addedMilliseconds))
        told.set("starred", date(likedMilliseconds))
        told.set("year", album.year)
        told.set("genre", self.genres.first)
        told.set("userRating", album.rating)
        told.set("genres", SonaSubsonic.genres(self.genres))
        told.set("artists", album.artists.elements)
        told.set("displayArtist", artistLine)
        told.set("isCompilation", album.artists.isEmpty)
        return told
    }

    /// The same as a folder of a music folder: a `Child` that is no song.
    var folder: Element {
        var told = Element()
        told.set("id", album.id.rawValue)
        told.set("parent", album.artists.first?.id.rawValue)
        told.set("isDir", true)
        // Not all apps agree on the name, and some want what an `AlbumID3` has.
        told.set("title", album.name)
        told.set("name", album.name)
        told.set("album", album.name)
        told.set("songCount", album.trackCount)
        told.set("artist", artistLine)
        told.set("year", album.year)
        told.set("genre", self.genres.first)
        told.set("coverArt", album.cover?.key)
        told.set("duration", seconds(album.durationMilliseconds))
        told.set("userRating", album.rating)
        told.set("playCount", plays)
        told.set("created", date(addedMilliseconds))
        told.set("starred", date(likedMilliseconds))
        told.set("artistId", album.artists.first?.id.rawValue)
        told.set("mediaType", "album")
        // Older apps look for these in what is no song, too.
        told.set("isVideo", false)
        return told
    }
}

// MARK: Artists

extension ShelvedArtist {
    /// An `ArtistID3`, which can be told as an `Artist`, too.
    var element: Element {
        var told = Element()
        told.set("id", id.rawValue)
        told.set("name", name)
        told.set("coverArt", id.rawValue)
        told.set("albumCount", albumCount)
        told.set("starred", date(likedMilliseconds))
        told.set("userRating", rating)
        return told
    }

    /// The same as a folder of a music folder.
    var folder: Element {
        var told = Element()
        told.set("id", id.rawValue)
        told.set("isDir", true)
        told.set("title", name)
        told.set("artist", name)
        told.set("coverArt", id.rawValue)
        told.set("starred", date(likedMilliseconds))
        told.set("mediaType", "artist")
        return told
    }
}
