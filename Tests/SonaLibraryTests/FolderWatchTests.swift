import Glibc
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// Changes of a folder that is followed, without a scan being asked for.
@Suite struct FolderWatchTests {
    /// Waits for the titles that an account sees.
    private func wait(_ shelf: Shelf, for titles: [String], _ comment: Comment) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        var seen: [String] = []
        while ContinuousClock.now < deadline {
            seen = try await shelf.tracks().map(\.title).sorted()
            if seen == titles.sorted() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(seen == titles.sorted(), comment)
    }

    @Test func `new, moved and removed files and directories are followed`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/a/1.mp3", pitch: 300, ["title": "One"])
        try shelf.make("Music/b/2.mp3", pitch: 301, ["title": "Two"])
        try await shelf.scan()
        await shelf.library.folders.follow(rescanEvery: 0)
        let one = try #require(try await shelf.tracks().first { $0.title == "One" }).id
        // The watch begins on a thread of its own.
        try await Task.sleep(for: .milliseconds(500))
        try shelf.make("Music/c/d/3.mp3", pitch: 302, ["title": "Three"])
        try await wait(shelf, for: ["One", "Two", "Three"], "a file in new directories")
        shelf.rename("Music/a/1.mp3", "Music/c/1.mp3")
        shelf.rename("Music/b", "elsewhere")
        try await wait(shelf, for: ["One", "Three"], "a directory that was moved away")
        #expect(try await shelf.tracks().first { $0.title == "One" }?.id == one)
        shelf.rename("elsewhere", "Music/e")
        try await wait(shelf, for: ["One", "Two", "Three"], "a directory that was moved in")
        shelf.remove("Music/c/d/3.mp3")
        #expect(rmdir(shelf.folder.file("Music/c/d")) == 0)
        try await wait(shelf, for: ["One", "Two"], "a directory that was removed")
        await shelf.close()
    }
}
