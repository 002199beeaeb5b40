import SonaWire
import Testing

@testable import SonaEventLoop
@testable import SonaServer

/// What may have been heard of a stream.
@Suite struct StreamLedgerTests {
    private static let now: Int64 = 1_800_000_000_000
    private let key = StreamLedger.Key.token("t")

    @Test func `no more than was sent, and no more than the time that has passed`() throws {
        let (ledger, all) = (StreamLedger(), BodyMeter())
        let meter = ledger.meter(key, StreamLedger.Form(size: 1_000), all, now: Self.now)
        #expect(ledger.bound(key, hearing: "a", duration: 200_000, now: Self.now + 90_000) == nil, "nothing was sent")
        meter.add(500)
        #expect(all.sentBytes == 500)
        #expect(ledger.bound(key, hearing: "a", duration: 200_000, now: Self.now + 90_000)?.heard == 90_000)
        #expect(ledger.bound(key, hearing: "a", duration: 200_000, now: Self.now + 150_000)?.heard == 100_000)
        ledger.meter(key, StreamLedger.Form(size: 1_000), all, now: Self.now + 150_000).add(700)
        #expect(ledger.bound(key, hearing: "a", duration: 200_000, now: Self.now + 900_000)?.heard == 200_000)
        #expect(ledger.bound(.token("u"), hearing: "a", duration: 200_000, now: Self.now) == nil)
    }

    @Test func `a further hearing has the time since the last report of the one before`() throws {
        let ledger = StreamLedger()
        ledger.meter(key, StreamLedger.Form(size: 1_000), BodyMeter(), now: Self.now).add(1_000)
        #expect(ledger.bound(key, hearing: "a", duration: 200_000, now: Self.now + 200_000)?.heard == 200_000)
        #expect(ledger.bound(key, hearing: "b", duration: 200_000, now: Self.now + 200_000)?.heard == 0)
        let later = try #require(ledger.bound(key, hearing: "b", duration: 200_000, now: Self.now + 320_000))
        #expect(later.heard == 120_000 && later.sinceMilliseconds == Self.now + 200_000)
    }

    @Test func `of a file that is being made, its bytes at 48 kb a second`() {
        let ledger = StreamLedger()
        ledger.meter(key, StreamLedger.Form(size: nil), BodyMeter(), now: Self.now).add(60_000)
        #expect(ledger.bound(key, hearing: "a", duration: 200_000, now: Self.now + 900_000)?.heard == 10_000)
        _ = ledger.meter(key, StreamLedger.Form(size: 120_000), BodyMeter(), now: Self.now)
        #expect(ledger.bound(key, hearing: "a", duration: 200_000, now: Self.now + 900_000)?.heard == 100_000)
    }
}
