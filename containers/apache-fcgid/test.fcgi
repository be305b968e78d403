#!/usr/bin/env -S prlimit --stack=1048576 /usr/bin/ruby --disable=gems
# Ruby 3.3 writes to all of its stack when it starts: at the usual limit those are
# 8 MiB in each process.
require "fcgi"

FCGI.each do |request|
  request.out.print "Content-Type: text/plain\r\nContent-Length: 6\r\n\r\nHello!"
  request.finish
end
