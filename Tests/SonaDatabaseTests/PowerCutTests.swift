import Testing

/// Goal: acknowledged writes survive a power cut. Way: a program writes from several tasks over a disk that knows what
/// has been synced (Tests/FaultyDisk). At many moments, mostly around syncs, it records what a cut would leave: none,
/// some, or some sectors of the writes since the last sync. Each of these states is opened and compared with the writes
/// acknowledged by then, and the load goes on from one of them.
struct PowerCutTests {
    private func cut(_ way: String, generations: Int, long: Int) async throws -> [String: Int] {
        let seed = UInt64.random(in: 0...999_999)
        let count = CrashProgram.isLong ? long : generations
        let ending = try await CrashProgram.run("power-cuts", way, "\(seed)", "\(count)", within: .seconds(1_800))
        #expect(ending.failures.prefix(10).isEmpty, "seed \(seed)")
        #expect(ending.isGood, "seed \(seed): \(ending.status), \(ending.lines.suffix(3))")
        print("power cuts, \(ending.lines.last ?? "")")
        // "done full: cuts 332 lossless 332 lost 0 damaged 0 atStake 42994"
        let words = (ending.lines.last ?? "").split(separator: " ").dropFirst(2)
        var figures: [String: Int] = [:]
        for (name, figure) in zip(words, words.dropFirst()) { figures[String(name)] = Int(figure) }
        #expect(figures["cuts", default: 0] > generations * 5, "the power was cut")
        return figures
    }

    @Test func `a power cut takes no acknowledged write`() async throws {
        let figures = try await cut("full", generations: 16, long: 200)
        #expect(figures["lost"] == 0)
        #expect(figures["atStake", default: 0] > 1_000, "there was something to lose")
    }

    @Test func `with normal durability a power cut takes the last writes, and the file stays whole`() async throws {
        let figures = try await cut("normal", generations: 12, long: 100)
        #expect(figures["lost", default: 0] > 0, "the model of the disk lost no unsynced writes")
    }

    @Test func `a disk that only says it has synced is found out`() async throws {
        let figures = try await cut("lying", generations: 4, long: 10)
        #expect(figures["lost", default: 0] > 0 && figures["damaged", default: 0] > 0)
    }

    /// A sync that fails leaves pages that are seen and never written again, as Linux does; what is acknowledged after
    /// the file was opened again must not depend on them.
    @Test(arguments: ["failingSync", "failingSyncKilled", "normalFailingSync"])
    func `after a failed sync a power cut takes nothing that was acknowledged before it or after opening again`(
        _ way: String
    ) async throws {
        let figures = try await cut(way, generations: 5, long: 40)
        if way != "normalFailingSync" { #expect(figures["lost"] == 0) }
    }
}
