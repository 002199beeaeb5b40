import SonaWire
import Testing

@testable import SonaLoad

struct ScenarioFileTests {
    private func read(_ text: String) throws(LoadError) -> Scenario { try Scenario(file: Array(text.utf8)) }

    private func refusal(_ text: String) -> String {
        do {
            _ = try read(text)
            return "accepted"
        } catch {
            return error.code == .usage ? error.message : error.code.rawValue
        }
    }

    @Test func `a file says everything that flags do`() throws {
        let scenario = try read(
            """
            {"name":"evening","rooms":3,"frame_ms":2.5,"bitrate":64,"delivery":"interactive","seed":7,"phases":[
             {"name":"ramp","seconds":20,"listeners":400,"join_rate":40,"slow":5,"dead":6},
             {"seconds":3.5,"churn":1.5,"chat":2,"reactions":3,"reconnect":0.5,"sign_ups":4}]}
            """)
        #expect(scenario.name == "evening" && scenario.rooms == 3 && scenario.frameMilliseconds == 2.5)
        #expect(scenario.bitrate == 64 && scenario.delivery == .interactive && scenario.seed == 7)
        #expect(scenario.phases[0].listeners == 400 && scenario.phases[0].joinRate == 40)
        #expect(scenario.phases[0].slow == 5 && scenario.phases[0].dead == 6)
        let storm = scenario.phases[1]
        #expect(storm.name == "phase 2" && storm.seconds == 3.5 && storm.churn == 1.5 && storm.chat == 2)
        #expect(storm.reactions == 3 && storm.reconnect == 0.5 && storm.signUps == 4 && storm.listeners == nil)
    }

    /// Flags take what a file cannot say.
    @Test(arguments: [(Int.max, 1), (1, .max), (.max, .max), (.min, .max), (.max, .min), (6, 5), (-1, 1)])
    func `slow and dead readers are some of the listeners, whatever their numbers`(slow: Int, dead: Int) {
        var phase = Scenario.Phase(name: "a", seconds: 1)
        (phase.listeners, phase.slow, phase.dead) = (10, slow, dead)
        var scenario = Scenario()
        scenario.phases = [phase]
        let error = #expect(throws: LoadError.self) { try scenario.check() }
        #expect(error?.code == .usage && error?.message.contains("some of the listeners") == true)
    }

    @Test func `the scenario in a record is a file that gives the same plan`() throws {
        let scenario = try read(
            #"{"rooms":2,"seed":11,"phases":[{"name":"a","seconds":2,"listeners":9,"slow":1},{"name":"b","seconds":1.25,"churn":4}]}"#
        )
        var writer = JSONWriter()
        func write(_ value: RecordValue) {
            switch value {
            case .bool(let value): writer.bool(value)
            case .integer(let value): writer.integer(value)
            case .number(let value): writer.number(value)
            case .string(let value): writer.string(value)
            case .array(let values):
                writer.beginArray()
                values.forEach(write)
                writer.endArray()
            case .object(let members):
                writer.beginObject()
                for (key, value) in members {
                    writer.key(key)
                    write(value)
                }
                writer.endObject()
            }
        }
        write(scenario.recordValue)
        let again = try Scenario(file: writer.bytes)
        #expect(again == scenario)
        #expect(LoadPlan(again, packets: 5) == LoadPlan(scenario, packets: 5))
    }

    @Test(arguments: [
        ("[]", "object"), ("{", "JSON"), (#"{"phases":[]}"#, "at least one"), (#"{"rooms":1}"#, "phases"),
        (#"{"phases":[{"listeners":1}]}"#, "seconds"), (#"{"phase":[]}"#, "\"phase\""),
        (#"{"phases":[{"seconds":1,"chrun":1}]}"#, "chrun"),
        (#"{"rooms":"2","phases":[{"seconds":1}]}"#, "whole number"),
        (#"{"rooms":0,"phases":[{"seconds":1}]}"#, "1 to 5000"),
        (#"{"rooms":5001,"phases":[{"seconds":1}]}"#, "1 to 5000"),
        (#"{"phases":[{"seconds":1,"listeners":2,"join_rate":1e-8}]}"#, "2 joins at"),
        (#"{"phases":[{"seconds":1,"listeners":9},{"seconds":1,"slow":3,"join_rate":1e-300}]}"#, "3 joins in phase"),
        (#"{"phases":[{"seconds":0}]}"#, "above 0"), (#"{"phases":[{"seconds":86401}]}"#, "86400"),
        (#"{"phases":[{"seconds":1,"listeners":-1}]}"#, "0 to 200000"),
        (#"{"phases":[{"seconds":1,"listeners":3,"slow":2,"dead":2}]}"#, "not more"),
        (#"{"phases":[{"seconds":1,"listeners":3,"join_rate":0}]}"#, "join rate"),
        (#"{"phases":[{"seconds":1,"listeners":3,"chat":-1}]}"#, "chat"),
        (#"{"phases":[{"seconds":1,"listeners":3,"reconnect":1.1}]}"#, "between 0 and 1"),
        (#"{"phases":[{"seconds":1,"churn":1}]}"#, "neither slow nor dead"),
        (#"{"delivery":"post","phases":[{"seconds":1}]}"#, "interactive"),
        (#"{"seed":-1,"phases":[{"seconds":1}]}"#, "seed"),
    ])
    func `a contradictory scenario is refused with a message`(text: String, words: String) {
        #expect(refusal(text).contains(words), "\(refusal(text))")
    }

    @Test func `limits themselves are allowed`() throws {
        _ = try read(#"{"rooms":5000,"phases":[{"seconds":86400,"listeners":200000,"slow":100000,"dead":100000}]}"#)
        _ = try read(#"{"seed":9007199254740991,"phases":[{"seconds":0.001}]}"#)
    }
}
