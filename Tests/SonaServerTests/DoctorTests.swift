import Foundation
import Testing

@testable import sona

/// What `sona doctor` makes of what it sees. The whole of it: Tests/OtherClients/operations_checks.
struct DoctorTests {
    // MARK: Units

    @Test func `a unit's keys are those of its service, and drop-ins stand above it`() {
        let unit = UnitFile(
            path: "/x",
            texts: [
                """
                [Unit]
                User=nobody
                # User=comment
                [Service]
                User = sona
                ReadWritePaths=/a \\
                  /b
                ProtectHome=yes
                SupplementaryGroups=audio music
                """,
                "[Service]\nUser=\nUser=other\nReadWritePaths=\n",
            ])
        #expect(unit.value("User") == "other")
        #expect(unit.words("ReadWritePaths").isEmpty)
        #expect(unit.words("SupplementaryGroups") == ["audio", "music"])
        #expect(unit.isOn("ProtectHome") && !unit.isOn("DynamicUser"))
    }

    @Test(
        arguments: [
            ("ProtectHome=yes", "/home/ada/Music", "ProtectHome=yes"),
            ("ProtectHome=tmpfs", "/root/Music", "ProtectHome=tmpfs"),
            ("ProtectHome=read-only", "/home/ada/Music", nil),
            ("ProtectHome=no", "/home/ada/Music", nil),
            ("ProtectHome=yes", "/homework/Music", nil),
            ("ProtectHome=yes", "/srv/music", nil),
            ("ProtectHome=yes\nBindReadOnlyPaths=/home/ada", "/home/ada/Music", nil),
            ("ProtectHome=yes\nBindReadOnlyPaths=/data:/home/ada/Music:rbind", "/home/ada/Music", nil),
            ("ProtectHome=yes\nBindReadOnlyPaths=/home/bob", "/home/ada/Music", "ProtectHome=yes"),
            ("InaccessiblePaths=-/srv", "/srv/music", "InaccessiblePaths=-/srv"),
            ("PrivateTmp=true", "/var/tmp/music", "PrivateTmp=yes"),
        ])
    func `a unit hides what its settings hide`(text: String, path: String, setting: String?) {
        let unit = UnitFile(path: "/x", texts: ["[Service]\n" + text])
        #expect(unit.hides(path) == setting)
    }

    // MARK: Rights

    @Test func `rights are those of the first class that a user is in`() {
        let user = ServerUser(name: "sona", uid: 7, groups: [70, 71])
        #expect(user.may(4, mode: 0o400, owner: 7, group: 1) && !user.may(4, mode: 0o077, owner: 7, group: 70))
        #expect(user.may(5, mode: 0o050, owner: 1, group: 71) && !user.may(5, mode: 0o707, owner: 1, group: 71))
        #expect(user.may(5, mode: 0o005, owner: 1, group: 1) && !user.may(5, mode: 0o004, owner: 1, group: 1))
        #expect(ServerUser(name: "root", uid: 0, groups: []).may(5, mode: 0, owner: 7, group: 7))
    }

    @Test func `a list of access goes above the mode`() throws {
        func entry(_ tag: UInt8, _ rights: UInt8, _ id: UInt8 = 0) -> [UInt8] { [tag, 0, rights, 0, id, 0, 0, 0] }
        let bytes: [UInt8] =
            [2, 0, 0, 0] + entry(0x01, 7) + entry(0x02, 5, 42) + entry(0x04, 0) + entry(0x08, 7, 70)
            + entry(0x10, 5) + entry(0x20, 0)
        let list = try #require(AccessList(bytes))
        func permits(_ wanted: mode_t, _ uid: uid_t, _ groups: Set<gid_t> = []) -> Bool {
            list.permits(wanted, uid: uid, groups: groups, owner: 1, group: 1)
        }
        #expect(permits(7, 1) && permits(5, 42) && !permits(5, 43))
        // The mask takes writing away; a group that is in the list counts before the others.
        #expect(permits(5, 43, [70]) && !permits(7, 43, [70]) && !permits(5, 43, [1]))
        #expect(AccessList([2, 0, 0, 0])?.entries.isEmpty == true)
        #expect(AccessList([1, 0, 0, 0]) == nil && AccessList([2, 0, 0, 0, 1]) == nil && AccessList([]) == nil)
        #expect(AccessList([2, 0, 0, 0] + entry(0x40, 7)) == nil)
    }

