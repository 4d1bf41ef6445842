package receipt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/crypto/ssh"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
)

const (
	folder   = "receipts"
	headName = "head"
	sigExt   = ".sig"
	ext      = ".json"
	// maxSequence has nine digits, which a 32-bit int holds.
	maxSequence = 999_999_999
)

// Folder is where the receipts of d lie.
func Folder(d home.Dir) string { return d.Path(folder) }

// Path is where the receipt with a sequence number lies, or would; its signature
// lies beside it with ".sig" at the end.
func Path(d home.Dir, sequence int) string { return d.Path(folder, name(sequence)) }

func name(sequence int) string { return fmt.Sprintf("%06d%s", sequence, ext) }

// listing is what lies in the folder, by name. Numbers are in order.
type listing struct {
	receipts, sigs []int
	head           bool
	temps, others  []string
}

func scan(d home.Dir) (listing, error) {
	var at listing
	entries, err := os.ReadDir(Folder(d))
	if errors.Is(err, fs.ErrNotExist) {
		return at, nil
	}
	if err != nil {
		return at, err
	}
	for _, e := range entries {
		base, isSig := strings.CutSuffix(e.Name(), sigExt)
		n, isNumber := number(base)
		switch {
		case files.IsTemp(e.Name()):
			at.temps = append(at.temps, e.Name())
		case e.Name() == headName:
			at.head = true
		case isNumber && isSig:
			at.sigs = append(at.sigs, n)
		case isNumber:
			at.receipts = append(at.receipts, n)
		default:
			at.others = append(at.others, e.Name())
		}
	}
	slices.Sort(at.receipts)
	slices.Sort(at.sigs)
	return at, nil
}

// number is the sequence number of a receipt's name, which has one spelling.
func number(base string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSuffix(base, ext))
	return n, err == nil && n > 0 && n <= maxSequence && name(n) == base
}

func (at listing) has(sequence int) bool {
	_, ok := slices.BinarySearch(at.receipts, sequence)
	return ok
}

func (at listing) newest() int {
	if len(at.receipts) == 0 {
		return 0
	}
	return at.receipts[len(at.receipts)-1]
}

// readRegular reads a file that is no link, pipe or folder and not too long.
func readRegular(path string, limit int64) ([]byte, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, &FormatError{errors.New("is not a regular file")}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = &FormatError{fmt.Errorf("more than %d bytes", limit)}
	}
	return b, err
}

// readBoth reads a receipt and its signature as they lie.
func readBoth(d home.Dir, sequence int) (b, sig []byte, err error) {
	path := Path(d, sequence)
	if b, err = readRegular(path, maxReceipt); err != nil {
		return nil, nil, err
	}
	if sig, err = readRegular(path+sigExt, maxSig); errors.Is(err, fs.ErrNotExist) {
		err = &SignatureError{"there is none"}
	}
	return b, sig, err
}

// Last is the newest receipt, its signature unread; [fs.ErrNotExist] when there
// is none.
func Last(d home.Dir) (Receipt, error) {
	at, err := scan(d)
	if err != nil {
		return Receipt{}, err
	}
	if len(at.receipts) == 0 {
		return Receipt{}, &fs.PathError{Op: "read", Path: Folder(d), Err: fs.ErrNotExist}
	}
	return read(d, at.newest())
}

// List is every receipt that can be read, in order, with an error that names
// those that cannot. Signatures and links are [Verify]'s matter.
func List(d home.Dir) ([]Receipt, error) {
	at, err := scan(d)
	if err != nil {
		return nil, err
	}
	var all []Receipt
	var errs []error
	for _, n := range at.receipts {
		r, err := read(d, n)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, r)
	}
	return all, errors.Join(errs...)
}

func read(d home.Dir, sequence int) (Receipt, error) {
	path := Path(d, sequence)
	b, err := readRegular(path, maxReceipt)
	if err != nil {
		return Receipt{}, fmt.Errorf("%s: %w", filepath.ToSlash(path), err)
	}
	r, err := Parse(b)
	if err != nil {
		return Receipt{}, fmt.Errorf("%s: %w", filepath.ToSlash(path), err)
	}
	return r, nil
}

// head is the file "head": a signed note of the newest receipt, written after
// it. Without it nobody would miss a last receipt that was removed.
type head struct {
	sequence int
	sum      string
	machine  string // fingerprint of the key that signed it
}

func (h head) encode(k Key) ([]byte, error) {
	line := h.line()
	sig, err := sign(line, k, headNamespace)
	return append(line, sig...), err
}

func (h head) line() []byte { return fmt.Appendf(nil, "%d %s\n", h.sequence, h.sum) }

// readHead takes one spelling only, like signedBy.
func readHead(d home.Dir) (head, error) {
	b, err := readRegular(d.Path(folder, headName), maxSig)
	if err != nil {
		return head{}, err
	}
	line, sig, _ := strings.Cut(string(b), "\n")
	digits, sum, _ := strings.Cut(line, " ")
	n, err := strconv.Atoi(digits)
	h := head{sequence: n, sum: sum}
	if err != nil || n < 1 || n > maxSequence || !isHex(sum, 32) || string(h.line()) != line+"\n" {
		return head{}, &FormatError{errors.New("not a sequence number and a SHA-256")}
	}
	pub, err := signedBy(h.line(), []byte(sig), headNamespace)
	if err != nil {
		return head{}, err
	}
	h.machine = ssh.FingerprintSHA256(pub)
	return h, nil
}
