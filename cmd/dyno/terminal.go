package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// terminal returns the width of the terminal that w is, and whether it takes
// colour; 0 and false where w is no terminal.
func terminal(w io.Writer) (width int, colour bool) {
	file, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	size, err := unix.IoctlGetWinsize(int(file.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
