"""A server to begin with: processes that share a listening socket. Usage: server.py PORT WORKERS"""

import os
import signal
import socketserver
import sys
from http.server import BaseHTTPRequestHandler

BODY = b"hello dyno world\n"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections are kept alive
    disable_nagle_algorithm = True

    def do_GET(self):
        if self.path != "/hello":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, *args):
        pass


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 1024


def main():
    port, workers = int(sys.argv[1]), int(sys.argv[2])
    server = Server(("", port), Handler)
    children = []
    for _ in range(workers):
        child = os.fork()
        if child == 0:
            server.serve_forever()
        children.append(child)

    def stop(*_):
        for child in children:
            os.kill(child, signal.SIGTERM)
        sys.exit(0)

    signal.signal(signal.SIGTERM, stop)
    signal.pause()


main()
