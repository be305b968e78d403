package load

import (
	"errors"
	"fmt"
)

// A Part is one kind of request of a load, and what is right to answer to it.
type Part struct {
	Request
	Expect Expect

	// Weight is how often it is chosen, against the sum of all weights, up to a
	// million; 0 is 1.
	Weight int
}

const maxWeight = 1_000_000

// A mix is the requests of a load, made ready.
type mix struct {
	exchanges []*exchange
	upTo      []uint64 // weights, added up
	seed      uint64
}

func newMix(parts []Part, seed uint64) (*mix, error) {
	if len(parts) == 0 {
		return nil, errors.New("no request to send")
	}
	m := &mix{seed: seed}
	var sum uint64
	for i, p := range parts {
		if p.Weight < 0 || p.Weight > maxWeight {
			return nil, fmt.Errorf("weight %d of request %d is not within 0 and %d", p.Weight, i+1, maxWeight)
		}
		x, err := newExchange(p.Request, p.Expect)
		if err != nil {
			return nil, err
		}
		x.part = i
		sum += uint64(max(p.Weight, 1))
		m.exchanges, m.upTo = append(m.exchanges, x), append(m.upTo, sum)
	}
	return m, nil
}

// choose returns what the request of that number sends: the same for the same
// seed, whichever worker asks.
func (m *mix) choose(number int64) *exchange {
	if len(m.exchanges) == 1 {
		return m.exchanges[0]
	}
	at := scramble(m.seed+uint64(number)*golden) % m.upTo[len(m.upTo)-1]
	for i, end := range m.upTo {
		if at < end {
			return m.exchanges[i]
		}
	}
	panic("unreachable: at is below the last sum")
}

// golden is 2^64 over the golden ratio, the step of SplitMix64.
const golden = 0x9e3779b97f4a7c15

// scramble is the output function of SplitMix64 (Steele, Lea, Flood: Fast
// splittable pseudorandom number generators, 2014).
func scramble(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
