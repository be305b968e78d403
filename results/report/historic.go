package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"dyno/results"
)

// never is what a reader has to know of figures that dyno did not measure.
const never = "Historic: dyno read these reports and measured none of them: they have no rank."

// imported writes a record of reports that were made elsewhere.
func (p *page) imported(j results.Judgement, paths []string) {
	p.line(p.paint(bold, j.Run.Scenario.Name))
	p.paragraph("", never)
	p.line("")
	for _, f := range origins(j) {
		p.field(p.paint(f.style, f.label), f.text)
	}
	p.line("")
	p.historic(j.Historic)
	for _, h := range j.Historic {
		p.line("")
		text, style := worth(h)
		p.line(p.paint(bold, h.Name) + ": " + p.paint(style, text))
		p.paragraph("  ", strings.Join(h.Reading, " "))
		p.objections(h)
	}
	if len(paths) > 0 {
		p.line("")
		p.records(paths)
	}
}

// origins are where reports came from, and what is missing or to be doubted.
func origins(j results.Judgement) []field {
	run := j.Run
	fields := []field{
		{label: "Machine", text: stated(run)},
		{label: "Note", text: run.Imported.Note},
		{label: "Read", text: run.Started.UTC().Format("2006-01-02 15:04:05") + " UTC, dyno " + cmp.Or(run.Dyno, "unknown")},
	}
	for _, note := range j.Notes {
		fields = append(fields, field{"Note", note, yellow})
	}
	for _, warning := range run.Warnings {
		fields = append(fields, field{"Warning", warning, yellow})
	}
	return fields
}

// beside writes the figures of an imported record below those of a run.
func (p *page) beside(j results.Judgement) {
	p.line("")
	p.line(p.paint(bold, "Beside: "+j.Run.Scenario.Name))
	p.paragraph("  ", never)
	p.field("Machine", stated(j.Run))
	p.line("")
	p.historic(j.Historic)
	refused := refused(j.Historic)
	names := 0
	for _, h := range refused {
		names = max(names, width(h.Name))
	}
	if names > 0 {
		p.line("")
	}
	for _, h := range refused {
		text, style := worth(h)
		p.item(h.Name, p.paint(style, text)+": "+h.Invalid[0].Text, names)
	}
}

// refused are the reports that something speaks against.
func refused(all []results.Historic) []results.Historic {
	return slices.DeleteFunc(slices.Clone(all), func(h results.Historic) bool { return len(h.Invalid) == 0 })
}

// historic writes the table of reports made elsewhere, in their own order.
func (p *page) historic(all []results.Historic) {
	table(p, historicColumns(), all, func(h results.Historic) style {
		if h.Counts() {
			return plain
		}
		return dim
	})
}

// stated is the machine as somebody described it.
func stated(run results.Run) string {
	if run.Imported.Hardware == "" {
		return "not stated"
	}
	return run.Imported.Hardware + ", as stated"
}

// worth says whether a report may count.
func worth(h results.Historic) (text string, of style) {
	switch {
	case len(h.Invalid) > 0:
		return "invalid", red
	case h.Counts():
		return "may count", green
	}
	return "cannot be judged", yellow
}

// objections lists what speaks against a report, and what to doubt.
func (p *page) objections(h results.Historic) {
	const names = len("invalid")
	for _, r := range h.Invalid {
		p.hanging("  "+p.paint(red, pad("invalid", names))+"  ", r.Text, 2+names+2)
	}
	for _, text := range h.Warnings {
		p.hanging("  "+p.paint(yellow, pad("doubt", names))+"  ", text, 2+names+2)
	}
}

// historicColumns are the figures of a historic report.
func historicColumns() []column[results.Historic] {
	quantile := func(share float64) func(results.Historic) string {
		return func(h results.Historic) string {
			us, ok := h.Quantile(share)
			if !ok {
				return none
			}
			return printedMS(&us)
		}
	}
	times := func(of func(results.Times) *float64) func(results.Historic) string {
		return func(h results.Historic) string {
			if h.Latency == nil {
				return none
			}
			return printedMS(of(*h.Latency))
		}
	}
	return []column[results.Historic]{
		{cell: func(h results.Historic) string {
			switch {
			case len(h.Invalid) > 0:
				return "✗"
			case !h.Counts():
				return "?"
			}
			return ""
		}},
		{head: "report", left: true, cell: func(h results.Historic) string { return h.Name }},
		{head: "tool", left: true, cell: func(h results.Historic) string { return strings.TrimSpace(h.Tool + " " + h.Version) }},
		{head: "goodput", unit: "req/s", cell: func(h results.Historic) string {
			if h.Goodput == nil {
				return none
			}
			return three(*h.Goodput)
		}},
		{head: "mean", unit: "ms", cell: times(func(t results.Times) *float64 { return t.MeanUS })},
		{head: "p50", unit: "ms", cell: quantile(0.5)},
		{head: "p99", unit: "ms", cell: quantile(0.99)},
		{head: "max", unit: "ms", cell: times(func(t results.Times) *float64 { return t.MaxUS })},
		{head: "errors", unit: "%", cell: func(h results.Historic) string {
			errors, ok := h.ErrorShare()
			if !ok {
				return none
			}
			return share(errors)
		}},
	}
}

// printedMS writes microseconds in milliseconds with up to three digits, or all of
// the whole part, and without zeros that would say more than was printed. What was
// printed as 0 took less than its last digit.
func printedMS(us *float64) string {
	switch {
	case us == nil:
		return none
	case *us == 0:
		return "~0"
	case *us >= 1e6:
		return trim(math.Round(*us / 1e3))
	}
	ms, err := strconv.ParseFloat(strconv.FormatFloat(*us/1e3, 'e', 2, 64), 64)
	if err != nil {
		return none
	}
	return trim(ms)
}
