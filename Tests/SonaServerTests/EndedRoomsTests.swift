import SonaWire
import Testing

@testable import SonaServer

/// The directory's memory of rooms that have ended.
struct EndedRoomsTests {
    private func room(_ number: Int) throws -> RoomID {
        let digits = String(number)
        return try #require(RoomID(String(repeating: "0", count: 20 - digits.count) + digits))
    }

    @Test func `a room that ended is remembered for ten minutes, and the memory stays bounded`() throws {
        var ended = EndedRooms()
        var most = 0
        for number in 0..<100_000 {
            // A hundred rooms end each second.
            let now = Int64(number) * 10_000
            ended.insert(try room(number), now: now)
            most = max(most, ended.count)
            if number % 1_000 == 0 {
                let oldest = max(0, number - Int(EndedRooms.keptMicroseconds / 10_000) + 1)
                let (first, last) = (try room(oldest), try room(number))
                #expect(ended.contains(first) && ended.contains(last))
            }
        }
        #expect(most <= 2 * Int(EndedRooms.keptMicroseconds / 10_000) + EndedRooms.sweepCount)
        let first = try room(0)
        #expect(!ended.contains(first))
    }
}
