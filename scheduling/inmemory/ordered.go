package inmemory

import (
	"iter"
	"slices"
	"sort"
)

// ordered is a set kept in order: a list of sorted chunks. Looking up costs
// two binary searches, changing it moves at most one chunk and the list of
// chunks, so 100,000 items stay cheap. It is not safe for concurrent use.
type ordered[T any] struct {
	compare func(a, b T) int
	chunks  [][]T // none is empty
	size    int
}

// chunkSize is the length at which a chunk is split in two.
const chunkSize = 256

// newOrdered returns an empty set under a total order.
func newOrdered[T any](compare func(a, b T) int) *ordered[T] {
	return &ordered[T]{compare: compare}
}

// find returns where item is, or where it would be inserted. The chunk is the
// number of chunks only where the set is empty.
func (o *ordered[T]) find(item T) (chunk, at int, found bool) {
	chunk = sort.Search(len(o.chunks), func(i int) bool { return o.compare(o.chunks[i][0], item) > 0 })
	if chunk > 0 {
		chunk--
	}
	if chunk == len(o.chunks) {
		return chunk, 0, false
	}
	at, found = slices.BinarySearchFunc(o.chunks[chunk], item, o.compare)
	return chunk, at, found
}

// insert adds item; adding one that is there changes nothing.
func (o *ordered[T]) insert(item T) {
	c, at, found := o.find(item)
	switch {
	case found:
		return
	case c == len(o.chunks):
		o.chunks = append(o.chunks, []T{item})
	default:
		o.chunks[c] = slices.Insert(o.chunks[c], at, item)
		if full := o.chunks[c]; len(full) >= chunkSize {
			half := len(full) / 2
			o.chunks = slices.Insert(o.chunks, c+1, slices.Clone(full[half:]))
			o.chunks[c] = slices.Delete(full, half, len(full))
		}
	}
	o.size++
}

// remove takes item out; taking out one that is not there changes nothing.
func (o *ordered[T]) remove(item T) {
	c, at, found := o.find(item)
	if !found {
		return
	}
	o.chunks[c] = slices.Delete(o.chunks[c], at, at+1)
	if len(o.chunks[c]) == 0 {
		o.chunks = slices.Delete(o.chunks, c, c+1)
	}
	o.size--
}

// len returns the number of items.
func (o *ordered[T]) len() int { return o.size }

// first returns the least item.
func (o *ordered[T]) first() (item T, ok bool) {
	if o.size == 0 {
		return item, false
	}
	return o.chunks[0][0], true
}

// next returns the least item greater than after, which need not be there:
// the way to walk a set that changes meanwhile.
func (o *ordered[T]) next(after T) (item T, ok bool) {
	c, at, found := o.find(after)
	if found {
		at++
	}
	if c < len(o.chunks) && at == len(o.chunks[c]) {
		c, at = c+1, 0
	}
	if c >= len(o.chunks) {
		return item, false
	}
	return o.chunks[c][at], true
}

// all walks the set in order. The set must not change meanwhile.
func (o *ordered[T]) all() iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, chunk := range o.chunks {
			for _, item := range chunk {
				if !yield(item) {
					return
				}
			}
		}
	}
}

// after walks the items greater than item. The set must not change meanwhile.
func (o *ordered[T]) after(item T) iter.Seq[T] {
	return func(yield func(T) bool) {
		c, at, found := o.find(item)
		if found {
			at++
		}
		for ; c < len(o.chunks); c, at = c+1, 0 {
			for _, item := range o.chunks[c][at:] {
				if !yield(item) {
					return
				}
			}
		}
	}
}

// head returns a copy of the first n items, or of all if there are fewer.
func (o *ordered[T]) head(n int) []T {
	items := make([]T, 0, min(n, o.size))
	for item := range o.all() {
		if len(items) == n {
			break
		}
		items = append(items, item)
	}
	return items
}
