import Glibc
import SonaSandbox
import SonaTestSupport
import Testing

/// Programs of others, started by the real launcher.
@Suite struct LimitedProgramTests {
    private let folder = TemporaryFolder()

    private func program(_ path: String) -> LimitedProgram {
        var program = LimitedProgram(path: path)
        program.launcher = BuiltProgram.sona
        return program
    }

    /// Runs a Python script and returns what it prints.
    private func python(_ script: String, input: String = "/dev/null") throws -> (LimitedProgram.Ending, String) {
        let file = open(input, O_RDONLY | O_CLOEXEC)
        let output = try MemoryFile.make("output")
        defer {
            close(file)
            close(output)
        }
        let ending = try program("/usr/bin/python3").run(["-c", script], input: file, output: output, log: nil)
        return (ending, String(decoding: MemoryFile.read(output, bytesMax: 65_536), as: UTF8.self))
    }

    @Test func `a program opens no socket, starts no process, signals nobody and changes no file`() throws {
        let kept = folder.file("kept")
        TemporaryFolder.write(Array("kept".utf8), toFile: kept)
        let script = """
            import os, socket, subprocess, threading
            def attempt(name, work):
                try: work()
                except OSError as error: print(name, error.errno)
                else: print(name, "allowed")
            attempt("socket", lambda: socket.socket())
            attempt("fork", lambda: os.fork() or os._exit(0))
            attempt("kill", lambda: os.kill(os.getppid(), 0))
            attempt("write", lambda: open("\(folder.file("new"))", "w"))
            attempt("append", lambda: open("\(kept)", "a"))
            attempt("remove", lambda: os.unlink("\(kept)"))
            attempt("rename", lambda: os.rename("\(kept)", "\(kept)2"))
            attempt("mode", lambda: os.chmod("\(kept)", 0))
            thread = threading.Thread(target=lambda: print("thread allowed"))
            thread.start()
            thread.join()
            """
        let (ending, said) = try python(script)
        #expect(ending == .finished)
        let answers = said.split(separator: "\n").map(String.init)
        #expect(
            answers == [
                "socket 1", "fork 1", "kill 1", "write 1", "append 1", "remove 1", "rename 1", "mode 1",
                "thread allowed",
            ])
        #expect(TemporaryFolder.bytes(ofFile: kept) == Array("kept".utf8))
    }

    @Test func `a program reads its input by descriptor 0, and where the kernel has Landlock no other file`() throws {
        let (input, other) = (folder.file("input"), folder.file("other"))
        TemporaryFolder.write(Array("input".utf8), toFile: input)
        TemporaryFolder.write(Array("other".utf8), toFile: other)
        let script = """
            print(open("/proc/self/fd/0").read())
            try: print(open("\(other)").read())
            except OSError as error: print(error.errno)
            """
        let (ending, said) = try python(script, input: input)
        #expect(ending == .finished)
        #expect(said == "input\n13\n" || said == "input\nother\n")
    }

    @Test func `a program that takes too long, or writes too much, is ended`() throws {
        var sleeping = program("/bin/sleep")
        sleeping.timeMax = .milliseconds(600)
        #expect(try sleeping.run(["60"], input: nil, output: nil, log: nil) == .failed("took too long"))
        var writing = program("/bin/cat")
        writing.limits.outputBytesMax = 1_000_000
        let path = folder.file("much")
        let (zeros, output) = (open("/dev/zero", O_RDONLY), open(path, O_RDWR | O_CREAT, 0o600))
        defer {
            close(zeros)
            close(output)
        }
        let ending = try writing.run([], input: zeros, output: output, log: nil)
        guard case .failed(let reason) = ending else { return #expect(Bool(false), "\(ending)") }
        #expect(reason.contains("signal 25"), "\(reason)")
        #expect(TemporaryFolder.bytes(ofFile: path)?.count == 1_000_000)
    }

    @Test func `memory is bounded`() throws {
        #expect(try python("x = bytearray(3 << 30)").0 != .finished)
    }

    @Test func `a program that is not there fails, and a launcher that is not there is said`() throws {
        #expect(
            try program("/nowhere").run([], input: nil, output: nil, log: nil) == .failed("ended with status 127"))
        var lost = program("/bin/true")
        lost.launcher = "/nowhere"
        #expect(throws: ChildProcess.StartError.self) { try lost.run([], input: nil, output: nil, log: nil) }
    }
}
