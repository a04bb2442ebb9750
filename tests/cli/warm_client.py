"""The command `hyperbaton` as a small program that hands its streams to the warm process."""

import json
import os
import signal
import socket
import sys

if __name__ == "__main__":
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(sys.argv[1])
        request = {
            "arguments": sys.argv[2:],
            "folder": os.getcwd(),
            "environment": dict(os.environ),
        }
        data = json.dumps(request).encode()
        connection.sendall(len(data).to_bytes(8, "big"))
        socket.send_fds(connection, [b"x"], [0, 1, 2])
        connection.sendall(data)
        status = connection.recv(1)
    if not status:  # the process behind this one was killed
        os.kill(os.getpid(), signal.SIGKILL)
    sys.exit(status[0])
