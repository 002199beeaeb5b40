import Foundation
import Testing

@testable import SonaClient

struct MetricsReadingTests {
    private let before = MetricsReading(
        """
        # HELP sona_x A counter.
        # TYPE sona_x counter
        sona_x{loop="0"} 10
        sona_x{loop="1"} 20
        sona_gauge 1.5
        sona_lag_bucket{loop="0",le="0.1"} 1
        sona_lag_bucket{loop="0",le="+Inf"} 1
        """, atMicroseconds: 1_000_000)

    @Test func `a figure is the sum over its labels`() {
        #expect(before["sona_x"] == 30 && before["sona_gauge"] == 1.5 && before["sona_y"] == nil)
    }

    @Test func `a rate is for a second, and a counter that began anew counts from nothing`() {
        let later = MetricsReading("sona_x{loop=\"0\"} 25\nsona_x{loop=\"1\"} 25\n", atMicroseconds: 3_000_000)
        #expect(later.rate("sona_x", since: before) == 10)
        let restarted = MetricsReading("sona_x 4\n", atMicroseconds: 3_000_000)
        #expect(restarted.rate("sona_x", since: before) == 2)
        #expect(later.rate("sona_y", since: before) == nil)
        #expect(before.rate("sona_x", since: before) == nil)
    }

    @Test func `a quantile is the bound of what came in between`() {
        func reading(_ low: Int, _ middle: Int, _ all: Int) -> MetricsReading {
            MetricsReading(
                """
                sona_lag_bucket{le="0.1"} \(low)
                sona_lag_bucket{le="0.2"} \(middle)
                sona_lag_bucket{le="+Inf"} \(all)
                """, atMicroseconds: 0)
        }
        let first = reading(10, 10, 10)
        #expect(reading(109, 110, 110).quantile(0.99, of: "sona_lag", since: first) == 0.1)
        #expect(reading(108, 110, 110).quantile(0.99, of: "sona_lag", since: first) == 0.2)
        #expect(reading(10, 10, 110).quantile(0.5, of: "sona_lag", since: first) == 0.2)
        #expect(first.quantile(0.5, of: "sona_lag", since: first) == 0)
        #expect(reading(1, 2, 2).quantile(0.99, of: "sona_lag", since: first) == 0.2)
        #expect(first.quantile(0.5, of: "sona_other", since: first) == nil)
    }

    @Test func `the operator's socket is named by itself or by its folder`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("socket-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(OperatorSocket("unix:\(folder.path)")?.path == folder.path + "/admin.sock")
        #expect(OperatorSocket("unix://\(folder.path)/")?.path == folder.path + "/admin.sock")
        #expect(OperatorSocket("unix:/run/other.sock")?.path == "/run/other.sock")
        #expect(OperatorSocket("unix:") == nil && OperatorSocket("http://x") == nil)
        #expect(throws: ServerAddress.Invalid.self) { try ServerAddress("unix:/run/other.sock") }
    }
}
