# What each app server answers. The query is read here and not by the server's own
# library, so that servers are compared and not their libraries.
require "uri"
require "yaml"

module App
  # answer returns status, media type and body for a path and its query.
  def self.answer(path, query)
    case path
    when "/hello"
      [200, "text/plain", "hello dyno world\n"]
    when "/ruby" # S2's answer: the parameters of the request, as YAML
      [200, "text/html", "Your request:\n" + URI.decode_www_form(query).to_h.to_yaml]
    else
      [404, "text/plain", "no such page\n"]
    end
  end
end
