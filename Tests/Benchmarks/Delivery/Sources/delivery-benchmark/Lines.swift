import DeliveryLoad

/// Everything there is to measure.
struct Line {
    var name: String
    var run: (Measure, inout Report) throws -> Void
}

enum Lines {
    static var names: [String] { all.map(\.name) }

    static var all: [Line] {
        [
            paired("null-100", .bare, .bare, 100, .fifty),
            paired("null-1000", .bare, .bare, 1000, .fifty),
            paired("null-4000", .bare, .bare, 4000, .twelve),
            paired("interactive-100", .bare, .interactive, 100, .fifty, goal: 1.30),
            paired("interactive-1000", .bare, .interactive, 1000, .fifty, goal: 1.25),
            paired("interactive-4000", .bare, .interactive, 4000, .twelve, goal: 1.25),
            paired("party-1000", .bare, .party, 1000, .fifty, goal: 0.55),
            paired("party-4000", .bare, .party, 4000, .twelve),
            paired("nio-100", .bare, .nioIdiomatic, 100, .fifty),
            paired("nio-1000", .bare, .nioIdiomatic, 1000, .fifty),
            paired("nio-tuned-100", .bare, .nioTuned, 100, .fifty),
            paired("nio-tuned-1000", .bare, .nioTuned, 1000, .fifty),
            paired("sona-nio-1000", .nioIdiomatic, .interactive, 1000, .fifty, goal: 0.5),
            paired("sona-nio-tuned-1000", .nioTuned, .interactive, 1000, .fifty, goal: 0.67),
            // The same so slowly that everybody has the time: 80 ms instead of 20.
            paired("easy-null-1000", .bare, .bare, 1000, .twelve),
            paired("easy-interactive-1000", .bare, .interactive, 1000, .twelve, goal: 1.25),
            paired("easy-nio-1000", .bare, .nioIdiomatic, 1000, .twelve),
            paired("easy-nio-tuned-1000", .bare, .nioTuned, 1000, .twelve),
            paired("easy-sona-nio-1000", .nioIdiomatic, .interactive, 1000, .twelve, goal: 0.5),
            paired("easy-sona-nio-tuned-1000", .nioTuned, .interactive, 1000, .twelve, goal: 0.67),
            paired("easy-tls-1000", .bare, .secure, 1000, .twelve, goal: 2.1),
            paired("tls-1000", .bare, .secure, 1000, .fifty, goal: 2.1),
            paired("tls-party-1000", .bare, .secureParty, 1000, .fifty, goal: 1.0),
            paired("loops-1000", .bare, .twoLoops, 1000, .fifty),
            Line(name: "rooms-4000") { measure, report in
                try measure.pair(
                    "rooms-4000",
                    Contest(a: .interactive, b: .inRooms, listeners: 4000, pace: .twelve, roomsOfB: 500, goal: 1.3),
                    &report)
            },
            Line(name: "easy-rooms-2000") { measure, report in
                try measure.pair(
                    "easy-rooms-2000",
                    Contest(a: .interactive, b: .inRooms, listeners: 2000, pace: .twelve, roomsOfB: 250, goal: 1.3),
                    &report)
            },
            // As rooms are unless their owners say otherwise, with packets short enough to be gathered.
            Line(name: "party-rooms-800") { measure, report in
                try measure.pair(
                    "party-rooms-800",
                    Contest(a: .party, b: .partyInRooms, listeners: 800, pace: .fifty, roomsOfB: 100), &report)
            },
            // The cost of small rooms with the bare server, and the cost that Sona adds.
            Line(name: "easy-bare-rooms-2000") { measure, report in
                try measure.pair(
                    "easy-bare-rooms-2000",
                    Contest(a: .bare, b: .bareInRooms, listeners: 2000, pace: .twelve, roomsOfB: 250), &report)
            },
            Line(name: "bare-rooms-4000") { measure, report in
                try measure.pair(
                    "bare-rooms-4000",
                    Contest(a: .bare, b: .bareInRooms, listeners: 4000, pace: .twelve, roomsOfB: 500), &report)
            },
            Line(name: "easy-sona-bare-rooms-2000") { measure, report in
                try measure.pair(
                    "easy-sona-bare-rooms-2000",
                    Contest(
                        a: .bareInRooms, b: .inRooms, listeners: 2000, pace: .twelve, roomsOfA: 250, roomsOfB: 250,
                        goal: 1.25),
                    &report)
            },
            Line(name: "delay-bare") { try $0.delay("delay-bare", .bare, &$1) },
            Line(name: "delay-interactive") { try $0.delay("delay-interactive", .interactive, &$1) },
            Line(name: "delay-party") { try $0.delay("delay-party", .party, &$1) },
            Line(name: "memory") { try $0.memory("memory", .interactive, kibibytesMax: 3, &$1) },
            Line(name: "memory-tls") { try $0.memory("memory-tls", .secure, kibibytesMax: 18, &$1) },
            Line(name: "join-one-room") { try $0.joining("join-one-room", rooms: 1, &$1) },
            Line(name: "join-many-rooms") { try $0.joining("join-many-rooms", rooms: 100, &$1) },
            Line(name: "join-paired") { try $0.joiningPaired("join-paired", &$1) },
            Line(name: "join-nio") { try $0.joiningBesideNIO("join-nio", &$1) },
            Line(name: "burst") { try $0.burst(&$1) },
            Line(name: "calls-interactive") {
                try $0.calls("calls-interactive", .interactive, .twelve, sendsMax: 1.02, &$1)
            },
            Line(name: "calls-party") { try $0.calls("calls-party", .party, .fifty, sendsMax: 0.45, &$1) },
            Line(name: "allocations-interactive") { try $0.allocations("allocations-interactive", .interactive, &$1) },
            Line(name: "allocations-party") { try $0.allocations("allocations-party", .party, &$1) },
            Line(name: "retains-interactive") { try $0.references("retains-interactive", .interactive, &$1) },
            Line(name: "retains-party") { try $0.references("retains-party", .party, &$1) },
        ]
    }

    private static func paired(
        _ name: String, _ a: Entrant, _ b: Entrant, _ listeners: Int, _ pace: Pace, goal: Double? = nil
    ) -> Line {
        Line(name: name) { measure, report in
            try measure.pair(name, Contest(a: a, b: b, listeners: listeners, pace: pace, goal: goal), &report)
        }
    }
}
