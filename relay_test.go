package gormsched

import (
	"net"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// relay stands between a pool and its server, on a port of its own, and can lose
// connections as a network does.
type relay struct {
	target string
	listen net.Listener
	mu     sync.Mutex
	conns  map[net.Conn]bool
	away   bool
	// atCommit, where set, is asked once at the next commit that passes: true
	// loses the connection before the server gets it, false after it has, before
	// the answer.
	atCommit *bool
	lost     int // at a commit
}

// newRelay goes with the test.
func newRelay(t testing.TB, target string) *relay {
	t.Helper()
	listen, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{target: target, listen: listen, conns: map[net.Conn]bool{}}
	t.Cleanup(func() {
		listen.Close()
		r.setAway(true)
	})
	go func() {
		for {
			conn, err := listen.Accept()
			if err != nil {
				return
			}
			go r.carry(conn)
		}
	}()
	return r
}

// setAway loses all connections, and refuses new ones, or takes them again.
func (r *relay) setAway(away bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.away = away; away {
		for conn := range r.conns {
			conn.Close()
		}
	}
}

// loseAtCommit loses the next connection that commits.
func (r *relay) loseAtCommit(before bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.atCommit = &before
}

// keep notes an open connection; false where there is none to be had.
func (r *relay) keep(conn net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conns[conn] = true
	return !r.away
}

func (r *relay) carry(client net.Conn) {
	defer client.Close()
	if !r.keep(client) {
		return
	}
	server, err := net.DialTimeout("tcp", r.target, 5*time.Second)
	if err != nil {
		return
	}
	defer server.Close()
	if !r.keep(server) {
		return
	}
	lost := make(chan struct{})
	var once sync.Once
	go func() { // the answers
		buffer := make([]byte, 64<<10)
		for {
			n, err := server.Read(buffer)
			select {
			case <-lost:
				client.Close()
				return
			default:
			}
			if _, failed := client.Write(buffer[:n]); err != nil || failed != nil {
				client.Close()
				return
			}
		}
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		before, hit := r.commit(buffer[:n])
		if hit && before {
			return
		}
		if hit {
			once.Do(func() { close(lost) })
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// commitSent is what a driver sends to commit; a transaction begins with READ
// COMMITTED.
var commitSent = regexp.MustCompile(`(?i)commit(\x00|$)`)

// commit reports whether a connection is to be lost at what it sends.
func (r *relay) commit(sent []byte) (before, hit bool) {
	if !commitSent.Match(sent) {
		return false, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.atCommit == nil {
		return false, false
	}
	before, r.atCommit = *r.atCommit, nil
	r.lost++
	return before, true
}

// relayed is a server reached through a relay.
func (d testDatabase) relayed(t *testing.T) (testDatabase, *relay) {
	t.Helper()
	through := d
	var r *relay
	var dialector func() gorm.Dialector
	if d.name == "postgres" {
		u, err := url.Parse(postgresDSN())
		if err != nil || u.Host == "" {
			t.Skipf("the DSN is not a URL, so that it cannot be given another address: %v", err)
		}
		r = newRelay(t, u.Host)
		u.Host = r.listen.Addr().String()
		dialector = func() gorm.Dialector { return postgres.Open(u.String()) }
	} else {
		before, rest, _ := strings.Cut(mysqlDSN(d.name), "tcp(")
		target, after, found := strings.Cut(rest, ")")
		if !found {
			t.Skip("the DSN has no tcp(host:port), so that it cannot be given another address")
		}
		r = newRelay(t, target)
		dialector = func() gorm.Dialector { return mysql.Open(before + "tcp(" + r.listen.Addr().String() + ")" + after) }
	}
	through.open = func(t testing.TB, config *gorm.Config) *gorm.DB {
		t.Helper()
		return openDatabase(t, dialector(), config)
	}
	return through, r
}
