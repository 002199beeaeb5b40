public import ArgumentParser
public import SonaWire

extension MusicID: ExpressibleByArgument {
    /// In small letters, too.
    public init?(argument: String) { self.init(argument.uppercased()) }
}
