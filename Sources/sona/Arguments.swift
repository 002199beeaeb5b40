public import ArgumentParser
public import SonaMedia
public import SonaWire

// Public because both sides are; nothing imports a program.
extension AccountRole: ExpressibleByArgument {
    public init?(argument: String) { self.init(rawValue: argument) }
}

extension UserReference: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension WorkerKind: ExpressibleByArgument {}
