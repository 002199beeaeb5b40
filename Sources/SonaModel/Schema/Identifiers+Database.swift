public import SonaDatabase
public import SonaWire

extension UserID: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .text(rawValue) }
    public init?(databaseValue: DatabaseValue) {
        guard case .text(let text) = databaseValue else { return nil }
        self.init(text)
    }
}

extension RoomID: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .text(rawValue) }
    public init?(databaseValue: DatabaseValue) {
        guard case .text(let text) = databaseValue else { return nil }
        self.init(text)
    }
}

extension Username: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .text(rawValue) }
    public init?(databaseValue: DatabaseValue) {
        guard case .text(let text) = databaseValue else { return nil }
        self.init(text)
    }
}
