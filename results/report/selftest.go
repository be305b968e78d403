package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"dyno/results"
)

// A Recovery is a quantile of delays as the server that made them knows it, and
// as the load engine measured it.
type Recovery struct {
	Share           float64 // 0.99 is the 99th percentile
	Known, Measured time.Duration
}

// SelfTest writes what a self-test came to. Its errors are those of w.
func SelfTest(w io.Writer, t results.SelfTest, engine []Recovery, o Options) error {
	if o.Width == 0 {
		o.Width = 100
	}
	p := &page{width: o.Width, colour: o.Colour}
	p.line(p.paint(bold, "False differences"))
	p.paragraph("  ", fmt.Sprintf("In %d comparisons of a target with itself, over %d rounds, a difference was claimed %d times in goodput and %d times in server CPU. "+
		"At most one run in twenty may claim any. Of all %d pairs of copies, %d differ at p < 0.05 before any adjustment; chance alone would give %s.",
		t.Comparisons, t.Rounds, t.Claimed, t.CPUClaimed, t.Pairs, t.Raw, three(0.05*float64(t.Pairs))))
	for _, cause := range t.Aside {
		p.paragraph("  ", p.paint(yellow, fmt.Sprintf("%d of %d trials do not count: %s", cause.Trials, t.Trials, cause.Text)))
	}
	p.line("")
	p.line(p.paint(bold, "Visible effects"))
	p.line(p.paint(dim, "  rounds   goodput   server CPU"))
	for _, v := range t.Visible {
		p.line(fmt.Sprintf("  %6d  %s  %s", v.Rounds, padLeft(visible(v.Goodput), 8), padLeft(visible(v.CPU), 11)))
	}
	p.paragraph("  ", p.paint(dim, "What one comparison of so many rounds shows in four of five runs, if nothing but the noise of this run is in the way. "+
		"Of several comparisons each needs more, and a verdict needs an effect beyond the control's noise as well."))
	p.line("")
	p.line(p.paint(bold, "Load engine"))
	p.line(p.paint(dim, "  quantile   server knows   engine measured   difference"))
	for _, r := range engine {
		p.line(fmt.Sprintf("  %8s  %s  %s  %s", strings.TrimSuffix(fmt.Sprintf("%.1f", 100*r.Share), ".0")+" %",
			padLeft(millis(r.Known)+" ms", 13), padLeft(millis(r.Measured)+" ms", 16), padLeft(fmt.Sprintf("%+.0f µs", float64(r.Measured-r.Known)/1e3), 11)))
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}

func visible(share float64) string {
	if math.IsNaN(share) {
		return none
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

func millis(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()*1e3) }
