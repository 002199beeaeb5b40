public import ArgumentParser
public import SonaMedia
public import SonaWire

// Public because both sides are; nothing imports a program.
extension AccountRole: ExpressibleByArgument {
    public init?(argument: String) {
        // The third role is for servers to come.
        guard argument != Self.moderator.rawValue else { return nil }
        self.init(rawValue: argument)
    }

    public static var allValueStrings: [String] { [user, admin].map(\.rawValue) }
}

extension UserReference: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension WorkerKind: ExpressibleByArgument {}
