package Hello;

use strict;
use warnings;
use nginx;

sub answer {
    my $r    = shift;
    my $body = "hello dyno world\n";
    $r->header_out('Content-Length', length $body);
    $r->send_http_header('text/plain');
    $r->print($body) unless $r->header_only;
    return OK;
}

1;
