// Reads a transparency log with Go's own packages for its checksum database,
// golang.org/x/mod/sumdb/note and tlog, and nothing of ours.
//
//	tlog_reader PREFIX VKEY OLD_SIZE
//
// Verifies the checkpoint with the verifier key, every tile that a proof needs,
// the inclusion of records all over the tree, the consistency with the tree of
// OLD_SIZE and, where there are bundles, that every entry is the record of its
// place. Prints origin, size and root, or says what is wrong and ends with 1.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

type server struct{ prefix string }

func (s server) get(path string) ([]byte, int) {
	response, err := http.Get(s.prefix + "/" + path)
	check(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	check(err)
	return body, response.StatusCode
}

func (s server) must(path string) []byte {
	body, status := s.get(path)
	if status != 200 {
		fail("%s: %d", path, status)
	}
	return body
}

func (s server) Height() int { return height }

func (s server) SaveTiles(tiles []tlog.Tile, data [][]byte) {}

// Go writes the height of tiles into their paths; tlog-tiles has no other one.
func (s server) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	all := make([][]byte, len(tiles))
	for i, tile := range tiles {
		all[i] = s.must(strings.Replace(tile.Path(), "tile/8/", "tile/", 1))
	}
	return all, nil
}

func main() {
	log := server{os.Args[1]}
	verifier, err := note.NewVerifier(os.Args[2])
	check(err)
	signed, err := note.Open(log.must("checkpoint"), note.VerifierList(verifier))
	check(err)
	lines := strings.Split(signed.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root, err := tlog.ParseHash(lines[2])
	check(err)

	hashes := tlog.TileHashReader(tlog.Tree{N: size, Hash: root}, log)
	computed, err := tlog.TreeHash(size, hashes)
	check(err)
	if computed != root {
		fail("the tiles do not make the root")
	}
	leaf := func(n int64) tlog.Hash {
		read, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, n)})
		check(err)
		return read[0]
	}
	for n := int64(0); n < size; n += 1 + size/40 {
		proof, err := tlog.ProveRecord(size, n, hashes)
		check(err)
		check(tlog.CheckRecord(proof, size, root, n, leaf(n)))
	}
	old, err := strconv.ParseInt(os.Args[3], 10, 64)
	check(err)
	before, err := tlog.TreeHash(old, hashes)
	check(err)
	tree, err := tlog.ProveTree(size, old, hashes)
	check(err)
	check(tlog.CheckTree(tree, size, root, old, before))

	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"origin":  lines[0],
		"size":    size,
		"root":    root.String(),
		"before":  before.String(),
		"entries": entries(log, size, leaf),
		"unknown": len(signed.UnverifiedSigs),
	})
}

// How many entries are the records of their places; none without bundles.
func entries(log server, size int64, leaf func(int64) tlog.Hash) int64 {
	n := int64(0)
	for bundle := int64(0); n < size; bundle++ {
		tile := tlog.Tile{H: height, L: 0, N: bundle, W: 256}
		if size-n < 256 {
			tile.W = int(size - n)
		}
		path := strings.Replace(tile.Path(), "tile/8/0/", "tile/entries/", 1)
		data, status := log.get(path)
		if status == 404 && n == 0 {
			return 0
		}
		for len(data) >= 2 {
			end := 2 + int(binary.BigEndian.Uint16(data))
			if end > len(data) || tlog.RecordHash(data[2:end]) != leaf(n) {
				fail("entry %d is not the record of its place", n)
			}
			data = data[end:]
			n++
		}
	}
	return n
}

func check(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}
