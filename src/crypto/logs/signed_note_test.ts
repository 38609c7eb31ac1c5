import assert from "node:assert/strict";
import { fromBase64, toBase64, utf8 } from "../../core/bytes.ts";
import { hybridSignerFromSeeds } from "../hybrid.ts";
import { leafHash } from "./merkle.ts";
import {
  cosign,
  formatCheckpoint,
  formatNote,
  noteKey,
  noteSigner,
  parseCheckpoint,
  parseNote,
  parseSignatures,
  readVerifierKey,
  signNote,
  signNoteHybrid,
  verifierKey,
  verifyNote,
} from "./signed_note.ts";

/** The example of Go's package `note`, whose private key is public. */
const GO = {
  seed: "gQoUAtUUbI2E8kQzMPVAgOv5juF9nHT2JS/F1ccoMXM=",
  vkey: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
  text: "If you think cryptography is the answer to your problem,\n" +
    "then you don't know what your problem is.\n",
  line:
    "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGU" +
    "gYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n",
};
/** Trees that Go's checksum database signed, years apart. */
const SUMDB = {
  vkey: "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8",
  trees: [
    {
      size: 3_784_599,
      root: "7uvxIZ67TZygcq/AehTD8iHYt81Ih+Zl2Y7vXZbfszQ=",
      signature:
        "Az3grn972wXskjQrsZhVGc93fTU2uOsmSTiId1Wn1lxDCup5z4ggl1/4gaUqOkMa6cMb" +
        "YvjB7hn7yemNr7Zqanol/go=",
    },
    {
      size: 65_209_736,
      root: "5+uGFjx6xBZG8ip1+wi77v+grwbhhukIrxEUS8PXvRo=",
      signature:
        "Az3grnbssgK7ubgFX36gVETtNv0U23qxyAhAMai2QUfeGa3nB/akvkMdlUErfcZz7l/R" +
        "3cVtYspg3dxXABkGZZKdsQ8=",
    },
  ],
};
const ORIGIN = "photos.example.com/custody/7";
const TEXT = formatCheckpoint({
  origin: ORIGIN,
  size: 20_852_163,
  root: leafHash(utf8("a root")),
});

Deno.test("Go's example is signed to the byte, and verifies", async () => {
  const signer = await noteSigner(fromBase64(GO.seed) ?? new Uint8Array());
  const signature = await signNote(signer, "PeterNeumann", GO.text);
  const note = formatNote({ text: GO.text, signatures: [signature] });
  assert.equal(note, `${GO.text}\n${GO.line}`);
  const key = readVerifierKey(GO.vkey);
  assert(key !== undefined);
  assert.equal(verifierKey(key), GO.vkey);
  const parsed = parseNote(utf8(note));
  assert(parsed !== undefined);
  assert.deepEqual(await verifyNote(parsed, [key]), [
    { key, timestamp: undefined },
  ]);
});

Deno.test("trees that Go's checksum database signed are read and verify", async () => {
  const key = readVerifierKey(SUMDB.vkey);
  assert(key !== undefined);
  for (const { size, root, signature } of SUMDB.trees) {
    const noteOf = (size: number) =>
      `go.sum database tree\n${size}\n${root}\n\n` +
      `\u2014 sum.golang.org ${signature}\n`;
    const note = parseNote(noteOf(size));
    assert(note !== undefined);
    assert.deepEqual(parseCheckpoint(note.text), {
      origin: "go.sum database tree",
      size,
      root: fromBase64(root),
    });
    assert.equal((await verifyNote(note, [key]))?.length, 1);
    const larger = parseNote(noteOf(size + 1));
    assert(larger !== undefined);
    assert.equal(await verifyNote(larger, [key]), undefined);
  }
});

