package results

import "fmt"

// An Imported says where reports that dyno only read come from. A run that has
// one measured nothing: its record has Historics, and no trial.
type Imported struct {
	Hardware string `json:"hardware"` // as whoever imported them states it; empty: not stated
	Note     string `json:"note"`     // of the same person
}

// A Historic is one report of another load generator, made elsewhere: what it
// says, and what that is worth. Every figure but the counts of failures may be
// missing, since posts quote what they like.
type Historic struct {
	Type        string           `json:"type"`              // "historic"
	Name        string           `json:"name"`              // unique in the record
	File        string           `json:"file"`              // that it was read from, without its folder
	Tool        string           `json:"tool"`              // "ab", "wrk", "wrk2", "hey" or "h2load"
	Version     string           `json:"version,omitempty"` // of the tool
	Command     string           `json:"command,omitempty"` // the command line that stood before it
	Server      string           `json:"server,omitempty"`  // what the server called itself
	Request     string           `json:"request,omitempty"` // path or URL
	Connections *int64           `json:"connections"`
	KeepAlive   *bool            `json:"keepalive"`
	Requested   *int64           `json:"requested"` // requests asked for
	Complete    *int64           `json:"complete"`  // requests that ended, whatever became of them
	Right       *int64           `json:"right"`     // of them, right answers as far as the tool looks
	ElapsedS    *float64         `json:"elapsed_s"`
	Rate        *float64         `json:"rate"`    // requests a second, as printed
	Goodput     *float64         `json:"goodput"` // right answers a second
	BytesIn     *float64         `json:"bytes_in"`
	BodyBytes   *float64         `json:"body_bytes"`
	Length      *int64           `json:"length"`   // of one answer's body, in bytes
	Failures    map[string]int64 `json:"failures"` // in the tool's words; one request may count under several
	Statuses    map[string]int64 `json:"statuses"` // answers by status code, or by class such as "2xx"
	Latency     *Times           `json:"latency"`
	Reading     []string         `json:"reading"`  // what it says, as sentences
	Invalid     []Reason         `json:"invalid"`  // empty: nothing speaks against it
	Warnings    []string         `json:"warnings"` // doubts, as sentences
	Text        string           `json:"text"`     // the report, as it was printed
}

// Times are what a report says of how long requests took.
type Times struct {
	MinUS     *float64   `json:"min_us"`
	MeanUS    *float64   `json:"mean_us"`
	SDUS      *float64   `json:"sd_us"` // standard deviation
	MaxUS     *float64   `json:"max_us"`
	Quantiles []Quantile `json:"quantiles"` // in rising order
}

// A Quantile is the time within which a share of the requests ended.
type Quantile struct {
	Share float64 `json:"share"` // 0 to 1
	US    float64 `json:"us"`
}

// Counts reports whether h may stand for what it says: nothing speaks against it,
// and how many answers were right is known.
func (h Historic) Counts() bool { return len(h.Invalid) == 0 && h.Right != nil }

// ErrorShare returns the share of its requests that got no right answer, 0 to 1,
// and false where that is not known.
func (h Historic) ErrorShare() (share float64, ok bool) {
	if h.Right == nil || h.Complete == nil || *h.Complete == 0 {
		return 0, false
	}
	return float64(*h.Complete-*h.Right) / float64(*h.Complete), true
}

// Quantile returns the time within which a share of the requests ended, in
// microseconds, and false where the report does not say.
func (h Historic) Quantile(share float64) (us float64, ok bool) {
	if h.Latency == nil {
		return 0, false
	}
	for _, q := range h.Latency.Quantiles {
		if q.Share == share {
			return q.US, true
		}
	}
	return 0, false
}

// Measured says which of the records was imported: it has no rounds that could be
// compared, taken together or held against gates. nil: none was.
func Measured(records ...Record) error {
	for _, r := range records {
		if r.Run.Imported != nil {
			return fmt.Errorf("%s was imported: dyno measured nothing of it, so it is not compared, merged or held against gates; report on it alone, or beside a run's record (--beside)", r.Run.ID)
		}
	}
	return nil
}

// judgeImported passes on what was read: each report was judged as it was
// imported, and is compared with nothing.
func judgeImported(record Record) Judgement {
	n := len(record.Historic)
	j := Judgement{Run: record.Run, Runs: []Run{record.Run}, End: record.End, Trials: n, Planned: n, Historic: record.Historic}
	for _, h := range record.Historic {
		if len(h.Invalid) > 0 {
			j.Invalid++
		}
	}
	if record.End == nil {
		j.Notes = append(j.Notes, fmt.Sprintf("the import was killed after %s", plural(int64(n), "report")))
	}
	if record.Torn {
		j.Notes = append(j.Notes, "the record's last line was cut off and is left out")
	}
	return j
}
