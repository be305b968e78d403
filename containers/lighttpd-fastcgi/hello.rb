require "fcgi"

body = "hello dyno world\n"
head = "Content-Type: text/plain\r\nContent-Length: #{body.bytesize}\r\n\r\n"

FCGI.each do |request|
  request.out.print head, body
  request.finish
end
