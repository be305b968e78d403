package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

const (
	slowest         = 0.001 // requests a second
	fastest         = 10_000_000
	mostConnections = 65535 // that one address has ports for
)

// check finds what the flags alone tell to be wrong.
func (l *loading) check(cmd *cobra.Command) error {
	for _, group := range [][]string{{"body", "body-file"}, {"expect-body", "expect-body-file", "expect-length"}} {
		given := slices.DeleteFunc(group, func(name string) bool { return !cmd.Flags().Changed(name) })
		if len(given) > 1 {
			return fmt.Errorf("--%s exclude each other", strings.Join(given, " and --"))
		}
	}
	if l.csv != "" && l.csv == l.hgrm {
		return errors.New("--csv and --hgrm name the same file")
	}
	for _, check := range []func(*cobra.Command) error{l.checkExtent, l.checkEngine, l.checkAnswer} {
		if err := check(cmd); err != nil {
			return err
		}
	}
	if l.weight < 1 || l.weight > mostWeight {
		return fmt.Errorf("--weight %d is not within 1 and %d", l.weight, mostWeight)
	}
	if cmd.Flags().Changed("weight") && len(l.also) == 0 {
		return errors.New("--weight needs an --also")
	}
	return errors.Join(writable(l.csv), writable(l.hgrm))
}

// checkExtent checks how much is sent, and when.
func (l *loading) checkExtent(cmd *cobra.Command) error {
	f := cmd.Flags()
	switch {
	case l.requests < 0 || l.requests == 0 && f.Changed("requests"):
		return fmt.Errorf("--requests %d: at least 1 is needed", l.requests)
	case l.duration < 0 || l.duration == 0 && f.Changed("duration"):
		return fmt.Errorf("--duration %v is not above zero", l.duration)
	case l.ramp < 0:
		return fmt.Errorf("--ramp %v is below zero", l.ramp)
	case f.Changed("rate") && !(l.rate >= slowest && l.rate <= fastest):
		return fmt.Errorf("--rate %v is not within %v and %v requests a second", l.rate, slowest, fastest)
	case l.poisson && l.rate == 0:
		return errors.New("--poisson needs a --rate")
	}
	return nil
}

// checkEngine checks what it is sent with.
func (l *loading) checkEngine(*cobra.Command) error {
	switch {
	case l.connections < 1:
		return fmt.Errorf("--connections %d: at least 1 is needed", l.connections)
	case l.connections > mostConnections:
		return fmt.Errorf("--connections %d is above %d: one address has no more ports", l.connections, mostConnections)
	case l.workers < 1:
		return fmt.Errorf("--workers %d: at least 1 is needed", l.workers)
	case l.workers > l.connections:
		return fmt.Errorf("--workers %d is above --connections, %d", l.workers, l.connections)
	case l.timeout < 0:
		return fmt.Errorf("--timeout %v is below zero; 0 is none", l.timeout)
	case l.window > 0 && l.backend == "epoll":
		return fmt.Errorf("--window %v is of io_uring; epoll has none", l.window)
	}
	return nil
}

// checkAnswer checks what is to be a right answer.
func (l *loading) checkAnswer(*cobra.Command) error {
	switch {
	case l.status != -1 && (l.status < 100 || l.status > 999):
		return fmt.Errorf("--expect-status %d is no status; -1 is any", l.status)
	case l.expectLength < -1:
		return fmt.Errorf("--expect-length %d is below zero; -1 is any", l.expectLength)
	}
	return nil
}
