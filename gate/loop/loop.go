// Package loop keeps a blocked agent from going round for ever, and a hook that
// is registered twice from answering twice: small files under the cache folder.
package loop

import "time"

// Store is the folder of the counters and claims.
type Store struct{ Dir string }

// Count tells how often gate has blocked in this session and user turn.
func (s Store) Count(session, turn, gate string) (int, error) { return 0, nil }

// Add counts one block more. When it fails, the caller must not block.
func (s Store) Add(session, turn, gate string) error { return nil }

// Claim takes key for the window from now on. It reports false when another
// process holds it.
func (s Store) Claim(key string, now time.Time, window time.Duration) (bool, error) {
	return true, nil
}
