package main

import (
	"context"
	"errors"
	"fmt"
)

// The attacks follow each other on one branch, which holds release 2 at its top
// before each.

func (d *demonstration) tampered(ctx context.Context) error {
	d.title("Attack: release 3 is signed, but a gate is switched off in the same commit after the lock was made.")
	if err := d.pub.lock(3); err != nil {
		return err
	}
	if err := d.pub.patch(fixedGate, "mode: enforce", "mode: off    "); err != nil {
		return err
	}
	if _, err := d.pub.commit("Release 3"); err != nil {
		return err
	}
	return d.refused(ctx)
}

func (d *demonstration) unsigned(ctx context.Context) error {
	d.title("Attack: somebody with write access, but without the key, releases.")
	if err := d.pub.lock(3); err != nil {
		return err
	}
	if err := d.pub.remove(signature); err != nil {
		return err
	}
	if _, err := d.pub.commit("Release 3"); err != nil {
		return err
	}
	return d.refused(ctx)
}

func (d *demonstration) lower(ctx context.Context) error {
	d.title("Attack: the old gate, without the fix, is signed again under its old number.")
	if err := d.pub.patch(fixedGate, fixEvidence, ""); err != nil {
		return err
	}
	if _, err := d.pub.release(1, "Release 1"); err != nil {
		return err
	}
	return d.refused(ctx)
}

func (d *demonstration) forced(ctx context.Context) error {
	d.title("Attack: the branch is force-pushed to another history, with a signed release of a higher number.")
	if err := d.pub.reset(d.pub.first); err != nil {
		return err
	}
	if _, err := d.pub.release(9, "Release 9"); err != nil {
		return err
	}
	return d.refused(ctx)
}

// refused syncs, wants a refusal, shows that what ran before still answers, and
// leaves the branch as it was before the attack.
func (d *demonstration) refused(ctx context.Context) error {
	_, err := d.m.Sync(ctx)
	if err == nil {
		return errors.New("the sync was not refused")
	}
	code, _ := advice(err)
	if code != exitRefused {
		return err
	}
	d.printf("   refused (exit %d): %v\n", code, err)
	if p, err := d.m.Installed(); err != nil || p.Release != 2 {
		return errors.Join(err, fmt.Errorf("after the refusal release %d runs", p.Release))
	}
	if _, err := d.say(ctx, trueBlock, "BLOCK"); err != nil {
		return err
	}
	d.printf("   release 2 runs on\n")
	return d.pub.reset(d.pub.good)
}
