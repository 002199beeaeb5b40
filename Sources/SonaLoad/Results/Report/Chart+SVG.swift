extension Chart {
    private static let (width, height) = (640.0, 250.0)
    private static let (left, right, top, bottom) = (62.0, 16.0, 20.0, 30.0)
    private static var plotWidth: Double { width - left - right }
    private static var plotHeight: Double { height - top - bottom }

    /// The chart with its legend, the values at the pointer, and its table.
    var html: String {
        let scale = ChartScale(series.flatMap { $0.values.compactMap { $0 } }, unit: unit, isLogarithmic: isLogarithmic)
        let legend = series.map { line in
            """
            <li><svg class="key" viewBox="0 0 18 10" aria-hidden="true"><path class="line \(line.color)\(line.form.style)" d="M1 5H17"/></svg>\(HTMLText.escaped(line.name)) <b></b></li>
            """
        }
        return """
            <figure id="\(id)" class="card chart">
            <figcaption><h3>\(HTMLText.escaped(title))</h3><p>\(HTMLText.escaped(note))</p></figcaption>
            <div class="reading"><ul class="legend">\(legend.joined())</ul><span class="at"></span></div>
            <div class="plot">\(drawing(scale))</div>
            <details><summary>Table</summary>\(table)</details>
            <script type="application/json">\(reading(scale))</script>
            </figure>
            """
    }

    // MARK: The drawing

    private func drawing(_ scale: ChartScale) -> String {
        let (right, foot) = (Self.width - Self.right, Self.height - Self.bottom)
        let horizontal = scale.ticks.map { tick in
            let y = Self.text(self.y(tick, scale))
            return """
                <path class="grid" d="M\(Self.text(Self.left)) \(y)H\(Self.text(right))"/>\
                <text x="\(Self.text(Self.left - 8))" y="\(y)" dy=".32em" text-anchor="end">\(unit.tick(tick))</text>
                """
        }
        let vertical = ticks.map { tick in
            let x = Self.text(self.x(tick.x))
            return """
                <path class="tick" d="M\(x) \(Self.text(foot))v4"/>\
                <text x="\(x)" y="\(Self.text(foot + 18))" text-anchor="middle">\(HTMLText.escaped(tick.label))</text>
                """
        }
        let stretches = phases.map { phase in
            let x = Self.text(self.x(phase.begin))
            return "<path class=\"phase\" d=\"M\(x) \(Self.text(Self.top - 6))V\(Self.text(foot))\"/>" + name(of: phase)
        }
        let ordered = series.filter { $0.form == .background } + series.filter { $0.form != .background }
        return """
            <svg viewBox="0 0 \(Self.text(Self.width)) \(Self.text(Self.height))" role="img" tabindex="0" \
            aria-label="\(HTMLText.escaped(title + ". " + note)) The table below has the figures.">
            \(horizontal.joined(separator: "\n"))
            \(vertical.joined(separator: "\n"))
            \(stretches.joined(separator: "\n"))
            <path class="axis" d="M\(Self.text(Self.left)) \(Self.text(foot))H\(Self.text(right))"/>
            \(ordered.map { shape($0, scale) }.joined(separator: "\n"))
            <path class="cursor" d="M0 \(Self.text(Self.top))V\(Self.text(foot))"/>
            \(series.map { "<circle class=\"dot \($0.color)\" r=\"3.5\"/>" }.joined())
            </svg>
            """
    }

    private func shape(_ line: Series, _ scale: ChartScale) -> String {
        if line.form == .bars { return bars(line, scale) }
        var path = ""
        var isDown = false
        for (place, value) in zip(places, line.values) {
            guard let value, value.isFinite else {
                isDown = false
                continue
            }
            path += "\(isDown ? "L" : "M")\(Self.text(x(place.x))) \(Self.text(y(value, scale)))"
            // A value alone is a dot: a line of no length, with round ends.
            if !isDown { path += "h0" }
            isDown = true
        }
        guard !path.isEmpty else { return "" }
        return "<path class=\"line \(line.color)\(line.form.style)\" d=\"\(path)\"/>"
    }

    private func bars(_ line: Series, _ scale: ChartScale) -> String {
        let foot = Self.height - Self.bottom
        let width = max(1, min(14, Self.plotWidth / Double(max(1, places.count)) * 0.7))
        let path = zip(places, line.values).map { place, value -> String in
            guard let value, value > 0 else { return "" }
            return "M\(Self.text(x(place.x) - width / 2)) \(Self.text(foot))V\(Self.text(y(value, scale)))"
                + "h\(Self.text(width))V\(Self.text(foot))Z"
        }
        return "<path class=\"bars \(line.color)\" d=\"\(path.joined())\"/>"
    }

    /// The name of a phase if it fits before the next one begins; otherwise empty.
    private func name(of phase: Phase) -> String {
        let next = phases.first { $0.begin > phase.begin }?.begin ?? 1
        // About 6 units for a letter of this size.
        guard (next - phase.begin) * Self.plotWidth > Double(phase.name.count) * 6 + 8 else { return "" }
        return """
            <text class="phase" x="\(Self.text(x(phase.begin)))" dx="4" y="\(Self.text(Self.top - 8))">\
            \(HTMLText.escaped(phase.name))</text>
            """
    }

    private func x(_ place: Double) -> Double { Self.left + place * Self.plotWidth }
    private func y(_ value: Double, _ scale: ChartScale) -> Double {
        Self.top + (1 - scale.place(value)) * Self.plotHeight
    }

    private static func text(_ value: Double) -> String { Figures.trimmed(Figures.fixed(value, 1)) }

    // MARK: What the pointer reads, and the table

    /// `{"x":[…],"at":["12 s",…],"series":[{"y":[…|null],"text":["1.2 ms",…]},…]}`; x and y in the drawing's units.
    private func reading(_ scale: ChartScale) -> String {
        let lines = series.map { line in
            let heights = line.values.map { $0.flatMap { $0.isFinite ? Self.text(y($0, scale)) : nil } ?? "null" }
            let texts = line.values.map { HTMLText.json($0.map(unit.text) ?? "–") }
            return "{\"y\":[\(heights.joined(separator: ","))],\"text\":[\(texts.joined(separator: ","))]}"
        }
        let across = places.map { Self.text(x($0.x)) }.joined(separator: ",")
        let labels = places.map { HTMLText.json($0.label) }.joined(separator: ",")
        return "{\"x\":[\(across)],\"at\":[\(labels)],\"series\":[\(lines.joined(separator: ","))]}"
    }

    private var table: String {
        let step = (places.count + Self.rowsMax - 1) / Self.rowsMax
        let rows = stride(from: 0, to: places.count, by: max(1, step)).map { index in
            [places[index].label] + series.map { $0.values[index].map(unit.text) ?? "–" }
        }
        let caption = step > 1 ? "\(title): each \(step)th of \(places.count) rows" : title
        return HTMLText.table(caption: caption, columns: [rowName] + series.map(\.name), rows: rows)
    }
}

extension Chart.Form {
    /// Its name in the page's style sheet, with a space before.
    fileprivate var style: String {
        switch self {
        case .line, .bars: ""
        case .background: " background"
        case .dashed: " dashed"
        }
    }
}
