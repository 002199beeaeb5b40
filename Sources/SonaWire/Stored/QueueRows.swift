/// The stored form of a room's queue: rows, so that a change writes only the rows it touches.
///
/// Not part of the protocol. SonaRooms knows what the rows mean, SonaModel stores them, and neither sees the other.
///
/// `state` holds the single values: rules, the playing entry, counters. Every entry, every remembered play and every
/// vote has a row.
package struct QueueRows: Sendable, Equatable {
    /// The list an entry is in. The playing entry is part of `state`.
    package enum List: String, Sendable, CaseIterable {
        case waiting
        case pending
        case past
    }

    package struct Entry: Sendable, Equatable {
        /// 1 or more.
        package let id: Int64
        package let list: List
        /// Rises along the list, with gaps, so that an entry moves without touching others.
        package let place: Int64
        /// A JSON object, without the row's columns and the votes.
        package let text: String

        package init(id: Int64, list: List, place: Int64, text: String) {
            self.id = id
            self.list = list
            self.place = place
            self.text = text
        }
    }

    package struct Play: Sendable, Equatable {
        /// Number of the play in its room.
        package let number: Int64
        /// A JSON object.
        package let text: String

        package init(number: Int64, text: String) {
            self.number = number
            self.text = text
        }
    }

    package enum Choice: String, Sendable, CaseIterable {
        case up
        case down
        /// A vote to skip the entry, which plays.
        case skip
    }

    package struct Vote: Sendable, Equatable {
        package let entry: Int64
        /// A user identifier. Only SonaRooms validates it: an invalid one must not keep the room from opening.
        package let user: String
        package let choice: Choice

        package init(entry: Int64, user: String, choice: Choice) {
            self.entry = entry
            self.user = user
            self.choice = choice
        }
    }

    /// A JSON object. In format 1 it holds the whole queue, and there are no rows.
    package var state: String
    /// Revision of the state, as members know it.
    package var revision: Int64
    /// Number of times the queue has been written.
    package var writes: Int64
    /// Ordered by list and place.
    package var entries: [Entry]
    /// Ordered by number.
    package var plays: [Play]
    package var votes: [Vote]

    package init(
        state: String, revision: Int64 = 0, writes: Int64, entries: [Entry] = [], plays: [Play] = [], votes: [Vote] = []
    ) {
        self.state = state
        self.revision = revision
        self.writes = writes
        self.entries = entries
        self.plays = plays
        self.votes = votes
    }

    /// The changes to a queue's rows, to be made in the order of these properties.
    package struct Change: Sendable {
        /// Number of writes before this one, 0 for a queue that is not stored. The change is valid for that state only.
        package let after: Int64
        package let state: String
        /// Entries that lose all their votes.
        package var closedVotes: [Int64] = []
        package var withdrawals: [(entry: Int64, user: String)] = []
        /// New votes, and changed ones.
        package var votes: [Vote] = []
        package var goneEntries: [Int64] = []
        package var moves: [(id: Int64, place: Int64)] = []
        /// New entries, and changed ones.
        package var entries: [Entry] = []
        /// Plays with lower numbers are forgotten; `nil`: none are.
        package var firstPlay: Int64?
        package var plays: [Play] = []

        package init(after: Int64, state: String) {
            self.after = after
            self.state = state
        }
    }
}
