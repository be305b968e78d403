Nginx.echo 'hello dyno world'
