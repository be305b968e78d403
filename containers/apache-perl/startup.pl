# Compiles handlers and scripts before httpd forks, so that no request does.
use strict;
use warnings;

use Dyno::Empty ();
use Dyno::Heavy ();
use ModPerl::Registry ();
use ModPerl::RegistryLoader ();

my $loader = ModPerl::RegistryLoader->new(package => 'ModPerl::Registry');
$loader->handler("/registry/$_", "/run/htdocs/registry/$_", 'localhost') for 'empty', 'heavy';

1;
