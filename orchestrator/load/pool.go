package load

// A pool is the connections that an open loop has free. The one that has been
// free for longest is taken first, so that every connection, and with it every
// process that serves some, has its part of the load.
type pool struct {
	ids     []uint32 // a ring with room for all
	first   int
	waiting int
}

func newPool(connections int) pool { return pool{ids: make([]uint32, connections)} }

func (p *pool) empty() bool { return p.waiting == 0 }

func (p *pool) reset() { p.first, p.waiting = 0, 0 }

// put adds a connection, which must not be in the pool.
func (p *pool) put(id uint32) {
	at := p.first + p.waiting
	if at >= len(p.ids) {
		at -= len(p.ids)
	}
	p.ids[at] = id
	p.waiting++
}

// take removes a connection; the pool must not be empty.
func (p *pool) take() uint32 {
	id := p.ids[p.first]
	if p.first++; p.first == len(p.ids) {
		p.first = 0
	}
	p.waiting--
	return id
}
