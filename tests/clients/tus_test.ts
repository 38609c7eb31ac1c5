/**
 * Real clients against the upload data plane, over a real socket: the client
 * library of tus, and curl.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Upload } from "tus-js-client";
import { PROTOCOL } from "../support/app.ts";
import { debianProgram } from "../support/debian.ts";
import { expectJson } from "../support/expect.ts";
import {
  createAsset,
  createUpload,
  hashOf,
  type Person,
  registerWriter,
} from "../support/people.ts";
import { withSocket } from "../support/socket.ts";
import { issueShare } from "../support/api.ts";

const MIB = 1024 * 1024;
/** Where curl is; empty on a machine that has none. */
const CURL = await debianProgram("curl", "curl") ?? "";

/** Random bytes, a mebibyte at a time. */
function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  }
  return bytes;
}

/** Sends what is missing, up to a place; resolves to whether that was all. */
async function send(
  bytes: Uint8Array<ArrayBuffer>,
  url: string,
  { token }: Person,
  abortAtByte = Infinity,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const upload = new Upload(Buffer.from(bytes.buffer), {
    uploadUrl: url,
    uploadSize: bytes.length,
    chunkSize: 7 * MIB,
    headers: {
      Authorization: `Bearer ${token}`,
      "X-Service-Protocol": PROTOCOL,
    },
    // What the aborted request still brought moves the offset: 409, once more.
    retryDelays: [0, 50, 200, 500],
    onSuccess: () => resolve(true),
    onError: reject,
    onProgress: (sent) => {
      if (sent < abortAtByte) return;
      upload.abort().then(() => resolve(false), reject);
    },
  });
  upload.start();
  return await promise;
}

Deno.test({
  name:
    "tus-js-client uploads 100 MiB across aborts at the beginning, within and at the end of chunks",
  // An aborted request of node:http leaves its socket to the collector.
  sanitizeResources: false,
  sanitizeOps: false,
  fn: async () => {
    await withSocket(async (app, origin) => {
      const ada = await registerWriter(app, "ada");
      const bytes = randomBytes(100 * MIB);
      const { upload_id } = await createUpload(app, ada, bytes);
      const url = `${origin}/v1/upload/${upload_id}`;
      for (const mib of [0.1, 3, 7, 17, 28, 45.5, 70, 90]) {
        assert.equal(await send(bytes, url, ada, mib * MIB), false, `${mib}`);
      }
      assert(await send(bytes, url, ada));
      const finalized = await expectJson(
        await app.send("POST", `/v1/upload/${upload_id}/finalize`, {
          token: ada.token,
        }),
        200,
      );
      assert.equal(finalized.ciphertext_hash, hashOf(bytes));
      assert.equal(finalized.receipt.size, bytes.length);
    });
  },
});

async function curl(...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(CURL, {
    args: ["--silent", "--show-error", ...args],
  }).output();
  const decoder = new TextDecoder();
  assert(success, decoder.decode(stderr));
  return decoder.decode(stdout);
}

Deno.test({
  name: "curl resumes a download where a broken one ended",
  ignore: CURL === "",
  fn: async () => {
    await withSocket(async (app, origin) => {
      const ada = await registerWriter(app, "ada");
      const asset = await createAsset(app, ada, "large", { length: 2 * MIB });
      const [metadata, original] = [asset.metadata, asset.original].map(hashOf);
      assert(metadata !== undefined && original !== undefined);
      const link = await issueShare(app, ada, "large", [metadata, original]);
      const folder = await Deno.makeTempDir({ prefix: "strongroom-curl-" });
      try {
        const path = `${folder}/blob`;
        const url = `${origin}/s/${link}/blob/${original}`;
        await Deno.writeFile(path, asset.original.slice(0, 1_234_567));
        await curl("--continue-at", "-", "--output", path, url);
        assert.equal(hashOf(await Deno.readFile(path)), original);
        const status = await curl(
          ...["--continue-at", "1000000", "--output", "/dev/null"],
          ...["--write-out", "%{http_code} %{size_download}", url],
        );
        assert.equal(status, `206 ${2 * MIB - 1_000_000}`);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    });
  },
});
