"""Limits: of a file, of an account, and of uploads under way."""
import socket
from urllib.parse import urlsplit

from protocol_checks.helpers import check, equal, true

from upload_checks import stage
from upload_checks.stage import ask, begun, patch, refused, somebody, sound, usage

MIB = 1 << 20


@check("a file beyond upload-max is 413 before any of it is read")
def _():
    token = somebody()
    refused(413, "upload.too_large", "POST", "/v1/uploads", token, Upload_Length=64 * MIB + 1)
    equal(ask("DELETE", begun(token, 64 * MIB), token)[0], 204, "up to it")
    at = urlsplit(stage.SERVER.url)
    link = socket.create_connection((at.hostname, at.port), timeout=20)
    link.sendall((f"PUT /v1/uploads/x.wav HTTP/1.1\r\nHost: {at.netloc}\r\nAuthorization: Bearer {token}\r\n"
                  f"Content-Length: {64 * MIB + 1}\r\n\r\n").encode())
    answer = link.recv(4096).decode()
    link.close()
    true(answer.startswith("HTTP/1.1 413 ") and "upload.too_large" in answer, answer)


@check("the quota counts what is under way, to the byte, and what is ended counts no more")
def _():
    token = somebody()
    paths = [begun(token, 64 * MIB), begun(token, 64 * MIB)]
    refused(413, "quota.exceeded", "POST", "/v1/uploads", token, Upload_Length=32 * MIB + 1)
    paths.append(begun(token, 32 * MIB))
    error, _ = refused(413, "quota.exceeded", "POST", "/v1/uploads", token, Upload_Length=1)
    true("0 bytes left" in error["message"], error["message"])
    equal(usage(token)["coming_bytes"], 160 * MIB, "coming")
    equal(ask("DELETE", paths[0], token)[0], 204, "DELETE")
    begun(token, 64 * MIB)


@check("the quota counts tracks")
def _():
    token, content = somebody(), sound(60)
    path = begun(token, len(content))
    equal(patch(path, token, 0, content)[0], 204, "the upload")
    found = usage(token)
    equal((found["used_bytes"], found["tracks"], found["coming_bytes"]), (len(content), 1, 0), "usage")
    equal((found["quota_bytes"], found["file_bytes_max"], found["server"]), (160 * MIB, 64 * MIB, None), "limits")
    for _ in range(2):
        begun(token, 64 * MIB)
    rest = 160 * MIB - 128 * MIB - len(content)
    refused(413, "quota.exceeded", "POST", "/v1/uploads", token, Upload_Length=rest + 1)
    begun(token, rest)


@check("32 uploads of an account are under way at once")
def _():
    token = somebody()
    for _ in range(32):
        begun(token, 100)
    refused(409, "upload.limit_reached", "POST", "/v1/uploads", token, Upload_Length=100)
    found = usage(token)["uploads"]
    equal((len(found), {upload["length"] for upload in found}), (32, {100}), "storage.usage")


@check("metrics tell bytes, uploads and space")
def _():
    token, content = somebody(), sound(1)

    def figure(name):
        return next(int(line.split()[-1]) for line in stage.SERVER.metrics().splitlines()
                    if line.startswith(f"sona_{name} "))
    before = figure("upload_bytes_total"), figure("uploads_finished_total")
    path = begun(token, len(content))
    equal(patch(path, token, 0, content)[0], 204, "the upload")
    equal((figure("upload_bytes_total") - before[0], figure("uploads_finished_total") - before[1]), (len(content), 1),
          "bytes and uploads")
    true(figure("upload_space_bytes") >= len(content), "space")
