package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dyno/orchestrator"
	"dyno/orchestrator/host"
	"dyno/scenarios"
)

func newPlan() *cobra.Command {
	var p planning
	cmd := &cobra.Command{
		Use:   "plan SCENARIO",
		Short: "Say what a run would do and how long it would take",
		Args:  takes(1, "the name or the path of one scenario"),
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, _, err := p.plan(cmd, args[0])
			if err != nil {
				return err
			}
			describe(cmd.OutOrStdout(), plan)
			return nil
		},
	}
	p.flags(cmd)
	return cmd
}

func describe(w io.Writer, p orchestrator.Plan) {
	sc := p.Scenario
	fmt.Fprintf(w, "%s: %s\n\n", sc.Name, sc.About)
	fmt.Fprintf(w, "%s of %s under %s: %s, about %v once the images are built\n",
		count(sc.Rounds, "round"), count(len(sc.Targets), "target"), count(len(sc.Workloads), "workload"), count(len(p.Visits), "trial"), p.Estimate().Round(time.Second))
	fmt.Fprintf(w, "services on CPU %s, load engine on CPU %s (%s); order drawn from seed %d\n",
		host.FormatCPUs(p.ServerCPUs), host.FormatCPUs(p.EngineCPUs), sc.Isolation, p.Seed)
	fmt.Fprintln(w, "\nTargets")
	for i, t := range sc.Targets {
		if t.ControlOf != "" {
			fmt.Fprintf(w, "  %s: the control; what differs between it and %s is noise\n", t.Name, t.ControlOf)
			continue
		}
		from := t.Stack + choices(p.Stacks[i].Chosen())
		if len(t.Mix) == 1 {
			fmt.Fprintf(w, "  %s: %s %s from %s, answer %s\n", t.Name, t.Mix[0].Method, t.Mix[0].Path, from, answer(t.Mix[0].Expect))
			continue
		}
		fmt.Fprintf(w, "  %s: %s by weight, from %s\n", t.Name, count(len(t.Mix), "request"), from)
		for _, part := range t.Mix {
			fmt.Fprintf(w, "    %d × %s %s, answer %s\n", part.Weight, part.Method, part.Path, answer(part.Expect))
		}
	}
	fmt.Fprintln(w, "\nWorkloads")
	for _, load := range sc.Workloads {
		length := load.Duration.String()
		if load.Requests > 0 {
			length = fmt.Sprintf("%d requests", load.Requests)
		}
		if load.Rate > 0 {
			length += fmt.Sprintf(" of %s arrivals", load.Arrivals)
		}
		fmt.Fprintf(w, "  %s: %s after %v of warm-up, %v a request at most\n", load.Name(), length, load.Warmup, load.Timeout)
	}
	fmt.Fprintln(w, "\nOrder")
	for i := 0; i < len(p.Visits); i++ {
		v := p.Visits[i]
		if i == 0 || v.Round != p.Visits[i-1].Round {
			fmt.Fprintf(w, "  round %d:", v.Round)
		}
		fmt.Fprintf(w, " %s", sc.Targets[v.Target].Name)
		if len(sc.Workloads) > 1 {
			fmt.Fprintf(w, " (%s)", sc.Workloads[v.Workload].Name())
		}
		if i == len(p.Visits)-1 || p.Visits[i+1].Round != v.Round {
			fmt.Fprintln(w)
		} else {
			fmt.Fprint(w, ",")
		}
	}
	for _, warning := range p.Warnings {
		fmt.Fprintf(w, "\nwarning: %s\n", warning)
	}
}

// count writes a number of things.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// choices writes a stack's parameters as " (config=tuned)".
func choices(params map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		parts = append(parts, name+"="+params[name])
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// answer says what a right answer is.
func answer(e scenarios.Expect) string {
	text := fmt.Sprintf("%d, ", e.Status)
	switch {
	case e.Varies:
		text += "any body"
	case e.Body != nil:
		text += fmt.Sprintf("%d bytes %.40q", len(e.Body), e.Body)
	case e.Length >= 0:
		text += fmt.Sprintf("%d bytes", e.Length)
	default:
		text += "SHA-256 " + e.SHA256[:12] + "…"
	}
	return text
}
