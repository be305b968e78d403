// Package load sends HTTP/1.x requests over many connections and accounts for
// every one of them.
//
// The engine shares a small machine with the server that it measures, so two
// things rule its design. It must be cheap: raw system calls on locked threads,
// no net/http, nothing allocated while measuring. And it must be true: each
// request started ends in exactly one [Outcome], answers are parsed and their
// bodies compared in full, no sample is invented, and no failure is retried in
// silence.
//
// In a closed loop each connection starts a request as it ends one. In an open
// loop requests are started by a schedule, and their latency counts from when
// they were meant to start, so that a server that stalls is seen by all whom it
// would have kept waiting.
//
// An [Engine] holds its connections over several calls of [Engine.Run], so that
// a warm-up and a measurement can follow each other. [Fetch] and [Session] read
// single answers at leisure, for checks of a server's contract.
//
// The package measures; it does not judge. It speaks neither TLS nor HTTP/2,
// follows no redirect, and holds no cookies.
package load
