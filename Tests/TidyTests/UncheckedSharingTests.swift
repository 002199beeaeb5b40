import Testing

struct UncheckedSharingTests {
    /// The number of places where each target uses unchecked sharing. Values that cross into C or are confined to an
    /// event loop's thread need it. Everything else uses `Mutex`, `Monitor` or an actor.
    private static let counts: [String: [String: Int]] = [
        "SonaBase": ["@unchecked Sendable": 1],
        "SonaClient": ["@unchecked Sendable": 1],
        "SonaCrypto": ["@unchecked Sendable": 4],
        "SonaDatabase": ["@unchecked Sendable": 4],
        "SonaEventLoop": ["@unchecked Sendable": 4, "nonisolated(unsafe)": 2],
        "SonaLibrary": ["@unchecked Sendable": 1],
        "SonaServer": ["@unchecked Sendable": 5, "nonisolated(unsafe)": 1],
        "SonaText": ["@unchecked Sendable": 2],
    ]

    private static func places(_ target: String) throws -> [UncheckedSharing.Place] {
        try SourceTree.swiftFiles("Sources/\(target)").flatMap { file in
            UncheckedSharing.places(try SourceTree.text(file), file: file)
        }
    }

    @Test(arguments: ModuleGraph.rows.keys.sorted())
    func `unchecked sharing is as frequent as the table says`(target: String) throws {
        let places = try Self.places(target)
        for mark in UncheckedSharing.marks {
            let found = places.filter { $0.mark == mark }
            #expect(found.count == Self.counts[target]?[mark] ?? 0, "\(found)")
        }
    }

    @Test(arguments: ModuleGraph.rows.keys.sorted())
    func `unchecked sharing says why it is safe`(target: String) throws {
        #expect(try Self.places(target).filter { !$0.hasReason }.isEmpty)
    }

    @Test func `a place without a reason is found, and one with a reason is accepted`() {
        let text = """
            // Safe: never changed.
            @available(*, deprecated)
            final class A: @unchecked Sendable {}

            // A comment about something else.
            final class B: @unchecked Sendable {

                // Safe, but too far away.
            }
            final class C: @unchecked Sendable {
                // Safe to share: it has a lock.
            }
            nonisolated(unsafe) var d = 0
            nonisolated(unsafe) var e = 0  // Safe: written before threads start.
            // This comment only mentions @unchecked Sendable.
            """
        let places = UncheckedSharing.places(text, file: "")
        #expect(places.map(\.line) == [3, 6, 10, 13, 14])
        #expect(places.map(\.hasReason) == [true, false, true, false, true])
    }
}
