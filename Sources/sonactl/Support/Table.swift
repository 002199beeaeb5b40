/// Lines of texts whose columns stand under one another.
///
/// Control characters of the texts are taken out. Columns are counted in characters: scripts that take two columns for
/// each shift what stands to their right.
struct Table {
    private var rows: [[String]] = []

    mutating func add(_ cells: String...) {
        rows.append(cells.map { Console.printable($0) })
    }

    /// The lines, without spaces at their ends.
    var lines: [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    func show() {
        for line in lines { Console.out(line) }
    }
}
