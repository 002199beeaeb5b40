import Glibc
import SonaBase
import SonaCrypto
import SonaDatabase
import SonaLibrary
import SonaModel
import SonaWire

/// Writes plays as fast as they are taken, until there are enough or until it is killed, and holds the counters against
/// the rows.
///
/// Arguments: the data folder, the number of plays, a seed, the number of the run, and after how many plays of this run it
/// kills itself, in the middle of what its other tasks write; 0 for never. It begins with a check of what the
/// run before has left. Findings are lines that begin with `FAIL`; `wrote N` is said after N plays of this run, and the last
/// line of a run that comes to its end begins with `done`.
@main
struct PlaysProgram {
    struct DAOs: SonaDatabase.DAOs {
        let model: ModelDAOs
        let library: LibraryDAOs
        let database: any DatabaseWriter

        init(_ database: any DatabaseWriter) {
            model = ModelDAOs(database)
            library = LibraryDAOs(database)
            self.database = database
        }
    }

    static let layout = StorageLayout<DAOs>(migrations: ModelSchema.timeline + LibrarySchema.timeline) { $0.model }
    static let people = 40
    static let tracks = 2_000
    static let artists = 300
    static let tasks = 8
    /// Hearings that are written in one transaction, as a room's are.
    static let batch = 25

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let count = Int(arguments[2]), let seed = UInt64(arguments[3]),
            let run = Int(arguments[4]), let killed = Int(arguments[5])
        else { exit(64) }
        var options = Model.Options()
        options.passwordCost = .test
        options.quietMilliseconds = 0...0
        let (model, daos) = try await Model.open(dataFolder: arguments[1], as: layout, options)
        let library = try await Library(daos.library, model, Library.Options())
        let stage = Stage(library: library, database: daos.database)
        if run == 1 { try await stage.fill(model) }
        try await stage.check("at the start of run \(run)")
        try await stage.write(until: count, seed: seed &+ UInt64(run), run: run, killed: killed)
        try await stage.check("after all plays")
        try await stage.rebuild()
        await library.close()
        await model.close()
        say("done")
    }

    /// One line in one write, so that what was said before a kill is said.
    static func say(_ line: String) {
        var line = line + "\n"
        line.withUTF8 { bytes in _ = Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count) }
    }
}

/// The library, and the people who hear it.
struct Stage: Sendable {
    let library: Library
    let database: any DatabaseWriter

    /// Adds people, artists and tracks of three minutes with one to three artists each.
    func fill(_ model: Model) async throws {
        for person in 0..<PlaysProgram.people {
            _ = try await model.accounts.signUp(
                Accounts.SignUp(
                    email: "p\(person)@example.org", password: "pass-word-\(person)", username: "person\(person)"))
        }
        try await database.write { db in
            for artist in 1...PlaysProgram.artists {
                try db.execute(
                    """
                    INSERT INTO artists (number, id, name, key, sort)
                    VALUES (\(artist), \(MusicID.random(milliseconds: 0)), \("Artist \(artist)"), \("artist \(artist)"),
                        \([UInt8(artist % 256)]))
                    """)
            }
            for track in 1...PlaysProgram.tracks {
                try db.execute(
                    """
                    INSERT INTO tracks (number, id, title, artist, album_name, title_key, artist_key, album_key,
                        title_sort, artist_sort, album_sort, duration_ms, kind, bitrate, sample_rate, channels, scope,
                        added_ms, changed_ms)
                    VALUES (\(track), \(MusicID.random(milliseconds: 0)), \("Track \(track)"), '', '', '', '', '', x'00',
                        x'00', x'00', 180000, 'flac', 0, 0, 0, 0, 0, 0)
                    """)
                for place in 0...(track % 3) {
                    let artist = 1 + (track * 7 + place * 11) % PlaysProgram.artists
                    try db.execute(
                        "INSERT INTO track_artists (track, place, artist) VALUES (\(track), \(place), \(artist))")
                }
            }
        }
    }

    // MARK: Writing

