package load

// dataOver follows the last byte of a counted body or of a chunk.
func (p *parser) dataOver() {
	if p.state == inChunk {
		p.state = atChunkCR
	} else {
		p.state = done
	}
}

// chunkEnd reads the CRLF behind a chunk a byte at a time, so that junk is
// found at once, not when a line of it ends.
func (p *parser) chunkEnd(c byte) {
	switch {
	case p.state == atChunkCR && c == '\r':
		p.state = atChunkLF
	case p.state == atChunkLF && c == '\n':
		p.state = atChunkSize
	default:
		p.fail(badChunkEnd)
	}
}

func (p *parser) chunkLine(line []byte) {
	if p.state == atTrailer {
		p.trailerLine(line)
		return
	}
	size, ext := cutAt(line, ';')
	if len(ext) > 0 {
		p.notes |= extensions
	}
	n, ok := parseInt(trimBlanks(size), 16)
	if !ok {
		p.fail(badChunkSize)
		return
	}
	p.size, p.left = 0, n
	if p.state = inChunk; n == 0 {
		p.state = atTrailer
	}
}

// trailerLine checks the form of a trailer; none has a meaning here.
func (p *parser) trailerLine(line []byte) {
	if len(line) == 0 {
		p.state = done
		return
	}
	if isBlank(line[0]) {
		if p.notes&trailers == 0 {
			p.fail(badTrailer)
		}
		return
	}
	p.notes |= trailers
	if n := tokenLen(line); n == 0 || n == len(line) || line[n] != ':' {
		p.fail(badTrailer)
	}
}
