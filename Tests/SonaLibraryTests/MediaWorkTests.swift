import Glibc
import SonaAudio
import SonaBase
import SonaDatabase
import SonaModel
import SonaTestSupport
import SonaTranscode
import SonaWire
import Testing

@testable import SonaLibrary

/// Tracks that are measured and made into Opus by ffmpeg in its sandbox.
@Suite struct MediaWorkTests {
    private func opus(_ bytes: [UInt8], _ shelf: MediaShelf) throws -> OggOpusFile {
        TemporaryFolder.write(bytes, toFile: shelf.folder.file("heard.opus"))
        return try OggOpusFile(path: shelf.folder.file("heard.opus"))
    }

    private func seconds(_ file: OggOpusFile) -> Double { Double(file.streams[0].durationSamples) / 48_000 }

    @Test func `a scan has its tracks measured, and a changed file again`() async throws {
        let shelf = try await MediaShelf()
        try shelf.make("one.flac")
        try shelf.make("two.mp3", "-b:a 128k")
        TemporaryFolder.write(Array("fLaC and then nothing".utf8), toFile: shelf.folder.file("Music/odd.flac"))
        try await shelf.scan()
        for name in ["one.flac", "two.mp3"] {
            try await shelf.until { try await shelf.track(name).loudness != nil }
        }
        // A sine of −20 dBFS in both channels: −20.0 LUFS, −20 dBTP (EBU Tech 3341, test 1 with its levels).
        let loudness = try #require(try await shelf.track("one.flac").loudness)
        #expect(abs(loudness + 2000) <= 20, "\(loudness)")
        let outline = try await shelf.library.media.outline(try await shelf.track("one.flac").id, for: shelf.listener)
        #expect(outline.version == 1 && outline.peaks.count == 1000)
        #expect(outline.peaks.allSatisfy { 24...27 ~= $0 }, "0.1 of full scale")
        let jobs = try await shelf.library.jobs.list(JobsList(), for: nil).jobs
        #expect(jobs.map(\.kind) == ["measure"])
        // Nothing is left to do.
        await shelf.library.media.measure()
        #expect(try await shelf.library.jobs.list(JobsList(), for: nil).jobs.count == 1)
        try shelf.make("one.flac", seconds: 3, "-af volume=0.5")
        try await shelf.scan()
        try await shelf.until { (try await shelf.track("one.flac").loudness ?? 0) < -2500 }
        await shelf.close()
    }

