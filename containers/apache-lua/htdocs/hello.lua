function handle(r)
    r.content_type = "text/plain"
    r:write("hello dyno world\n")
    return apache2.OK
end
