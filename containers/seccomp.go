package containers

import _ "embed"

// engineSeccomp is the profile of the load container: Docker's own has no
// io_uring. It allows what a static Go program needs that only talks to sockets,
// and what the container's start needs, which is far less than Docker's does. All
// else answers ENOSYS, as on a kernel without it.
//
//go:embed seccomp.json
var engineSeccomp string
