package host

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// FormatCPUs writes a set of CPUs as the kernel and Docker do, such as "0-2,5".
// The numbers may come in any order; no CPUs make "".
func FormatCPUs(cpus []int) string {
	cpus = slices.Compact(slices.Sorted(slices.Values(cpus)))
	var b strings.Builder
	for i := 0; i < len(cpus); {
		end := i
		for end+1 < len(cpus) && cpus[end+1] == cpus[end]+1 {
			end++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(cpus[i]))
		if end > i {
			b.WriteString("-" + strconv.Itoa(cpus[end]))
		}
		i = end + 1
	}
	return b.String()
}

// ParseCPUs reads what FormatCPUs writes: the CPUs in rising order, each once.
// An empty list has none. Anything that is not numbers from 0 to 65535, alone
// or as rising ranges, is an error.
func ParseCPUs(text string) ([]int, error) {
	var cpus []int
	if text = strings.TrimSpace(text); text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		first, err := parseCPU(low)
		if err != nil {
			return nil, fmt.Errorf("parsing CPU list %q: %w", text, err)
		}
		last, err := parseCPU(high)
		if err != nil {
			return nil, fmt.Errorf("parsing CPU list %q: %w", text, err)
		}
		if last < first {
			return nil, fmt.Errorf("parsing CPU list %q: range %q falls", text, part)
		}
		for c := first; c <= last; c++ {
			cpus = append(cpus, c)
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), nil
}

func parseCPU(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 16)
	return int(n), err
}
