/**
 * The public logs, read by a program that has nothing of ours: Python's standard
 * library and the specifications of C2SP (protocol/logs.md#what-is-served).
 *
 * @module
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { toBase64 } from "../../src/core/bytes.ts";
import type { BlobHash, UploadId, UserId } from "../../src/core/ids.ts";
import { noteKey, verifierKey } from "../../src/crypto/signed_note.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { DEBIAN_PYTHON, debianPython } from "../support/debian.ts";
import { hashOf, type Person, registerWriter } from "../support/people.ts";
import { type Name, readCheckpoint } from "../support/public_logs.ts";

const READER = fileURLToPath(
  new URL("../support/tlog_reader.py", import.meta.url),
);

const HAS_PYTHON = await debianPython("hashlib", "python3");

/** Reads a log over HTTP; what the reader says, or what it finds wrong. */
async function readIndependently(
  app: TestApp,
  name: Name,
  { key = keyOf(app, name), spoil = (bytes: Uint8Array) => bytes, at = "" } =
    {},
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
    const { success, stdout, stderr } = await new Deno.Command(
      DEBIAN_PYTHON,
      { args: [READER, prefix, key] },
    ).output();
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
    "the demo of a server that lies notices each lie, and its evidence is verified without a line of ours",
  ignore: !HAS_PYTHON,
  async fn() {
    const { success, stdout, stderr } = await new Deno.Command(
      Deno.execPath(),
      {
        args: [
          "run",
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
