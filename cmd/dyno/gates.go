package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dyno/results"
	"dyno/results/gate"
)

// A gating is the flags that say what a run's figures must be.
type gating struct {
	texts  []string
	strict bool
}

func (g *gating) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&g.texts, "gate", nil, `a demand on the figures, such as 'goodput(new) >= 0.95 * baseline'; may be given several times (docs/gates.md)`)
	cmd.Flags().BoolVar(&g.strict, "gate-strict", false, "a gate that is undecided fails")
}

// read returns the gates, or all that is wrong with them.
func (g *gating) read(cast gate.Cast) (all []gate.Gate, err error) {
	if g.strict && len(g.texts) == 0 {
		return nil, usageError("--gate-strict without a --gate")
	}
	var mistakes []error
	for _, text := range g.texts {
		one, err := gate.Parse(text)
		if err == nil {
			err = one.Check(cast)
		}
		one.Strict = g.strict
		all, mistakes = append(all, one), append(mistakes, err)
	}
	if err := errors.Join(mistakes...); err != nil {
		return nil, usageError("%v", err)
	}
	return all, nil
}

// on reads the gates on a record. One that was imported can be held against none.
func (g *gating) on(record results.Record) ([]gate.Gate, error) {
	if len(g.texts) > 0 {
		if err := results.Measured(record); err != nil {
			return nil, usageError("%v", err)
		}
	}
	return g.read(results.CastOf(record.Run))
}

// failed returns the error that failed gates make, nil where there is none.
func failed(gates []string) error {
	switch n := len(gates); n {
	case 0:
		return nil
	case 1:
		return &codedError{exitFailed, "a gate fails\n  " + gates[0]}
	default:
		return &codedError{exitFailed, fmt.Sprintf("%d gates fail\n  %s", n, strings.Join(gates, "\n  "))}
	}
}