Deno.test("a verifier key that is cut, changed or of another kind is invalid", () => {
  const { vkey } = GO;
  for (let end = 0; end < vkey.length; end++) {
    assert.equal(readVerifierKey(vkey.slice(0, end)), undefined);
    assert.equal(readVerifierKey(vkey.slice(end + 1)), undefined);
    const changed = String.fromCharCode(vkey.charCodeAt(end) + 1);
    const other = vkey.slice(0, end) + changed + vkey.slice(end + 1);
    assert.equal(readVerifierKey(other), undefined, other);
  }
  // The kind of ECDSA, with the id that it would have.
  assert.equal(
    readVerifierKey(
      "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    ),
    undefined,
  );
});

Deno.test("the same key of another kind or name has another id", () => {
  const publicKey = new Uint8Array(32).fill(9);
  const one = noteKey(ORIGIN, "ed25519", publicKey);
  for (
    const other of [
      noteKey(ORIGIN, "cosignature", publicKey),
      noteKey("photos.example.com/keys/7", "ed25519", publicKey),
    ]
  ) {
    assert.notEqual(other.id, one.id);
    assert.deepEqual(readVerifierKey(verifierKey(other)), other);
  }
  assert.throws(() => noteKey("a b", "ed25519", publicKey), RangeError);
  assert.throws(() => noteKey("a+b", "ed25519", publicKey), RangeError);
  assert.throws(() => noteKey("", "ed25519", publicKey), RangeError);
  assert.throws(() => noteKey("a", "hybrid", publicKey), RangeError);
});

Deno.test("a checkpoint has the signature of its log, of the hybrid key and of a witness", async () => {
  const log = await noteSigner(new Uint8Array(32).fill(1));
  const witness = await noteSigner(new Uint8Array(32).fill(2));
  const hybrid = await hybridSignerFromSeeds({
    ed25519: new Uint8Array(32).fill(3),
    mlDsa65: new Uint8Array(32).fill(4),
  });
  const note = {
    text: TEXT,
    signatures: [
      await signNote(log, ORIGIN, TEXT),
      await signNoteHybrid(hybrid, ORIGIN, TEXT),
      { name: "unknown.example", id: "00000000", signature: utf8("new") },
      await cosign(witness, "ben.example/witness", TEXT, 1_679_315_147),
    ],
  };
  const parsed = parseNote(formatNote(note));
  assert(parsed !== undefined);
  const keys = [
    noteKey(ORIGIN, "ed25519", log.publicKey),
    noteKey(ORIGIN, "hybrid", hybrid.publicKey),
    noteKey("ben.example/witness", "cosignature", witness.publicKey),
  ];
  const signed = await verifyNote(parsed, keys);
  assert.deepEqual(
    signed?.map(({ key, timestamp }) => [key.type, timestamp]),
    [["ed25519", undefined], ["hybrid", undefined], [
      "cosignature",
      1_679_315_147,
    ]],
  );
  assert.deepEqual(await verifyNote(parsed, []), []);
  // A signature of one kind is not valid as another, whatever id it has.
  const [first, , , last] = parsed.signatures;
  const [asLog, , asWitness] = keys;
  assert(first && last && asLog && asWitness);
  for (
    const [key, signature] of [[asLog, last], [asWitness, first]] as const
  ) {
    const { name, id } = key;
    const signatures = [{ ...signature, name, id }];
    assert.equal(
      await verifyNote({ text: TEXT, signatures }, [key]),
      undefined,
    );
  }
});

Deno.test("one wrong signature of a known key condemns the note", async () => {
  const log = await noteSigner(new Uint8Array(32).fill(1));
  const witness = await noteSigner(new Uint8Array(32).fill(2));
  const keys = [
    noteKey(ORIGIN, "ed25519", log.publicKey),
    noteKey("ben.example", "cosignature", witness.publicKey),
  ];
  const good = await signNote(log, ORIGIN, TEXT);
  const cosigned = await cosign(witness, "ben.example", TEXT, 5);
  for (
    const bad of [
      { ...good, signature: good.signature.with(0, 0) },
      { ...good, signature: good.signature.subarray(1) },
      // Another time than was signed.
      { ...cosigned, signature: cosigned.signature.with(7, 6) },
      { ...cosigned, signature: cosigned.signature.with(0, 0xff) },
    ]
  ) {
    const note = { text: TEXT, signatures: [good, bad] };
    assert.equal(await verifyNote(note, keys), undefined);
  }
});

Deno.test("what is no note is refused", () => {
  const { text, line } = GO;
  assert(parseNote(`${text}\n${line}`) !== undefined);
  for (
    const note of [
      "",
      text,
      `${text}\n`,
      `${text}${line}`,
      `${text}\n${line.trimEnd()}`,
      `${text}\n${line}\n`,
      `${text}\n${line}more\n`,
      `${text}\r\n\n${line}`,
      `${text}\t\n\n${line}`,
      `${text}\n${line.replace("\u2014", "-")}`,
      `${text}\n${line.replace("=\n", "\n")}`,
      `${text}\n${line.replace("PeterNeumann ", "Peter Neumann ")}`,
      `${text}\n${line.replace("PeterNeumann ", "Peter+Neumann ")}`,
      `${text}\n${line.replace("PeterNeumann ", "Peter\u00a0Neumann ")}`,
      `${text}\n\u2014 PeterNeumann AAAAAA==\n`,
      `${text}\n${line.repeat(101)}`,
    ]
  ) assert.equal(parseNote(note), undefined, JSON.stringify(note));
  assert.equal(parseNote(Uint8Array.of(0xff, 0x0a, 0x0a)), undefined);
  assert.equal(parseSignatures(line.repeat(100))?.length, 100);
  assert.equal(parseSignatures("\n"), undefined);
  // The last empty line parts the text, which may have others.
  assert.equal(parseNote(`a\n\nb\n\n${line}`)?.text, "a\n\nb\n");
});

Deno.test("a checkpoint is read in its one form", () => {
  const read = parseCheckpoint(TEXT);
  assert.equal(read?.origin, ORIGIN);
  assert.equal(read.size, 20_852_163);
  assert.equal(formatCheckpoint(read), TEXT);
  assert.deepEqual(parseCheckpoint(`${TEXT}of another\n`), read);
  const root = toBase64(leafHash(utf8("a root")));
  for (
    const text of [
      "",
      "a\n",
      "a\n1\n",
      `a\n01\n${root}\n`,
      `a\n-1\n${root}\n`,
      `a\n9007199254740992\n${root}\n`,
      `a\n0x1\n${root}\n`,
      `a\n1\n${root.slice(4)}\n`,
      `a\n1\n${root.slice(0, -1)}\n`,
      `a\n1\n${root}`,
      `a\n1\n${root}\n\n`,
      `a\n1\n${root}\n\nmore\n`,
      `\n1\n${root}\n`,
    ]
  ) assert.equal(parseCheckpoint(text), undefined, JSON.stringify(text));
  assert.equal(parseCheckpoint(`a\n0\n${root}\n`)?.size, 0);
});
