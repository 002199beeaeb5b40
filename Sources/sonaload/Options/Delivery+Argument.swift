public import ArgumentParser
public import SonaWire

// Public because both sides are; nothing imports a program.
extension Delivery: ExpressibleByArgument {}
