use strict;
use warnings;

my $x = 100;
my $y = log($x ** 100) for (0 .. 10000);
print "Content-Type: text/plain\nContent-Length: 17\n\n";
print "hello dyno world\n";
