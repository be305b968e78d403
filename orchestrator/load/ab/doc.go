// Package ab speaks the language of ApacheBench 2.3, the tool that the old posts
// measured with: it reads ab's command line, makes the request that ab sends,
// and prints ab's report, so that a published one can be checked line by line.
//
// It loads nothing itself. A [Command] becomes a [load.Config]; what the engine
// traced becomes an [Account], which keeps ab's definitions, its median and its
// truncations among them, and can be printed as text, HTML, CSV and TSV. Where
// ab misreads an answer (chunked bodies, interim heads), the account rests on
// the right reading. Use it to compare with ab, not to judge a server: the
// engine's own outcomes say more.
package ab
