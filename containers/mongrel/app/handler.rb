# handler.rb PORT: Mongrel answering as in S2, from a handler of its own kind.
require "mongrel"
require "/stack/app"

class Handler < Mongrel::HttpHandler
  def process(request, response)
    params = request.params
    status, type, body = App.answer(params["REQUEST_PATH"], params["QUERY_STRING"].to_s)
    response.start(status) do |head, out|
      head["Content-Type"] = type
      out.write body
    end
  end
end

server = Mongrel::HttpServer.new("127.0.0.1", ARGV.fetch(0))
server.register("/", Handler.new)
# Mongrel's own stop waits a minute for clients that are connected and say nothing.
%w[INT TERM].each { |signal| trap(signal) { exit } }
server.run.join
