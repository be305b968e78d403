use strict;
use warnings;

my $body = "hello dyno world\n";
my @head = ('Content-Type' => 'text/plain', 'Content-Length' => length $body);

sub { [200, [@head], [$body]] };
