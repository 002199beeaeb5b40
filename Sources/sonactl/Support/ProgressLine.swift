internal import SonaBase

/// How far something is: one line that changes on a terminal, and a line a second elsewhere.
struct ProgressLine {
    private var last: ContinuousClock.Instant?
    private var text = ""

    /// - Parameter isLast: Whether the line is shown however little time has passed.
    mutating func show(_ text: String, isLast: Bool = false) {
        if Console.isInteractive { return Console.status(text) }
        let now = ContinuousClock.now
        if !isLast, let last, now - last < .seconds(1) { return }
        guard text != self.text else { return }
        last = now
        self.text = text
        Console.say(Console.printable(text))
    }

    /// Clears the line of a terminal.
    func end() { Console.endStatus() }
}
