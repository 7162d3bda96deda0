package gormsched

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// leaseRequest asks for a lease of a minute.
func leaseRequest(resource, token string) provider.LeaseRequest {
	return provider.LeaseRequest{Resource: resource, Holder: "node-" + token, Token: token, TTL: time.Minute}
}