    @Test func `a file that can't be decoded is measured once, with its reason`() async throws {
        let shelf = try await MediaShelf()
        try shelf.make("one.mp3", seconds: 4, "-b:a 128k")
        try await shelf.scan()
        try await shelf.until { try await shelf.track("one.mp3").loudness != nil }
        TemporaryFolder.write([UInt8](repeating: 0x20, count: 5_000), toFile: shelf.folder.file("Music/one.mp3"))
        try await shelf.daos.library.media.write { db in
            try db.execute("DELETE FROM track_measures")
            try db.execute("UPDATE tracks SET loudness = NULL")
        }
        let id = try await shelf.track("one.mp3").id
        let listener = try await shelf.listener
        let refusal = await #expect(throws: Refusal.self) {
            try await shelf.library.media.outline(id, for: listener)
        }
        #expect(refusal?.code == .trackConversionFailed && refusal?.message?.isEmpty == false)
        let count = try await shelf.library.jobs.list(JobsList(), for: nil).jobs.count
        await #expect(throws: Refusal.self) { try await shelf.library.media.outline(id, for: listener) }
        #expect(try await shelf.library.jobs.list(JobsList(), for: nil).jobs.count == count)
        await shelf.close()
    }

    @Test func `a rendition is made once for all who ask, and kept`() async throws {
        let shelf = try await MediaShelf()
        try shelf.make("song.flac", seconds: 30)
        try await shelf.scan()
        async let one = shelf.rendition("song.flac", isWhole: false)
        async let two = shelf.rendition("song.flac")
        async let three = shelf.rendition("song.flac", isWhole: false)
        let heard = try await [one, two, three].compactMap(\.self)
        #expect(heard.count == 3 && Set(heard).count == 1)
        let file = try opus(heard[0], shelf)
        #expect(abs(seconds(file) - 30) < 0.05 && file.streams[0].head.channels == 2 && !file.isTruncated)
        #expect(try file.packet(stream: 0, at: 10).samples == 960)
        #expect(file.streams[0].tags.title == "song.flac")
        #expect(try await shelf.rendition("song.flac") == heard[0])
        let jobs = try await shelf.ended("rendition")
        #expect(jobs.count == 1 && jobs[0].state == .done && jobs[0].done == jobs[0].total)
        #expect(shelf.made.count == 1)
        await shelf.close()
    }

    @Test func `another file of the same track has another rendition, and the old one goes`() async throws {
        let shelf = try await MediaShelf()
        try shelf.make("song.flac")
        try await shelf.scan()
        let first = try await shelf.rendition("song.flac")
        try shelf.make("song.flac", seconds: 3)
        try await shelf.scan()
        let second = try #require(try await shelf.rendition("song.flac"))
        #expect(first != second)
        #expect(abs(seconds(try opus(second, shelf)) - 3) < 0.05)
        #expect(shelf.made.count == 2)
        await shelf.library.media.tidy()
        #expect(shelf.made.count == 1)
        #expect(try await shelf.rendition("song.flac") == second)
        await shelf.close()
    }

    @Test func `Ogg Opus is played as it is, other Ogg is not`() async throws {
        let shelf = try await MediaShelf()
        try shelf.make("plain.opus", "-c:a libopus")
        try shelf.make("vorbis.ogg", "-c:a flac -f ogg")
        try await shelf.scan()
        #expect(try await shelf.rendition("plain.opus") == nil)
        let made = try #require(try await shelf.rendition("vorbis.ogg"))
        #expect(abs(seconds(try opus(made, shelf)) - 2) < 0.05)
        await shelf.close()
    }

    @Test func `a preview is 30 seconds from a third on, and half of a short track`() async throws {
        let shelf = try await MediaShelf()
        try shelf.make("long.mp3", seconds: 90, "-b:a 64k")
        try shelf.make("short.mp3", seconds: 4, "-b:a 64k")
        try await shelf.scan()
        let long = try opus(try #require(try await shelf.rendition("long.mp3", .preview)), shelf)
        #expect(abs(seconds(long) - 30) < 0.05)
        let short = try opus(try #require(try await shelf.rendition("short.mp3", .preview)), shelf)
        #expect(abs(seconds(short) - 2) < 0.05)
        #expect(shelf.made.count == 2 && shelf.made.allSatisfy { $0.contains("preview") })
        // A file that was cut has nothing at a third of what it says: the clip is from its beginning.
        try shelf.make("cut.flac", seconds: 60)
        let path = shelf.folder.file("Music/cut.flac")
        let bytes = try #require(TemporaryFolder.bytes(ofFile: path))
        TemporaryFolder.write(Array(bytes.prefix(bytes.count / 10)), toFile: path)
        try await shelf.scan()
        let cut = try opus(try #require(try await shelf.rendition("cut.flac", .preview)), shelf)
        #expect((3...7).contains(seconds(cut)), "\(seconds(cut))")
        #expect(RenditionJob.excerpt(ofMilliseconds: 90_000).start == 30)
        #expect(RenditionJob.excerpt(ofMilliseconds: 59_000).length == 29.5)
        #expect(RenditionJob.excerpt(ofMilliseconds: 0).length == 30)
        await shelf.close()
    }

    @Test func `a failure is remembered with its reason until somebody tries again`() async throws {
        let shelf = try await MediaShelf()
        try shelf.make("song.mp3", seconds: 4, "-b:a 64k")
        try await shelf.scan()
        try await shelf.until { try await shelf.track("song.mp3").loudness != nil }
        let path = shelf.folder.file("Music/song.mp3")
        let bytes = try #require(TemporaryFolder.bytes(ofFile: path))
        TemporaryFolder.write([UInt8](repeating: 0x20, count: bytes.count), toFile: path)
        for _ in 0..<2 {
            let refusal = await #expect(throws: Refusal.self) { try await shelf.rendition("song.mp3") }
            #expect(refusal?.code == .trackConversionFailed && refusal?.message?.contains("sound file") == true)
        }
        let jobs = try await shelf.ended("rendition")
        #expect(jobs.count == 1 && jobs[0].state == .failed && jobs[0].error == "not_sound")
        #expect(shelf.made.isEmpty)
        TemporaryFolder.write(bytes, toFile: path)
        _ = try await shelf.library.jobs.retry(jobs[0].id, by: nil)
        try await shelf.until { try await shelf.library.jobs.get(jobs[0].id, for: nil).state == .done }
        #expect(try await shelf.rendition("song.mp3") != nil)
        await shelf.close()
    }

    @Test func `those heard longest ago make room, and one too large is refused`() async throws {
        // Ten seconds are some 200 KB.
        let shelf = try await MediaShelf(renditionBytes: 500_000)
        for name in ["a.flac", "b.flac", "c.flac"] { try shelf.make(name, seconds: 10) }
        try shelf.make("huge.flac", seconds: 40)
        try await shelf.scan()
        _ = try await shelf.rendition("a.flac")
        _ = try await shelf.rendition("b.flac")
        let a = try await shelf.track("a.flac").id.rawValue
        let b = try await shelf.track("b.flac").id.rawValue
        // As after a restart: what was used is told by the access time.
        let path = try #require(shelf.made.first { $0.hasPrefix(b) })
        let folder = shelf.folder
        await shelf.close()
        let times = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 1_000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, folder.file("data/media/renditions/\(path)"), times, 0) == 0)
        TemporaryFolder.write([1, 2, 3], toFile: folder.file("data/media/renditions/half.opus.part"))
        let again = try await MediaShelf(folder, renditionBytes: 500_000)
        #expect(again.made.count == 2, "what was half done is gone: \(again.made)")
        _ = try await again.rendition("c.flac")
        #expect(again.made.contains { $0.hasPrefix(a) } && !again.made.contains { $0.hasPrefix(b) })
        let refusal = await #expect(throws: Refusal.self) { try await again.rendition("huge.flac") }
        #expect(refusal?.code == .trackConversionFailed)
        #expect(again.library.media.renditionFigures.bytes <= 500_000)
        await again.close()
    }

    @Test func `a cancelled rendition leaves nothing, and whoever waits is told`() async throws {
        let shelf = try await MediaShelf()
        try shelf.make("song.mp3", seconds: 1_800, "-b:a 32k")
        try await shelf.scan()
        let heard = Task { try await shelf.rendition("song.mp3") }
        try await shelf.until {
            try await shelf.library.jobs.list(JobsList(state: .running, kind: "rendition"), for: nil).jobs.count == 1
        }
        let job = try await shelf.library.jobs.list(JobsList(kind: "rendition"), for: nil).jobs[0]
        _ = try await shelf.library.jobs.cancel(job.id, by: nil)
        let refusal = await #expect(throws: Refusal.self) { _ = try await heard.value }
        #expect(refusal?.code == .serverBusy)
        #expect(shelf.made.isEmpty)
        await shelf.close()
    }
}
