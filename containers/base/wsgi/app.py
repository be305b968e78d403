BODY = b"hello dyno world\n"
HEAD = [("Content-Type", "text/plain"), ("Content-Length", str(len(BODY)))]


def application(environ, start_response):
    start_response("200 OK", HEAD)
    return [BODY]
