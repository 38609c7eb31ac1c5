/**
 * The public logs, read by programs that have nothing of ours: Python's standard
 * library and the specifications of C2SP, and Go's packages for its checksum
 * database (protocol/logs.md#what-is-served).
 *
 * @module
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { fromHex, toBase64 } from "../../src/core/bytes.ts";
import type { BlobHash, UploadId, UserId } from "../../src/core/ids.ts";
import {
  nodeHash,
  rootOf,
  type TreeNode,
} from "../../src/crypto/logs/merkle.ts";
import { noteKey, verifierKey } from "../../src/crypto/logs/signed_note.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { DEBIAN_PYTHON, debianGo, debianPython } from "../support/debian.ts";
import { hashOf, type Person, registerWriter } from "../support/people.ts";
import { type Name, readCheckpoint, readLog } from "../support/public_logs.ts";
import { LOCKED } from "../../scripts/locked.ts";

const READER = fileURLToPath(
  new URL("../support/tlog_reader.py", import.meta.url),
);

const HAS_PYTHON = await debianPython("hashlib", "python3");

const GO_READER = fileURLToPath(
  new URL("../support/tlog_reader.go", import.meta.url),
);
const GO = await debianGo(
  "golang.org/x/mod/sumdb/tlog",
  "golang-golang-x-mod-dev",
);

/** Runs with the Go reader, compiled. */
async function withGoReader(
  test: (reader: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const reader = `${folder}/tlog_reader`;
    const { success, stderr } = await new Deno.Command(GO?.program ?? "", {
      args: ["build", "-o", reader, GO_READER],
      env: { ...GO?.env, GOCACHE: `${folder}/cache` },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    await test(reader);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Reads a log over HTTP; what the reader says, or what it finds wrong. */
async function readIndependently(
  app: TestApp,
  name: Name,
  {
    key = keyOf(app, name),
    spoil = (bytes: Uint8Array) => bytes,
    at = "",
    program = [DEBIAN_PYTHON, READER],
    more = [],
  }: {
    readonly key?: string;
    readonly spoil?: (bytes: Uint8Array) => Uint8Array;
    readonly at?: string;
    readonly program?: readonly string[];
    readonly more?: readonly string[];
  } = {},
): Promise<{ readonly said?: unknown; readonly wrong?: string }> {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const response = await app.fetch(request, { clientAddress: "192.0.2.1" });
      if (at === "" || !request.url.endsWith(at)) return response;
      const { status, headers } = response;
      const bytes = spoil(await response.bytes());
      return new Response(new Uint8Array(bytes), { status, headers });
    },
  );
  try {
    const prefix = `http://127.0.0.1:${server.addr.port}/log/${name}`;
    const [command = "", ...args] = program;
    const { success, stdout, stderr } = await new Deno.Command(command, {
      args: [...args, prefix, key, ...more],
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
    return success
      ? { said: JSON.parse(text(stdout)) }
      : { wrong: text(stderr) };
  } finally {
    await server.shutdown();
  }
}

function keyOf(app: TestApp, name: Name): string {
  const signer = app.app.secrets.logKeys.at(-1)?.signer;
  const origin = app.app.logs?.origin(name);
  assert(signer && origin);
  return verifierKey(noteKey(origin, "ed25519", signer.publicKey));
}

async function withLogs(
  test: (app: TestApp) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const { userId }: Person = await registerWriter(app, "ada");
    await Promise.all(Array.from({ length: 515 }, () =>
      app.app.receipts.issue({
        ownerId: userId as UserId,
        uploadId: app.app.newId<UploadId>(),
        assetId: null,
        blobRole: "original" as const,
        ciphertextHash: hashOf("x") as BlobHash,
        size: 1,
        envelopeHash: null,
      }, () => Promise.resolve())));
    await app.app.db.insertInto("log_entry")
      .values(Array.from({ length: 300 }, (_, at) => ({
        entry: new TextEncoder().encode(`entry ${at}`),
      })))
      .execute();
    await app.advanceLogs();
    await test(app);
  });
}

Deno.test({
  name:
    "Python reads both logs by the specifications alone, and computes the roots that were signed",
  ignore: !HAS_PYTHON,
  fn: () =>
    withLogs(async (app) => {
      for (
        const [name, size, entries] of [
          ["custody", 515, null],
          ["keys", 302, 302],
        ] as const
      ) {
        const head = await readCheckpoint(app, name);
        assert(head !== undefined);
        assert.deepEqual(await readIndependently(app, name), {
          said: {
            origin: head.origin,
            size,
            root: toBase64(head.root),
            entries,
          },
        });
      }
    }),
});

Deno.test({
  name: "Python finds a changed checkpoint, tile or entry, and another key",
  ignore: !HAS_PYTHON,
  fn: () =>
    withLogs(async (app) => {
      const flip = (bytes: Uint8Array) => bytes.with(7, (bytes[7] ?? 0) ^ 1);
      for (
        const [at, wrong] of [
          ["/checkpoint", /the signature does not verify|another log/],
          ["/tile/0/000", /level 1 is not made of the tiles below/],
          ["/tile/0/001.p/46", /the tiles do not make the root/],
          ["/tile/1/000.p/1", /level 1 is not made/],
          ["/tile/entries/001.p/46", /the entries do not make the leaves/],
        ] as const
      ) {
        const read = await readIndependently(app, "keys", { at, spoil: flip });
        assert.match(read.wrong ?? "nothing", wrong, at);
      }
      const other = keyOf(app, "custody");
      const read = await readIndependently(app, "keys", { key: other });
      assert.match(read.wrong ?? "nothing", /has not signed the checkpoint/);
    }),
});

Deno.test({
  name:
    "Go's packages for its checksum database read both logs, prove records and growth in them, and find what was changed",
  ignore: GO === undefined,
  fn: () =>
    withGoReader((reader) =>
      withLogs(async (app) => {
        const program = [reader];
        for (
          const [name, size, entries, old] of [
            ["custody", 515, 0, 300],
            ["keys", 302, 302, 256],
          ] as const
        ) {
          const head = await readCheckpoint(app, name);
          const more = [String(old)];
          const options = { program, more };
          const { said } = await readIndependently(app, name, options);
          const before = await rootAt(app, name, old);
          assert.deepEqual(said, {
            origin: head?.origin,
            size,
            root: toBase64(head?.root ?? new Uint8Array()),
            before: toBase64(before),
            entries,
            // The hybrid key's line, of a type that Go does not know.
            unknown: 1,
          });
        }
        const flip = (bytes: Uint8Array) => bytes.with(7, (bytes[7] ?? 0) ^ 1);
        for (
          const [at, wrong] of [
            ["/checkpoint", /invalid signature|malformed note|no verifiable/],
            ["/tile/0/000", /inconsistent tile|invalid transparency proof/],
            ["/tile/1/000.p/1", /inconsistent tile|invalid transparency proof/],
            ["/tile/entries/001.p/46", /entry 256 is not the record/],
          ] as const
        ) {
          const options = { program, more: ["256"], at, spoil: flip };
          const read = await readIndependently(app, "keys", options);
          assert.match(read.wrong ?? "nothing", wrong, `${at}: ${read.wrong}`);
        }
        const other = { program, more: ["1"], key: keyOf(app, "custody") };
        const read = await readIndependently(app, "keys", other);
        assert.match(read.wrong ?? "nothing", /note has no verifiable sig/);
      })
    ),
});

/** The root of the tree when it was smaller, of the leaves that are served. */
async function rootAt(
  app: TestApp,
  name: Name,
  size: number,
): Promise<Uint8Array> {
  const { leaves } = await readLog(app, name);
  const hash = ({ level, index }: TreeNode): Uint8Array =>
    level === 0 ? fromHex(leaves[index] ?? "") ?? new Uint8Array() : nodeHash(
      hash({ level: level - 1, index: index * 2 }),
      hash({ level: level - 1, index: index * 2 + 1 }),
    );
  return rootOf(size, hash);
}

Deno.test({
  name:
    "the demo of a server that lies notices each lie, and its evidence is verified without a line of ours",
  ignore: !HAS_PYTHON,
  async fn() {
    const { success, stdout, stderr } = await new Deno.Command(
      Deno.execPath(),
      {
        args: [
          "run",
          ...LOCKED,
          "--no-check",
          "--allow-all",
          fileURLToPath(new URL("../../scripts/demo_lies.ts", import.meta.url)),
        ],
      },
    ).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assert(success, text(stderr));
    assert.match(text(stdout), /"sizes": \[6, 6\]/);
  },
});
