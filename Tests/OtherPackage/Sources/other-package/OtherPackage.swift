import SonaDatabase

struct Station: Record {
    typealias Key = Int64
    var id: Int64?
    var name: String

    static let id = Column("id", \Self.id, .primaryKey)
    static let name = Column("name", \Self.name, .unique)
    static let table = Table<Self>("stations", id, name, search: SearchIndex(name))

    init(name: String) { self.name = name }
    init(row: inout Row) throws(DatabaseError) {
        id = try row.next()
        name = try row.next()
    }
    func bind(to values: inout Binder) {
        values.next(id)
        values.next(name)
    }
}

enum StationError: RecordError {
    case notFound, alreadyExists
    case cannotFetch(DatabaseError), cannotSave(DatabaseError)
}

struct StationDAO: TableDAO {
    typealias Model = Station
    typealias Failure = StationError
    let database: any DatabaseWriter
    init(_ database: any DatabaseWriter) { self.database = database }
    static func setUpTables(_ setUp: inout TableSetUp) { setUp.createTable(Station.self) }
}

struct Stations: DAOs {
    let stations: StationDAO
    init(_ database: any DatabaseWriter) { stations = StationDAO(database) }
}

@main struct OtherPackage {
    static func main() async throws {
        let (queue, daos) = try await DatabaseQueue.inMemory(daos: Stations.self)
        let made = try await daos.stations.create(Station(name: "Radio Nord"))
        precondition(made.id == 1)
        let found = try await queue.read { db in
            try db.search(Station.self, SearchText("nor")!, limit: 5).map(\.name)
        }
        precondition(found == ["Radio Nord"])
        do {
            _ = try await daos.stations.create(Station(name: "Radio Nord"))
            preconditionFailure("A name was taken twice.")
        } catch StationError.alreadyExists {}
        await queue.close()
        print("another package uses SonaDatabase: ok")
    }
}
