import Glibc
import SonaBase
import SonaCrypto
import SonaDatabase
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

extension Shelf {
    func bytes(_ path: String) throws -> [UInt8] { try WholeFile.read(folder.file(path)) }

    /// Uploads bytes in pieces of a size; each piece is a request.
    @discardableResult
    func upload(
        _ bytes: [UInt8], by owner: UserID, name: String? = "song.flac", pieceBytes: Int = 1 << 20
    ) async throws -> (track: MusicID, isNew: Bool) {
        let state = try await library.uploads.create(
            NewUpload(owner: owner, length: Int64(bytes.count), name: name, isResumable: true))
        var offset = 0
        while offset < bytes.count {
            let piece = Array(bytes[offset..<min(offset + pieceBytes, bytes.count)])
            offset = Int(try await send(piece, to: state.id, by: owner, at: Int64(offset)).offset)
        }
        return try await library.uploads.complete(state.id)
    }

    func send(
        _ bytes: [UInt8], to id: MusicID, by owner: UserID, at offset: Int64, checksum: UploadChecksum? = nil,
        isWhole: Bool = true
    ) async throws -> UploadState {
        let piece = library.uploads.piece(
            .existing(id, by: owner, offset: offset), bytes: Int64(bytes.count), checksum: checksum)
        return try await library.uploads.run {
            try piece.write(bytes)
            piece.finish(isWhole: isWhole)
            return try piece.result()
        }
    }

    func open(_ track: MusicID, by account: Accounts.Account) async throws -> [UInt8] {
        let open = try await library.tracks.open(track, for: try await library.listener(for: account))
        defer { Glibc.close(open.descriptor) }
        return try WholeFile.read(descriptor: open.descriptor)
    }

