import SonaBase
import Testing

@testable import SonaLibrary

/// The score of popularity: people, each weighing less the longer ago they heard the track.
@Suite struct PopularityTests {
    private static let day: Int64 = 86_400_000
    private static let now: Int64 = 1_796_000_000_000

    @Test func `twice as many listeners are one more, and seven days ago one less`() throws {
        let one = try #require(Popularity.score([Self.now]))
        let two = try #require(Popularity.score([Self.now, Self.now]))
        let older = try #require(Popularity.score([Self.now - 7 * Self.day]))
        #expect(abs(two - one - 1) < 1e-9)
        #expect(abs(one - older - 1) < 1e-9)
        #expect(Popularity.score([]) == nil)
    }

    @Test func `a hundred plays of one person, one a day, weigh less than ten people's one each`() throws {
        var ofOne: Double?
        var last: Int64?
        for day in 0..<100 {
            let at = Self.now - Int64(99 - day) * Self.day
            ofOne = Popularity.score(ofOne, adding: at, replacing: last)
            last = at
        }
        var ofTen: Double?
        for person in 0..<10 {
            ofTen = Popularity.score(ofTen, adding: Self.now - Int64(person) * Self.day / 2, replacing: nil)
        }
        #expect(try #require(ofOne) < #require(ofTen))
        #expect(abs(try #require(ofOne) - Popularity.exponent(Self.now)) < 1e-6, "one person is one, however often")
    }

    @Test(arguments: [1, 42, 2026] as [UInt64])
    func `steps, takings back and the sum over all listeners agree`(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var last: [Int: Int64] = [:]
        var score: Double?
        for step in 0..<3_000 {
            let person = Int(dice.next() % 40)
            let at = Self.now + Int64(step) * 3_600_000 - Int64(dice.next() % 7_200_000)
            if dice.next() % 5 == 0, let before = last.removeValue(forKey: person), let known = score {
                // Where the sum alone cannot tell, the score is made anew.
                score = Popularity.score(known, removing: before) ?? Popularity.score(last.values)
            } else {
                score = Popularity.score(score, adding: at, replacing: last[person])
                last[person] = max(at, last[person] ?? .min)
            }
            let exact = Popularity.score(last.values)
            if let score, let exact {
                #expect(abs(score - exact) < 1e-6, "step \(step), seed \(seed)")
            } else {
                #expect((score == nil) == (exact == nil), "step \(step), seed \(seed)")
            }
        }
    }
}
