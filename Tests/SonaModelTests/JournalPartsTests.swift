import Glibc
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// The parts of the journal that need no database.
struct JournalPartsTests {
    // MARK: Key

    @Test func `a key is made once, is readable only by its owner, and is read again`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("journal.key")
        let mask = umask(0)
        defer { umask(mask) }
        let key = try JournalKey.loadOrCreate(atPath: path)
        #expect(TemporaryFolder.mode(ofFile: path) == 0o600)
        #expect(TemporaryFolder.bytes(ofFile: path)?.count == 32)
        #expect(try JournalKey.loadOrCreate(atPath: path).id == key.id)
        #expect(key.id.utf8.count == 16 && key.id != JournalKey.random().id)
    }

    @Test func `a file that is not a key is refused and left unchanged`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("journal.key")
        for count in [0, 31, 33, 4096] {
            TemporaryFolder.write([UInt8](repeating: 7, count: count), toFile: path)
            #expect(throws: JournalKey.FileError.notAKey) { try JournalKey.loadOrCreate(atPath: path) }
            #expect(TemporaryFolder.bytes(ofFile: path)?.count == count)
        }
        TemporaryFolder.write([UInt8](repeating: 7, count: 32), toFile: path, mode: 0o640)
        #expect(throws: JournalKey.FileError.permissionsTooOpen(mode: 0o640)) {
            try JournalKey.loadOrCreate(atPath: path)
        }
        #expect(throws: JournalKey.FileError.notAKey) { try JournalKey.loadOrCreate(atPath: folder.path) }
        #expect(throws: JournalKey.FileError.system(operation: "open", errno: ENOENT)) {
            try JournalKey.loadOrCreate(atPath: folder.file("no/journal.key"))
        }
    }

    @Test func `two different lines never have the same mac`() {
        let key = JournalKey.random()
        let zeros = [UInt8](repeating: 0, count: 32)
        func line(_ kind: String, _ actor: String?, _ subject: String?, _ detail: String) -> [UInt8] {
            key.mac(
                JournalLine(id: 1, atMilliseconds: 2, kind: kind, actor: actor, subject: subject, detail: detail),
                after: zeros)
        }
        let macs = [
            line("a", "b", "c", "{}"), line("ab", "", "c", "{}"), line("a", "bc", "", "{}"),
            line("a", "bc", nil, "{}"), line("a", nil, "bc", "{}"), line("a", "", "bc", "{}"),
            line("a", "b", nil, "c{}"), line("", "ab", "c", "{}"), line("a", "b", "c", "{}\0"),
        ]
        #expect(Set(macs).count == macs.count)
        #expect(key.head(count: 1, mac: zeros, since: 1).seal != key.anchorSeal(count: 1, mac: zeros, since: 1))
    }

    /// Goal: the key's memory of the last head changes no answer. Way: compare with a key that remembers nothing.
    @Test func `a key accepts the heads it has sealed, and no other`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("journal.key")
        let (key, same) = (try JournalKey.loadOrCreate(atPath: path), try JournalKey.loadOrCreate(atPath: path))
        let mac = [UInt8](repeating: 5, count: 32)
        let heads = (1...3).map { key.head(count: $0, mac: mac, since: 1) }
        for head in heads { #expect(key.seals(head) && same.seals(head) && !JournalKey.random().seals(head)) }
        for known in [key, same] {
            for head in heads {
                let (other, seal) = (JournalKey.random().id, head.seal)
                for (count, mac, keyID, since, seal) in [
                    (9, mac, head.keyID, 1, seal), (head.count, Array(mac.dropLast()) + [6], head.keyID, 1, seal),
                    (head.count, mac, other, 1, seal), (head.count, mac, head.keyID, 2, seal),
                    (head.count, mac, head.keyID, 1, mac), (head.count, mac, head.keyID, 1, []),
                ] as [(Int64, [UInt8], String, Int64, [UInt8])] {
                    #expect(
                        !known.seals(
                            JournalHeadRecord(id: 1, count: count, mac: mac, keyID: keyID, since: since, seal: seal)))
                }
            }
        }
    }

    // MARK: Detail

    @Test func `a detail has one form, whatever the order of its members`() {
        let one: JournalDetail = ["b": 1, "a": "x\"\n", "c": true, "aa": .integer(-5)]
        #expect(one.json == #"{"a":"x\"\n","aa":-5,"b":1,"c":true}"#)
        #expect(one == ["c": true, "aa": -5, "a": "x\"\n", "b": 1])
        #expect(([:] as JournalDetail).json == "{}")
        #expect(JournalDetail([("a", 1), ("a", 2)]).json == #"{"a":2}"#)
    }

    @Test func `a long text is cut between characters, and a long object between members`() throws {
        let limit = JournalDetail.textBytesMax
        func text(_ text: String) throws -> String {
            let detail: JournalDetail = ["t": .text(text)]
            return try #require(try JSON.parse(Array(detail.json.utf8))["t"]?.string)
        }
        let full = String(repeating: "x", count: limit)
        #expect(try text(full) == full)
        #expect(try text(full + "y") == full)
        #expect(try text(String(repeating: "é", count: limit)) == String(repeating: "é", count: limit / 2))
        #expect(try text("x" + String(repeating: "é", count: limit)).utf8.count == limit - 1)
        let long = JournalDetail.Value.text(String(repeating: "\u{1}", count: limit))
        let cut: JournalDetail = ["a": long, "b": long, "c": 7, "d": long]
        #expect(cut.json.utf8.count <= JournalDetail.bytesMax)
        let parsed = try JSON.parse(Array(cut.json.utf8))
        #expect(parsed.object?.map(\.key) == ["a", "b", "c", "cut"] && parsed["cut"]?.bool == true)
    }

    // MARK: Failures

    @Test func `an address is reduced to its network`() {
        let groups = [
            ("203.0.113.77", "203.0.113.0/24"), ("2001:db8:1:2::7", "2001:db8:1::/48"), ("::1", "::/48"),
            ("2001:db8::1", "2001:db8::/48"), ("2001:0:1::1", "2001:0:1::/48"), ("fe80::1%eth0", "fe80::/48"),
            ("::ffff:203.0.113.77", "203.0.113.0/24"), ("", "local"), ("203.0.113", "local"), ("@admin", "local"),
        ]
        for (address, group) in groups { #expect(AddressGroup(address).description == group, "\(address)") }
    }

    @Test func `in each quarter of an hour the 1st, 10th, 100th … failure of a group gets a line`() {
        let failures = FailedSignIns()
        let quarter = FailedSignIns.quarterMilliseconds
        func lines(_ count: Int, from address: String, account: UserID? = nil, now: Int64) -> [String] {
            (0..<count).compactMap { _ in
                failures.entry(account: account, address: address, now: now)?.detail.json
            }
        }
        func line(_ from: String, _ count: Int) -> String { #"{"failures":\#(count),"from":"\#(from)"}"# }
        let expected = [1, 10, 100, 1_000].map { line("203.0.113.0/24", $0) }
        #expect(lines(5_000, from: "203.0.113.1", now: 0) == expected)
        // Addresses of one network count together. Another account or network counts separately.
        #expect(lines(4_999, from: "203.0.113.2", now: quarter - 1) == [])
        #expect(lines(1, from: "203.0.113.2", now: quarter - 1) == [line("203.0.113.0/24", 10_000)])
        #expect(lines(2, from: "203.0.113.2", account: UserID("ada"), now: 1) == [line("203.0.113.0/24", 1)])
        #expect(lines(2, from: "203.0.114.1", now: 1) == [line("203.0.114.0/24", 1)])
        #expect(lines(2, from: "203.0.113.1", now: quarter) == [line("203.0.113.0/24", 1)])
        let entry = failures.entry(account: UserID("bob"), address: nil, now: quarter)
        #expect(entry == JournalEntry(.signInFailed, user: UserID("bob"), ["from": "local", "failures": 1]))
    }

    @Test func `groups beyond the limit are counted together`() {
        let failures = FailedSignIns()
        var lines: [String] = []
        for number in 0..<FailedSignIns.groupsMax + 100 {
            if let entry = failures.entry(account: nil, address: "10.\(number / 200).\(number % 200).1", now: 0) {
                lines.append(entry.detail.json)
            }
        }
        let others = [1, 10, 100].map { #"{"failures":\#($0),"from":"others"}"# }
        #expect(lines.count == FailedSignIns.groupsMax + 3 && lines.suffix(3) == others[...])
        // Groups that were counted before still are.
        #expect(failures.entry(account: nil, address: "10.0.0.9", now: 0) == nil)
    }
}
