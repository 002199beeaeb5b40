internal import SonaWire

extension Sequence where Element: WireObject {
    /// The first elements, as many as fit into one reply, and at least one.
    func fitting(_ bytesMax: Int) -> [Element] {
        var bytes = 0
        var fitting: [Element] = []
        for element in self {
            bytes += element.encoded().count + 1
            if bytes > bytesMax, !fitting.isEmpty { break }
            fitting.append(element)
        }
        return fitting
    }
}
