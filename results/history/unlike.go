package history

import (
	"math"
	"strings"

	"dyno/results"
)

// Unlike says in what reports differ that stand beside each other, beyond their
// figures: whoever compares them has to know. Each sentence is about all of them.
func Unlike(all []results.Historic) (sentences []string) {
	for _, of := range []struct {
		about string
		each  func(results.Historic) string
	}{
		{"the answers' bodies differ", body},
		{"the answers' heads differ", head},
		{"the loads differ", connections},
		{"the load generators differ", func(h results.Historic) string { return h.Tool }},
	} {
		if text := differ(all, of.each); text != "" {
			sentences = append(sentences, of.about+": "+text)
		}
	}
	return sentences
}

// differ lists the reports by what each says, and is empty where those that say
// anything say the same.
func differ(all []results.Historic, each func(results.Historic) string) string {
	var order []string
	names := map[string][]string{}
	for _, h := range all {
		text := each(h)
		if text == "" {
			continue
		}
		if names[text] == nil {
			order = append(order, text)
		}
		names[text] = append(names[text], h.Name)
	}
	if len(order) < 2 {
		return ""
	}
	for i, text := range order {
		order[i] = text + " " + strings.Join(names[text], " and ")
	}
	return strings.Join(order, ", ")
}

// answers returns how many answers the bytes of a report are of: whole bodies
// where these have one length.
func answers(h results.Historic) float64 {
	switch {
	case h.BodyBytes == nil:
	case h.Length != nil && *h.Length > 0:
		return *h.BodyBytes / float64(*h.Length)
	case h.Complete != nil && (h.Right == nil || *h.Right == *h.Complete):
		return float64(*h.Complete)
	}
	return 0
}

func body(h results.Historic) string {
	switch n := answers(h); {
	case h.Length != nil:
		return count(*h.Length) + " B"
	case n > 0:
		return digits(math.Round(*h.BodyBytes/n)) + " B"
	}
	return ""
}

func head(h results.Historic) string {
	n := answers(h)
	if h.BytesIn == nil || n <= 0 || *h.BytesIn < *h.BodyBytes {
		return ""
	}
	return digits(math.Round((*h.BytesIn-*h.BodyBytes)/n)) + " B"
}

func connections(h results.Historic) string {
	if h.Connections == nil {
		return ""
	}
	text := plural(*h.Connections, "connection")
	if h.KeepAlive != nil && *h.KeepAlive {
		text += " kept alive"
	}
	return text
}
