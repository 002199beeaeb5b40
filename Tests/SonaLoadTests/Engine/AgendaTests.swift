import SonaBase
import Testing

@testable import SonaLoad

struct AgendaTests {
    @Test func `due items come in the order of time, and no others`() {
        var generator = SeededGenerator(seed: 12)
        var agenda = Agenda()
        let times = (0..<500).map { _ in UInt64(generator.index(300)) }
        for (number, time) in times.enumerated() { agenda.add(.packet, number, at: time) }
        #expect(agenda.next == times.min())
        var taken: [UInt64] = []
        while let entry = agenda.take(until: 149) {
            #expect(times[Int(entry.who)] == entry.at)
            taken.append(entry.at)
        }
        #expect(taken == times.filter { $0 <= 149 }.sorted())
        while let entry = agenda.take(until: .max) { taken.append(entry.at) }
        #expect(taken == times.sorted() && agenda.next == .max)
    }
}
