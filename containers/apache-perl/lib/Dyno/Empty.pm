package Dyno::Empty;

use strict;
use warnings;

use Apache2::Const -compile => 'OK';
use Apache2::RequestIO ();
use Apache2::RequestRec ();
use Apache2::Response ();

sub handler {
    my $r = shift;
    $r->content_type('text/plain');
    $r->set_content_length(17);
    $r->print("hello dyno world\n");
    return Apache2::Const::OK;
}

1;
