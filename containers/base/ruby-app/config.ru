# The application for servers that speak Rack. The length is said here because not
# all of them work one out: thin then closes its connection, and httpd sends chunks.
require "/stack/app"

run(lambda do |env|
  status, type, body = App.answer(env["PATH_INFO"], env["QUERY_STRING"])
  [status, { "Content-Type" => type, "Content-Length" => body.bytesize.to_s }, [body]]
end)
