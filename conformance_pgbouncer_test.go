package gormsched_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// startPgBouncer starts PgBouncer in transaction mode before a server, and ends
// it with the test. The error says that there is none here, or that the DSN has
// not the form of an URL.
func startPgBouncer(t testing.TB, server *testServer) (string, error) {
	t.Helper()
	binary, err := exec.LookPath("pgbouncer")
	if err != nil {
		if binary, err = exec.LookPath("/usr/sbin/pgbouncer"); err != nil {
			return "", errors.New("pgbouncer is not installed")
		}
	}
	to, err := url.Parse(server.dsn)
	if err != nil || to.Host == "" {
		return "", errors.New("the DSN of PostgreSQL is not an URL")
	}
	dir, err := os.MkdirTemp("", "pgbouncer") // of the test it would be readable to its owner alone
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	port := freePort(t)
	password, _ := to.User.Password()
	file := filepath.Join(dir, "pgbouncer.ini")
	text := fmt.Sprintf(`[databases]
* = host=%s port=%s user=%s password=%s application_name=bounced
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = 20
ignore_startup_parameters = extra_float_digits
`, to.Hostname(), to.Port(), to.User.Username(), password, port)
	if err := errors.Join(os.WriteFile(file, []byte(text), 0o644), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	arguments := []string{file}
	if os.Geteuid() == 0 { // which it refuses to run as
		arguments = []string{"-u", "nobody", file}
	}
	ctx, stop := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, binary, arguments...)
	var output strings.Builder
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatalf("starting pgbouncer: %v", err)
	}
	t.Cleanup(func() {
		stop()
		_ = command.Wait()
	})
	address := fmt.Sprintf("127.0.0.1:%d", port)
	for range 100 {
		if conn, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			conn.Close()
			return address, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	stop()
	_ = command.Wait()
	t.Fatalf("pgbouncer does not listen: %s", output.String())
	return "", nil
}

func freePort(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
