package gormsched_test

import (
	"testing"

	"github.com/gormsched/gormsched"
)

func init() {
	gormsched.StartServers = func(t *testing.T) map[string]string {
		servers := map[string]string{}
		for name, open := range map[string]func(*testing.T) (*testServer, error){"postgres": openPostgres, "mysql": openMySQL, "mariadb": openMariaDB} {
			server, err := open(t)
			if err != nil {
				t.Logf("left out %s: %v", name, err)
				continue
			}
			servers[name] = server.dsn
		}
		return servers
	}
}
