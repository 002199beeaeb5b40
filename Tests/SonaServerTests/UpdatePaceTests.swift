import Testing

@testable import SonaServer

struct UpdatePaceTests {
    @Test func `a room that changes all the time is reported twice a second, its last state included`() {
        var pace = UpdatePace()
        var (told, dueAt): ([Int64], Int64?) = ([], nil)
        let end: Int64 = 12_000_000
        for now in stride(from: Int64(10_000_000), to: end + 1_000_000, by: 3_000) {
            if let due = dueAt, due <= now {
                dueAt = nil
                if pace.told(now: now) { told.append(now) }
            }
            guard now < end else { continue }
            switch pace.change(now: now) {
            case .tell: told.append(now)
            case .tellAfter(let wait):
                #expect(dueAt == nil)
                dueAt = now + wait
            case .wait: #expect(dueAt != nil)
            }
        }
        #expect(told.first == 10_000_000 && told.count <= 6)
        #expect(told.last.map { $0 >= end - 3_000 } == true, "the last change was not reported")
        for (one, next) in zip(told, told.dropFirst()) { #expect(next - one >= 500_000) }
    }

    @Test func `an update that was told at once is not told again by the alarm`() {
        var pace = UpdatePace()
        #expect(pace.change(now: 1_000_000) == .tell)
        #expect(pace.change(now: 1_200_000) == .tellAfter(300_000))
        let wasDue = pace.told(now: 1_300_000)
        #expect(wasDue)
        let isDueAgain = pace.told(now: 1_500_000)
        #expect(!isDueAgain, "the alarm finds nothing to do")
    }
}