    @Test func `the first directory that forbids the way is named`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("doctor-\(UUID().uuidString)")
        let music = folder.appendingPathComponent("ada/Music")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func mode(_ url: URL, _ mode: Int) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
        }
        // Whoever runs the tests owns these folders; this user is another one, in none of the groups.
        let stranger = ServerUser(name: "sona", uid: 4_000_001, groups: [])
        for place in [folder, folder.appendingPathComponent("ada"), music] { try mode(place, 0o755) }
        #expect(stranger.obstacle(to: music.path) == nil)
        try mode(music, 0o711)
        #expect(stranger.obstacle(to: music.path) == .unreadable(music.path))
        try mode(music, 0o755)
        try mode(folder.appendingPathComponent("ada"), 0o700)
        #expect(stranger.obstacle(to: music.path) == .closed(folder.path + "/ada"))
        try mode(folder.appendingPathComponent("ada"), 0o711)
        #expect(stranger.obstacle(to: music.path) == nil)
        let missing = music.path + "/not"
        #expect(stranger.obstacle(to: missing) == .missing(missing))
        try Data("x".utf8).write(to: music.appendingPathComponent("one.opus"))
        #expect(stranger.obstacle(to: music.path + "/one.opus") == .noDirectory(music.path + "/one.opus"))
    }

    // MARK: Limits

    @Test(arguments: [(90, 100, Finding.Verdict.ok), (91, 100, .warn), (0, 100, .ok)])
    func `directories are counted against what the system lets a user watch`(
        directories: Int, limit: Int, verdict: Finding.Verdict
    ) {
        #expect(MusicDoctor.watchFinding(directories: directories, limit: limit)?.verdict == verdict)
    }

    @Test func `thresholds of descriptors, disk and renditions`() {
        #expect(MachineDoctor.descriptors(4_096, open: 0, of: "It").verdict == .ok)
        #expect(MachineDoctor.descriptors(4_095, open: 0, of: "It").verdict == .warn)
        #expect(MachineDoctor.descriptors(10_000, open: 9_000, of: "It").verdict == .ok)
        #expect(MachineDoctor.descriptors(10_000, open: 9_001, of: "It").verdict == .fail)
        #expect(MachineDoctor.space(free: (512 << 20) - 1, of: "/x").verdict == .fail)
        #expect(MachineDoctor.space(free: 512 << 20, of: "/x").verdict == .warn)
        #expect(MachineDoctor.space(free: 2_048 << 20, of: "/x").verdict == .ok)
        #expect(MachineDoctor.renditions(used: 100, space: 4_096, freeMebibytes: 4_508).verdict == .ok)
        #expect(MachineDoctor.renditions(used: 100, space: 4_096, freeMebibytes: 4_507).verdict == .warn)
    }

    @Test func `a version that runs and one that does not`() {
        #expect(MachineDoctor.version(nil, own: "1.0").verdict == .ok)
        let running = RunningServer(metrics: "sona_build_info{version=\"1.0\"} 1\nprocess_max_fds 64\n")
        #expect(MachineDoctor.version(running, own: "1.0").verdict == .ok)
        #expect(MachineDoctor.version(running, own: "1.1").verdict == .warn)
        #expect(running.figure("process_max_fds") == 64 && running.figure("nothing") == nil)
    }

    @Test(arguments: [(-1, Finding.Verdict.fail), (0, .fail), (1, .warn), (14 * 86_400 - 1, .warn), (14 * 86_400, .ok)])
    func `a certificate is looked at by its end`(left: Int, verdict: Finding.Verdict) {
        #expect(AddressDoctor.certificate("c", endsAtSeconds: 1_000 + left, nowSeconds: 1_000).verdict == verdict)
    }

    @Test func `backups are looked at by the newest`() {
        #expect(BackupDoctor.finding("/b", newestSeconds: nil, nowSeconds: 0).verdict == .fail)
        #expect(BackupDoctor.finding("/b", newestSeconds: 0, nowSeconds: 9 * 86_400 - 1).verdict == .ok)
        #expect(BackupDoctor.finding("/b", newestSeconds: 0, nowSeconds: 9 * 86_400).verdict == .warn)
        #expect(BackupDoctor(places: []).findings().map(\.verdict) == [.warn])
    }

    // MARK: Addresses

    @Test(
        arguments: [
            ("https://sona.example", HTTPPlace.address(host: "sona.example", port: 443, isSecure: true)),
            ("http://sona.example:8337/path", .address(host: "sona.example", port: 8_337, isSecure: false)),
            ("https://[2001:db8::1]:444", .address(host: "2001:db8::1", port: 444, isSecure: true)),
            ("https://[2001:db8::1]", .address(host: "2001:db8::1", port: 443, isSecure: true)),
            ("ftp://sona.example", nil), ("https://", nil), ("http://x:0", nil), ("http://x:65536", nil),
        ])
    func `addresses of sites`(url: String, place: HTTPPlace?) {
        #expect(HTTPPlace(url: url) == place)
    }

    @Test func `an answer is whole by its length, its end, or as the head of another protocol`() {
        func answer(_ text: String, isEnd: Bool = false) -> HTTPPlace.Answer? {
            HTTPPlace.answer(Array(text.utf8), isEnd: isEnd)
        }
        #expect(answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no") == nil)
        #expect(answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")?.body == "ok")
        #expect(answer("HTTP/1.1 200 OK\r\n\r\nok") == nil)
        #expect(answer("HTTP/1.1 404 Not Found\r\n\r\n", isEnd: true)?.status == 404)
        let upgraded = answer("HTTP/1.1 101 Switching\r\nSec-WebSocket-Accept: abc\r\n\r\n")
        #expect(upgraded?.status == 101 && upgraded?.headers["sec-websocket-accept"] == "abc")
        #expect(answer("SSH-2.0-OpenSSH\r\n\r\n", isEnd: true) == nil)
    }

    @Test func `a proxy that does TLS must be trusted`() {
        #expect(AddressDoctor.proxy("https://x", hasOwnTLS: false, trusted: [])?.verdict == .fail)
        #expect(AddressDoctor.proxy("https://x", hasOwnTLS: false, trusted: ["127.0.0.1"])?.verdict == .ok)
        #expect(AddressDoctor.proxy("https://x", hasOwnTLS: true, trusted: []) == nil)
        #expect(AddressDoctor.proxy("http://x", hasOwnTLS: false, trusted: []) == nil)
    }

    @Test func `a finding is a line, and its advice another`() {
        #expect(Finding.ok("disk", "Fine.").text == "ok    disk: Fine.")
        #expect(Finding.fail("disk", "Full.", "Make room.").text == "fail  disk: Full.\n      to do: Make room.")
        #expect([Finding.Verdict.warn, .ok, .fail].max()?.exitCode == 2)
    }
}
