use strict;
use warnings;

print "Content-Type: text/plain\nContent-Length: 17\n\n";
print "hello dyno world\n";
