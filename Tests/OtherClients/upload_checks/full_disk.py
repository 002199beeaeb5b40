"""A disk that is full while an upload comes: it is refused with 507, what was acknowledged stays, and goes on with space."""
import hashlib, os, pathlib, subprocess, tempfile

from protocol_checks.helpers import Skipped, check, equal, true
from room_checks.server import MortalServer

from upload_checks import stage
from upload_checks.stage import ask, begun, contents, patch, played, somebody, sound, state  # noqa: F401

# Uploads begin only if they leave 512 MiB free. Memory is taken for what is written alone, and while the disk is full.
DISK_BYTES = 640 << 20
PIECE = 256 << 10


class FullDisk:
    """A small file system of its own, in memory."""
    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="sona-disk-"))
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", self.path], capture_output=True)
        if done.returncode != 0:
            self.path.rmdir()
            raise Skipped("no file system can be mounted here")
        return self

    def fill(self, left):
        """A file that leaves so many bytes."""
        free = os.statvfs(self.path)
        with (self.path / "filling").open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, free.f_bavail * free.f_bsize - left)

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.path], check=True)
        self.path.rmdir()


@check("a disk that is full refuses an upload with 507, keeps what it acknowledged, and takes the rest when there is space")
def _():
    with FullDisk() as disk:
        server = MortalServer("--exempt", "127.0.0.1", data=disk.path / "data")
        try:
            with server:
                token, content = somebody(), sound(60, stage.SEED)  # 11 MiB
                path = begun(token, len(content))
                equal(patch(path, token, 0, content[:1 << 20])[0], 204, "the first MiB")
                disk.fill(2 << 20)
                status, sent = 204, 1 << 20
                while status == 204:  # in pieces, which are read to their end although they are refused
                    true(sent < len(content), "the disk is not full")
                    status, told, _ = patch(path, token, sent, content[sent:sent + PIECE])
                    sent += PIECE if status == 204 else 0
                equal((status, told and told.get("code")), (507, "quota.server_full"), "without space")
                offset = state(path, token)[0]
                true(sent <= offset < len(content), f"{sent} bytes were acknowledged, and {offset} are kept")
                (disk.path / "filling").unlink()
                equal(patch(path, token, offset, content[offset:])[0], 204, "the rest")
                stage.eventually(lambda: state(path, token)[2], "the track is there")
                found = hashlib.sha256(played(state(path, token)[2], token)).hexdigest()
                equal(found, hashlib.sha256(content).hexdigest(), "the file")
        finally:
            server.stop()