    func write(until count: Int, seed: UInt64, run: Int, killed: Int) async throws {
        let people = try await database.read { db in
            try db.values("SELECT uid FROM users ORDER BY username", as: UserID.self)
        }
        let tracks = try await database.read { db in
            try db.values("SELECT id FROM tracks ORDER BY number", as: MusicID.self)
        }
        let there = try await self.count()
        let wrote = Monitor(0)
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<PlaysProgram.tasks {
                group.addTask {
                    var dice = SeededGenerator(seed: seed &* 31 &+ UInt64(task))
                    var step = 0
                    while there + wrote.withLock({ $0 }) < count {
                        step += 1
                        try await self.add(run, task, step, people, tracks, &dice)
                        if step % 40 == 0 { try await self.forget(people, tracks, &dice) }
                        let all = wrote.withLock { wrote in
                            wrote += PlaysProgram.batch
                            return wrote
                        }
                        if killed > 0, all >= killed { kill(getpid(), SIGKILL) }
                        if all % 500 == 0 { PlaysProgram.say("wrote \(all)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1_000
        PlaysProgram.say("rate \(Int(Double(wrote.withLock { $0 }) / max(seconds, 0.001))) plays/s")
    }

    private func add(
        _ run: Int, _ task: Int, _ step: Int, _ people: [UserID], _ tracks: [MusicID], _ dice: inout SeededGenerator
    ) async throws {
        var hearings: [(hearing: Plays.Hearing, listener: Listener)] = []
        for item in 0..<PlaysProgram.batch {
            // Some tracks are heard much more than others.
            let track = tracks[Int(dice.fraction() * dice.fraction() * Double(tracks.count))]
            let person = people[Int(dice.next() % UInt64(people.count))]
            hearings.append(
                (
                    Plays.Hearing(
                        track: track, key: "\(run).\(task).\(step).\(item)",
                        atMilliseconds: 1_796_000_000_000 + Int64(dice.next() % 2_592_000_000),
                        heardMilliseconds: 90_000 + Int64(dice.next() % 90_000), source: .alone),
                    Listener(uid: person, guestAccess: .full, folders: [])
                ))
        }
        try await library.plays.record(hearings)
    }

    private func forget(_ people: [UserID], _ tracks: [MusicID], _ dice: inout SeededGenerator) async throws {
        let person = people[Int(dice.next() % UInt64(people.count))]
        let track = tracks[Int(dice.fraction() * dice.fraction() * Double(tracks.count))]
        _ = try await library.plays.clear(PlayClear(track: track), of: person)
    }

    // MARK: Looking

    func count() async throws -> Int {
        try await database.read { db in try db.value("SELECT count(*) FROM plays") ?? 0 }
    }

    func check(_ moment: String) async throws {
        let (tracks, artists, plays) = try await database.read { db in
            (
                try db.value(
                    """
                    SELECT count(*) FROM tracks t
                    WHERE t.plays <> (SELECT count(*) FROM plays p WHERE p.track = t.number)
                    """, as: Int.self) ?? -1,
                try db.value(
                    """
                    SELECT count(*) FROM artists a WHERE a.plays <> (SELECT count(*) FROM track_artists j
                        JOIN plays p ON p.track = j.track WHERE j.artist = a.number)
                    """, as: Int.self) ?? -1, try db.value("SELECT count(*) FROM plays", as: Int.self) ?? -1
            )
        }
        if tracks != 0 || artists != 0 {
            PlaysProgram.say("FAIL \(moment): \(tracks) tracks and \(artists) artists have another counter than rows")
        }
        PlaysProgram.say("checked \(plays) plays \(moment)")
    }

    /// Spoils counters, and has them made anew.
    func rebuild() async throws {
        let before = try await popular()
        let clean = try await library.plays.recount()
        if clean.tracks != 0 || clean.artists != 0 {
            PlaysProgram.say("FAIL a recount found \(clean.tracks) tracks and \(clean.artists) artists")
        }
        if try await popular() != before { PlaysProgram.say("FAIL a recount changed what is popular") }
        try await database.write { db in
            try db.execute("UPDATE tracks SET plays = 7, popularity = NULL WHERE number % 3 = 0")
            _ = try db.execute("UPDATE artists SET plays = plays + 1 WHERE number % 2 = 0")
        }
        let start = ContinuousClock.now
        let mended = try await library.plays.recount()
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        if mended.tracks == 0 || mended.artists != PlaysProgram.artists / 2 {
            PlaysProgram.say("FAIL a recount mended \(mended.tracks) tracks and \(mended.artists) artists")
        }
        try await check("after the rebuild")
        if try await popular() != before { PlaysProgram.say("FAIL another order is popular after the rebuild") }
        PlaysProgram.say("rebuilt \(mended.plays) plays in \(Int(milliseconds)) ms")
    }

    /// The first hundred tracks by popularity.
    private func popular() async throws -> [Int64] {
        try await database.read { db in
            try db.values(
                """
                SELECT number FROM tracks WHERE popularity IS NOT NULL ORDER BY round(popularity, 6) DESC, number LIMIT 100
                """, as: Int64.self)
        }
    }
}
