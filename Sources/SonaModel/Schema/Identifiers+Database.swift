public import SonaDatabase
public import SonaWire

extension UserID: DatabaseValueConvertible {
    public static var storageClass: StorageClass { .text }
    public var databaseValue: DatabaseValue { .text(rawValue) }
    public init?(databaseValue: DatabaseValue) {
        guard case .text(let text) = databaseValue else { return nil }
        self.init(text)
    }
    public init?(stored: borrowing StoredValue) {
        guard let text = stored.text else { return nil }
        self.init(text)
    }
    public func bind(to values: inout Binder) { values.text(rawValue) }
}

extension RoomID: DatabaseValueConvertible {
    public static var storageClass: StorageClass { .text }
    public var databaseValue: DatabaseValue { .text(rawValue) }
    public init?(databaseValue: DatabaseValue) {
        guard case .text(let text) = databaseValue else { return nil }
        self.init(text)
    }
    public init?(stored: borrowing StoredValue) {
        guard let text = stored.text else { return nil }
        self.init(text)
    }
    public func bind(to values: inout Binder) { values.text(rawValue) }
}

extension Username: DatabaseValueConvertible {
    public static var storageClass: StorageClass { .text }
    public var databaseValue: DatabaseValue { .text(rawValue) }
    public init?(databaseValue: DatabaseValue) {
        guard case .text(let text) = databaseValue else { return nil }
        self.init(text)
    }
    public init?(stored: borrowing StoredValue) {
        guard let text = stored.text else { return nil }
        self.init(text)
    }
    public func bind(to values: inout Binder) { values.text(rawValue) }
}