    /// Names of all files of uploads: what is derived from them has folders of its own.
    var mediaFiles: [String] {
        var files: [String] = []
        func walk(_ path: String) {
            guard let stream = opendir(path) else { return }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name == "." || name == ".." { continue }
                if entry.pointee.d_type != UInt8(DT_DIR) {
                    files.append(name)
                } else if name == "incoming" || name.utf8.count == 2 {
                    walk("\(path)/\(name)")
                }
            }
        }
        walk(folder.file("data/media"))
        return files.sorted()
    }

    func code<Value>(_ body: () async throws -> Value) async -> ErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? Refusal)?.code }
    }

    /// Waits for work that nobody waits for.
    func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
        for _ in 0..<200 {
            if try await condition() { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}

/// Uploads with a real database, real files and the real worker; requests are made of the module.
struct UploadTests {
    @Test func `an upload in pieces becomes a track of its owner alone, with the bytes as they came`() async throws {
        let shelf = try await Shelf(folders: [])
        try shelf.make("a.flac", ["title": "First", "artist": "Ada", "album": "Tones"])
        let bytes = try shelf.bytes("a.flac")
        let (ada, bob) = (try await shelf.signUp("ada"), try await shelf.signUp("bob"))
        let (track, isNew) = try await shelf.upload(bytes, by: ada.uid, pieceBytes: 1_000)
        #expect(isNew)
        #expect(try await shelf.open(track, by: ada) == bytes)
        let found = try await shelf.library.finder.track(track, for: try await shelf.library.listener(for: ada))
        #expect(found.title == "First" && found.artists.map(\.name) == ["Ada"] && found.album?.name == "Tones")
        #expect(found.owner == ada.uid && found.status == nil && found.access == .full)
        #expect(await shelf.code { try await shelf.open(track, by: bob) } == .trackNotFound)
        #expect(shelf.mediaFiles == [MediaFolder.hex(Digest.sha256(bytes)[...])])
        await shelf.close()
    }

    @Test func `the name is the title of a track without one, and of a path the last part counts`() async throws {
        let shelf = try await Shelf(folders: [])
        try shelf.make("a.wav")
        let ada = try await shelf.signUp("ada")
        let (track, _) = try await shelf.upload(
            try shelf.bytes("a.wav"), by: ada.uid, name: "C:\\Music/Nice\u{0} Evening.wav")
        let found = try await shelf.library.finder.track(track, for: try await shelf.library.listener(for: ada))
        #expect(found.title == "Nice Evening")
        let open = try await shelf.library.tracks.open(track, for: try await shelf.library.listener(for: ada))
        close(open.descriptor)
        #expect(open.fileName == "Nice Evening.wav")
        await shelf.close()
    }

    @Test func `the same content is one file, and of one account one track`() async throws {
        let shelf = try await Shelf(folders: [])
        try shelf.make("a.flac", ["title": "First"])
        let bytes = try shelf.bytes("a.flac")
        let (ada, bob) = (try await shelf.signUp("ada"), try await shelf.signUp("bob"))
        let first = try await shelf.upload(bytes, by: ada.uid)
        let again = try await shelf.upload(bytes, by: ada.uid, name: "other.flac")
        #expect(first.isNew && !again.isNew && first.track == again.track)
        let others = try await shelf.upload(bytes, by: bob.uid)
        #expect(others.isNew && others.track != first.track)
        #expect(shelf.mediaFiles.count == 1)
        let usage = try await shelf.library.uploads.usage(of: ada.uid, managesAll: true)
        #expect(usage.usedBytes == Int64(bytes.count) && usage.trackCount == 1 && usage.uploads.isEmpty)
        #expect(usage.server?.usedBytes == Int64(bytes.count) && usage.server?.fileCount == 1)
        let owners = Set(usage.server?.accounts.map(\.user.uid) ?? [])
        #expect(owners == [ada.uid, bob.uid])
        // The file goes with the last track of it.
        try await shelf.library.tracks.remove(first.track, by: ada.uid)
        await shelf.library.uploads.sweep()
        #expect(shelf.mediaFiles.count == 1)
        #expect(try await shelf.open(others.track, by: bob) == bytes)
        try await shelf.library.tracks.remove(others.track, by: bob.uid)
        #expect(await shelf.eventually { shelf.mediaFiles.isEmpty })
        await shelf.close()
    }

    @Test func `a file that is no music is refused, and nothing of it stays`() async throws {
        let shelf = try await Shelf(folders: [])
        let ada = try await shelf.signUp("ada")
        let text = Array(String(repeating: "words ", count: 1_000).utf8)
        #expect(await shelf.code { try await shelf.upload(text, by: ada.uid) } == .mediaUnsupported)
        #expect(shelf.mediaFiles.isEmpty)
        let usage = try await shelf.library.uploads.usage(of: ada.uid, managesAll: false)
        #expect(usage.usedBytes == 0 && usage.comingBytes == 0 && usage.uploads.isEmpty && usage.server == nil)
        await shelf.close()
    }

    @Test func `an upload of others, or of nobody, is not there`() async throws {
        let shelf = try await Shelf(folders: [])
        let (ada, bob) = (try await shelf.signUp("ada"), try await shelf.signUp("bob"))
        let uploads = shelf.library.uploads
        let state = try await uploads.create(
            NewUpload(owner: ada.uid, length: 10, name: nil, isResumable: true))
        #expect(await shelf.code { try await uploads.status(state.id, of: bob.uid) } == .uploadNotFound)
        #expect(await shelf.code { try await uploads.terminate(state.id, of: bob.uid) } == .uploadNotFound)
        #expect(
            await shelf.code { try await shelf.send([1], to: state.id, by: bob.uid, at: 0) } == .uploadNotFound)
        try await uploads.terminate(state.id, of: ada.uid)
        #expect(await shelf.code { try await uploads.status(state.id, of: ada.uid) } == .uploadNotFound)
        await shelf.close()
    }

    @Test func `a piece counts at the server's offset only, and no further than the length`() async throws {
        let shelf = try await Shelf(folders: [])
        let ada = try await shelf.signUp("ada")
        let id = try await shelf.library.uploads.create(
            NewUpload(owner: ada.uid, length: 10, name: nil, isResumable: true)
        ).id
        #expect(try await shelf.send([1, 2, 3], to: id, by: ada.uid, at: 0).offset == 3)
        for offset: Int64 in [0, 2, 4] {
            #expect(
                await shelf.code { try await shelf.send([4], to: id, by: ada.uid, at: offset) }
                    == .uploadOffsetConflict)
        }
        #expect(
            await shelf.code { try await shelf.send([UInt8](repeating: 0, count: 8), to: id, by: ada.uid, at: 3) }
                == .uploadTooLarge)
        #expect(try await shelf.library.uploads.status(id, of: ada.uid).0.offset == 3)
        await shelf.close()
    }

    @Test func `a cut request counts as far as it came`() async throws {
        let shelf = try await Shelf(folders: [])
        let ada = try await shelf.signUp("ada")
        let id = try await shelf.library.uploads.create(
            NewUpload(owner: ada.uid, length: 100, name: nil, isResumable: true)
        ).id
        let state = try await shelf.send([1, 2, 3, 4], to: id, by: ada.uid, at: 0, isWhole: false)
        #expect(state.offset == 4)
        #expect(try shelf.bytes("data/media/incoming/\(id)") == [1, 2, 3, 4])
        await shelf.close()
    }

    @Test func `bytes with a checksum count all or not at all`() async throws {
        let shelf = try await Shelf(folders: [])
        let ada = try await shelf.signUp("ada")
        let id = try await shelf.library.uploads.create(
            NewUpload(owner: ada.uid, length: 100, name: nil, isResumable: true)
        ).id
        let right = UploadChecksum(.sha256, Digest.sha256([1, 2, 3]))
        _ = try await shelf.send([1, 2, 3], to: id, by: ada.uid, at: 0, checksum: right)
        #expect(
            await shelf.code { try await shelf.send([1, 2, 4], to: id, by: ada.uid, at: 3, checksum: right) }
                == .uploadChecksumMismatch)
        #expect(
            await shelf.code {
                try await shelf.send([1, 2, 3], to: id, by: ada.uid, at: 3, checksum: right, isWhole: false)
            } == .uploadChecksumMismatch)
        #expect(try await shelf.library.uploads.status(id, of: ada.uid).0.offset == 3)
        #expect(try shelf.bytes("data/media/incoming/\(id)") == [1, 2, 3])
        await shelf.close()
    }

    @Test func `while one request sends to an upload, others wait`() async throws {
        let shelf = try await Shelf(folders: [])
        let ada = try await shelf.signUp("ada")
        let uploads = shelf.library.uploads
        let id = try await uploads.create(
            NewUpload(owner: ada.uid, length: 100, name: nil, isResumable: true)
        ).id
        let piece = uploads.piece(.existing(id, by: ada.uid, offset: 0), bytes: 2, checksum: nil)
        try await uploads.run { try piece.write([1]) }
        #expect(await shelf.code { try await shelf.send([1], to: id, by: ada.uid, at: 0) } == .uploadLocked)
        #expect(await shelf.code { try await uploads.terminate(id, of: ada.uid) } == .uploadLocked)
        try await uploads.run { piece.finish(isWhole: false) }
        #expect(try await shelf.send([2], to: id, by: ada.uid, at: 1).offset == 2)
        await shelf.close()
    }

    @Test func `a quota counts tracks and what is under way, up to the last byte`() async throws {
        let shelf = try await Shelf(folders: [])
        try shelf.make("a.flac")
        let bytes = try shelf.bytes("a.flac")
        let (ada, bob) = (try await shelf.signUp("ada"), try await shelf.signUp("bob"))
        let uploads = shelf.library.uploads
        var limits = UploadLimits()
        limits.accountBytes = Int64(bytes.count) + 100
        limits.fileBytes = Int64(bytes.count)
        limits.spaceBytes = Int64(bytes.count) + 150
        uploads.limits = limits
        func begin(_ account: Accounts.Account, _ length: Int64) async -> ErrorCode? {
            await shelf.code {
                try await uploads.create(
                    NewUpload(owner: account.uid, length: length, name: nil, isResumable: true))
            }
        }
        #expect(await begin(ada, limits.fileBytes + 1) == .uploadTooLarge)
        #expect(await begin(ada, 0) == .mediaUnsupported)
        try await shelf.upload(bytes, by: ada.uid)
        #expect(await begin(ada, 101) == .quotaExceeded)
        #expect(await begin(ada, 60) == nil)
        #expect(await begin(ada, 41) == .quotaExceeded)
        #expect(await begin(bob, 91) == .quotaServerFull)
        #expect(await begin(bob, 90) == nil)
        #expect(await begin(ada, 1) == .quotaServerFull)
        await shelf.close()
    }

    @Test func `an account has 32 uploads under way`() async throws {
        let shelf = try await Shelf(folders: [])
        let ada = try await shelf.signUp("ada")
        let new = NewUpload(owner: ada.uid, length: 5, name: nil, isResumable: true)
        for _ in 0..<Limits.uploadsUnderWayMax { _ = try await shelf.library.uploads.create(new) }
        #expect(await shelf.code { try await shelf.library.uploads.create(new) } == .uploadLimitReached)
        await shelf.close()
    }

    @Test func `an upload that is silent for a day is forgotten`() async throws {
        let shelf = try await Shelf(folders: [])
        let ada = try await shelf.signUp("ada")
        let uploads = shelf.library.uploads
        let new = NewUpload(owner: ada.uid, length: 100, name: nil, isResumable: true)
        let id = try await uploads.create(new).id
        _ = try await shelf.send([1, 2, 3], to: id, by: ada.uid, at: 0)
        shelf.ahead.withLock { $0 += Int64(Limits.uploadIdleSeconds) * 1_000 - 2_000 }
        await uploads.sweep()
        #expect(try await uploads.status(id, of: ada.uid).0.offset == 3)
        shelf.ahead.withLock { $0 += 3_000 }
        #expect(await shelf.code { try await uploads.status(id, of: ada.uid) } == .uploadNotFound)
        #expect(shelf.mediaFiles == [id.rawValue])
        await uploads.sweep()
        #expect(shelf.mediaFiles.isEmpty)
        await shelf.close()
    }

    @Test func `a plain upload that is cut leaves nothing`() async throws {
        let shelf = try await Shelf(folders: [])
        let ada = try await shelf.signUp("ada")
        let uploads = shelf.library.uploads
        let piece = uploads.piece(
            .new(NewUpload(owner: ada.uid, length: 10, name: "a.mp3", isResumable: false)), bytes: 10, checksum: nil)
        try await uploads.run {
            try piece.write([1, 2, 3])
            piece.finish(isWhole: false)
        }
        #expect(shelf.mediaFiles.isEmpty)
        #expect(try await uploads.usage(of: ada.uid, managesAll: false).uploads.isEmpty)
        await shelf.close()
    }

    // MARK: After a kill

    @Test func `an offset beyond the file is taken back, and bytes beyond the offset do not count`() async throws {
        let shelf = try await Shelf(folders: [])
        let ada = try await shelf.signUp("ada")
        let uploads = shelf.library.uploads
        let id = try await uploads.create(
            NewUpload(owner: ada.uid, length: 100, name: nil, isResumable: true)
        ).id
        _ = try await shelf.send([1, 2, 3, 4], to: id, by: ada.uid, at: 0)
        // The kill came after bytes that nobody was told of.
        shelf.write([1, 2, 3, 4, 9, 9], "data/media/incoming/\(id)")
        _ = try await shelf.send([5], to: id, by: ada.uid, at: 4)
        #expect(try shelf.bytes("data/media/incoming/\(id)") == [1, 2, 3, 4, 5])
        shelf.write([1, 2], "data/media/incoming/\(id)")
        #expect(await shelf.code { try await shelf.send([6], to: id, by: ada.uid, at: 5) } == .uploadOffsetConflict)
        #expect(try await uploads.status(id, of: ada.uid).0.offset == 2)
        await shelf.close()
    }

    @Test func `what a killed server left is finished or removed at the next start`() async throws {
        let shelf = try await Shelf(folders: [])
        for (index, name) in ["a.flac", "b.flac"].enumerated() {
            try shelf.make(name, pitch: 300 + 100 * index, ["title": name])
        }
        let ada = try await shelf.signUp("ada")
        let uploads = shelf.library.uploads
        // Whole, and not looked at yet.
        let whole = try shelf.bytes("a.flac")
        let first = try await uploads.create(
            NewUpload(owner: ada.uid, length: Int64(whole.count), name: "a.flac", isResumable: true)
        ).id
        _ = try await shelf.send(whole, to: first, by: ada.uid, at: 0)
        // Moved to its place, and not a track yet.
        let moved = try shelf.bytes("b.flac")
        let second = try await uploads.create(
            NewUpload(owner: ada.uid, length: Int64(moved.count), name: "b.flac", isResumable: true)
        ).id
        _ = try await shelf.send(moved, to: second, by: ada.uid, at: 0)
        let content = Digest.sha256(moved)
        _ = try await uploads.database.write { db in
            try db.execute("UPDATE uploads SET content = \(content) WHERE id = \(second)")
        }
        try uploads.folder.keep(second, as: content, size: Int64(moved.count))
        // Files that no row names.
        shelf.write([1], "data/media/incoming/\(MusicID.random(milliseconds: 1))")
        let stray = Digest.sha256([7])
        shelf.write([7], "data/media/stray")
        try uploads.folder.keep(strayUpload(shelf), as: stray, size: 1)
        await uploads.recover()
        let titles = try await shelf.library.finder.list(
            LibraryList(limit: 10), for: try await shelf.library.listener(for: ada)
        ).tracks.map(\.title)
        #expect(Set(titles) == ["a.flac", "b.flac"])
        let contents = [MediaFolder.hex(Digest.sha256(whole)[...]), MediaFolder.hex(content[...])].sorted()
        #expect(shelf.mediaFiles == (contents + ["stray"]).sorted())
        for id in [first, second] {
            let status = try await uploads.status(id, of: ada.uid)
            #expect(status.track != nil)
        }
        await shelf.close()
    }

    /// A file in `incoming` with one byte, as that of an upload.
    private func strayUpload(_ shelf: Shelf) -> MusicID {
        let id = MusicID.random(milliseconds: 2)
        shelf.write([7], "data/media/incoming/\(id)")
        return id
    }

    // MARK: The sweep

    @Test func `a content that somebody is about to name is not removed`() async throws {
        let shelf = try await Shelf(folders: [])
        let uploads = shelf.library.uploads
        let content = Digest.sha256([7])
        try uploads.folder.keep(strayUpload(shelf), as: content, size: 1)
        uploads.contents.hold(content)
        #expect(try await uploads.run { try uploads.contents.removeIfUnnamed(content) } == false)
        #expect(shelf.mediaFiles == [MediaFolder.hex(content[...])])
        uploads.contents.release(content)
        #expect(try await uploads.run { try uploads.contents.removeIfUnnamed(content) })
        #expect(shelf.mediaFiles.isEmpty)
        await shelf.close()
    }

    @Test func `two accounts that bring and remove one content at once never lose it`() async throws {
        let shelf = try await Shelf(folders: [])
        try shelf.make("a.flac", ["title": "First"])
        let bytes = try shelf.bytes("a.flac")
        let (ada, bob) = (try await shelf.signUp("ada"), try await shelf.signUp("bob"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for account in [ada, bob] {
                group.addTask {
                    for _ in 0..<8 {
                        let (track, _) = try await shelf.upload(bytes, by: account.uid)
                        #expect(try await shelf.open(track, by: account) == bytes)
                        try await shelf.library.tracks.remove(track, by: account.uid)
                    }
                }
            }
            group.addTask { for _ in 0..<20 { await shelf.library.uploads.sweep() } }
            try await group.waitForAll()
        }
        #expect(await shelf.eventually { shelf.mediaFiles.isEmpty })
        await shelf.close()
    }

    // MARK: Accounts

    @Test func `the export lists uploads, and with the account they go`() async throws {
        let shelf = try await Shelf(folders: [])
        try shelf.make("a.flac", ["title": "First"])
        let bytes = try shelf.bytes("a.flac")
        let ada = try await shelf.signUp("ada")
        try await shelf.upload(bytes, by: ada.uid, name: "a.flac")
        _ = try await shelf.library.uploads.create(
            NewUpload(owner: ada.uid, length: 10, name: "b.flac", isResumable: true))
        let (data, code) = try await shelf.model.accounts.export(ada)
        let track = data["library"]?["tracks"]?.array?.first
        #expect(track?["title"]?.string == "First" && track?["file"]?.string == "a.flac")
        #expect(track?["sha256"]?.string == MediaFolder.hex(Digest.sha256(bytes)[...]))
        #expect(data["library"]?["uploads"]?.array?.first?["name"]?.string == "b.flac")
        try await shelf.model.accounts.remove(ada, code: code)
        await shelf.library.uploads.sweep()
        #expect(shelf.mediaFiles.isEmpty)
        let usage = try await shelf.library.uploads.usage(of: ada.uid, managesAll: true)
        #expect(usage.server?.usedBytes == 0 && usage.server?.uploadCount == 0)
        await shelf.close()
    }

    @Test func `the export names the folders an account was chosen for, and what it edited`() async throws {
        let shelf = try await Shelf(folders: ["Music", "Open"])
        try shelf.make("Music/a.flac", pitch: 300, ["title": "First"])
        try shelf.make("a.flac", pitch: 301, ["title": "Second"])
        try await shelf.scan()
        let (ada, bob) = (try await shelf.signUp("ada"), try await shelf.signUp("bob"))
        let id = try await shelf.upload(try shelf.bytes("a.flac"), by: ada.uid, name: "a.flac").track
        try await shelf.library.folders.update(
            LibraryFolderUpdate(folder: "Music", audience: .chosen, users: [ada.uid]), by: nil)
        try await shelf.library.tracks.update(
            TrackUpdate(track: id, title: "Mended", genres: [], year: 1999), by: ada.uid)
        let library = try #require(try await shelf.model.accounts.export(ada).data["library"])
        #expect(library["folders"]?.array?.compactMap(\.string) == ["Music"])
        let edits = try #require(library["edits"]?.array)
        #expect(edits.count == 1 && edits[0]["track"]?.string == id.rawValue && edits[0]["title"]?.string == "Mended")
        #expect(edits[0]["genres"]?.array?.isEmpty == true && edits[0]["album"] == nil)
        let other = try #require(try await shelf.model.accounts.export(bob).data["library"])
        #expect(other["folders"]?.array?.isEmpty == true && other["edits"]?.array?.isEmpty == true)
        await shelf.close()
    }

    @Test func `nothing is stored of an account that was removed while it sent`() async throws {
        let shelf = try await Shelf(folders: [])
        let ada = try await shelf.signUp("ada")
        let uploads = shelf.library.uploads
        let id = try await uploads.create(
            NewUpload(owner: ada.uid, length: 100, name: nil, isResumable: true)
        ).id
        let piece = uploads.piece(.existing(id, by: ada.uid, offset: 0), bytes: 2, checksum: nil)
        try await uploads.run { try piece.write([1]) }
        let (_, code) = try await shelf.model.accounts.export(ada)
        try await shelf.model.accounts.remove(ada, code: code)
        await #expect(throws: Refusal(.uploadNotFound)) {
            try await uploads.run {
                piece.finish(isWhole: false)
                _ = try piece.result()
            }
        }
        #expect(shelf.mediaFiles.isEmpty)
        await shelf.close()
    }
}
