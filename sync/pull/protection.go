package pull

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/receipt"
	"github.com/agenthooks/hookctl/sync/source"
)

// ProtectionError says that a release demands a protected branch (hookctl.yaml:
// require_protection), and that the source's host does not say that it is one.
type ProtectionError struct {
	Release  int
	Source   source.Remote
	Evidence receipt.Evidence
}

func (e *ProtectionError) Error() string {
	return fmt.Sprintf("release %d demands a protected branch; protection of %s: %s (%s)", e.Release, e.Source, e.Evidence.Kind, e.Evidence.Text)
}

// protected puts into the report what the source's host says about the branch. It
// asks only when something newer is to be taken: what runs is healed whatever the
// host says, and many machines that sync each hour must not use up the number of
// questions that a host allows. It fails for want of protection only when the
// release demands it.
func (m *Machine) protected(ctx context.Context, v bundle.Verified, rep *Report) error {
	rep.Protection = receipt.Evidence{Kind: receipt.NoneAsked, Text: "nothing newer is to be taken"}
	if !rep.Newer() {
		return nil
	}
	if host := rep.Source.Host(); host != "" {
		m.step("ask", "%s about the branch's protection", host)
	}
	rep.Protection = receipt.Evidence(source.Protection(ctx, rep.Source, source.Environment(m.Getenv)))
	raw, err := fs.ReadFile(v.FS(), bundle.Manifest)
	if err != nil {
		return err
	}
	b, err := manifests.ParseBundle(raw)
	if err != nil {
		return err
	}
	if b.RequireProtection && rep.Protection.Kind != source.BranchProtected {
		return &ProtectionError{Release: v.Release(), Source: rep.Source, Evidence: rep.Protection}
	}
	return nil
}
