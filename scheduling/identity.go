package scheduling

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// identity names this process among all that ran on this machine since it
// started (D06). Where the system does not say, the fields stay empty and
// nothing is concluded from them.
func identity() provider.ProcessIdentity {
	id := provider.ProcessIdentity{PID: int64(os.Getpid())}
	host, _ := os.Hostname()
	id.Host = printable(host)
	if boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		id.Boot = strings.TrimSpace(string(boot))
	}
	id.Namespace, _ = os.Readlink("/proc/self/ns/pid")
	return id
}

// printable is a host name in the form that a key has: at most 255
// characters of printable ASCII, what is none as %XX. A system may have any
// name, and it must not keep the node from registering.
func printable(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		part := string(rune(c))
		if c <= ' ' || c > '~' || c == '%' {
			part = fmt.Sprintf("%%%02X", c)
		}
		if b.Len()+len(part) > hostMost {
			break
		}
		b.WriteString(part)
	}
	return b.String()
}

// hostMost is the size of the host's column.
const hostMost = 255

// surelyDead reports whether the process that other names ran on this very
// boot, in this process namespace and on this host, and is no more. A process
// id that is in use again, ours included, proves nothing.
func surelyDead(own, other provider.ProcessIdentity) bool {
	if own.Boot == "" || own.Namespace == "" || own.Host == "" || other.PID <= 0 || other.PID == own.PID ||
		own.Boot != other.Boot || own.Namespace != other.Namespace || own.Host != other.Host {
		return false
	}
	_, err := os.Stat("/proc/" + strconv.FormatInt(other.PID, 10))
	return os.IsNotExist(err)
}
