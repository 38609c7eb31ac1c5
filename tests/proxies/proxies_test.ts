/**
 * Behind real nginx, Caddy, HAProxy and Apache, with the examples that the project ships.
 * What is uploaded has 88 MiB, or as many as `TEST_UPLOAD_MIB` says: `deno task
 * test:nightly` has 1,024.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { makeRequest, type Sender } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  createAsset,
  hashOf,
  type Person,
  registerWriter,
  uploadRequest,
} from "../support/people.ts";
import {
  type Proxied,
  PROXIES,
  type ProxyKind,
  withProxy,
} from "../support/proxies.ts";
import { issueShare } from "../support/api.ts";
import { until } from "../support/until.ts";

const PKI = new URL("../support/pki/", import.meta.url).pathname;
const MIB = 1024 * 1024;
const TOTAL_MIB = Number(Deno.env.get("TEST_UPLOAD_MIB") ?? 88);
const TOTAL = TOTAL_MIB * MIB;
/** After so much, which is more than can be under way, the first request hangs. */
const FIRST_PART = Math.ceil(TOTAL_MIB * 0.75) * MIB;
/** What may be under way between a client and the server, at most. */
const UNDER_WAY = 48 * MIB;
const KINDS: readonly ProxyKind[] = ["nginx", "caddy", "haproxy", "apache2"];

/** Sends through the proxy, by one client. */
function through(origin: string, client: Deno.HttpClient): Sender {
  return {
    send: (method, path, options = {}) =>
      fetch(makeRequest(method, path, options, origin), { client }),
  };
}

function withClient(
  kind: ProxyKind,
  options: Parameters<typeof withProxy>[1],
  test: (sender: Sender, proxied: Proxied) => Promise<void>,
): Promise<void> {
  return withProxy(kind, options, async (proxied) => {
    using client = proxied.client();
    await test(through(proxied.origin, client), proxied);
  });
}

/** Bytes that are quickly made: a mebibyte's bytes, turned each time. */
function pieceAt(index: number): Uint8Array<ArrayBuffer> {
  const piece = new Uint8Array(MIB);
  const words = new Uint32Array(piece.buffer);
  for (let i = 0; i < words.length; i++) {
    words[i] = Math.imul(i + 1, 2_654_435_761) ^ Math.imul(index, 40_503);
  }
  return piece;
}

/** Its bytes from an offset on; `until` is where the stream then hangs. */
function bytesFrom(
  offset: number,
  until = TOTAL,
  onReached: () => void = () => {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = offset;
  return new ReadableStream({
    async pull(controller) {
      if (at >= until) {
        onReached();
        if (until < TOTAL) await new Promise(() => {});
        return controller.close();
      }
      const piece = pieceAt(Math.floor(at / MIB)).subarray(at % MIB);
      at += piece.length;
      controller.enqueue(piece);
    },
  });
}

function hashOfAll(): string {
  const running = createHash("sha256");
  for (let at = 0; at < TOTAL; at += MIB) running.update(pieceAt(at / MIB));
  return running.digest("hex");
}

/** Opens an upload of all of it; returns its path. */
async function beginUpload(sender: Sender, ada: Person, hash: string) {
  const { upload_id } = await expectJson(
    await sender.send("POST", "/v1/upload", {
      token: ada.token,
      json: uploadRequest(ada, new Uint8Array(1), {
        request: { ciphertext_hash: hash, size: TOTAL },
        envelope: { ciphertext_hash: hash },
      }),
    }),
    201,
  );
  return `/v1/upload/${upload_id}`;
}

async function offsetOf(sender: Sender, ada: Person, path: string) {
  const answer = await sender.send("HEAD", path, { token: ada.token });
  assert.equal(answer.status, 200);
  return Number(answer.headers.get("Upload-Offset"));
}

/** What the proxy keeps on its own disk (bytes). */
async function buffered(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (name === "data") continue;
    bytes += isDirectory ? await buffered(path) : (await Deno.stat(path)).size;
  }
  return bytes;
}

for (const kind of KINDS) {
  const ignore = PROXIES[kind] === undefined;

  Deno.test({
    name:
      `behind ${kind}, an upload of ${TOTAL_MIB} MiB arrives as it is sent, and goes on where it broke off`,
    ignore,
    // The request that hangs is aborted with its stream.
    sanitizeResources: false,
    sanitizeOps: false,
    fn: async () => {
      await withClient(
        kind,
        {},
        async (sender, { origin, scratch, client }) => {
          const ada = await registerWriter(sender, "ada");
          const hash = hashOfAll();
          const path = await beginUpload(sender, ada, hash);
          const patch = (
            offset: number,
            body: ReadableStream<Uint8Array>,
            by: Deno.HttpClient,
            signal?: AbortSignal,
          ) =>
            fetch(`${origin}${path}`, {
              method: "PATCH",
              headers: {
                Authorization: `Bearer ${ada.token}`,
                "X-Service-Protocol": "2026-11-01",
                "Content-Type": "application/offset+octet-stream",
                "Upload-Offset": String(offset),
              },
              body,
              client: by,
              ...(signal === undefined ? {} : { signal }),
            });

          const reached = Promise.withResolvers<void>();
          const aborting = new AbortController();
          using hanging = client();
          const broken = patch(
            0,
            bytesFrom(0, FIRST_PART, reached.resolve),
            hanging,
            aborting.signal,
          ).then((answer) => answer.body?.cancel(), () => {});
          await reached.promise;
          await new Promise((done) => setTimeout(done, 500));
          const onDisk = await buffered(scratch);
          assert(onDisk < 8 * MIB, `the proxy buffers ${onDisk} bytes`);
          const arrived = await offsetOf(sender, ada, path);
          aborting.abort();
          await broken;
          assert(arrived > FIRST_PART - UNDER_WAY, `${arrived} bytes arrived`);

          const offset = await offsetOf(sender, ada, path);
          using rest = client();
          const answer = await patch(offset, bytesFrom(offset), rest);
          await answer.body?.cancel();
          assert.equal(answer.status, 204);
          const finalized = await expectJson(
            await sender.send("POST", `${path}/finalize`, { token: ada.token }),
            200,
          );
          assert.equal(finalized.ciphertext_hash, hash);
          assert.equal(finalized.receipt.size, TOTAL);
        },
      );
    },
  });

  for (const overSocket of [false, true]) {
    const place = overSocket ? "a unix socket" : "a port";

    Deno.test({
      name:
        `behind ${kind} over ${place}, a client's address is the one it has, whatever it claims`,
      ignore,
      fn: async () => {
        const settings = { STRONGROOM_LIMIT_SHARE_METADATA: "2" };
        await withProxy(kind, { overSocket, settings }, async (proxied) => {
          using here = proxied.client({ localAddress: "127.0.0.1" });
          using there = proxied.client({ localAddress: "127.0.0.2" });
          let claims = 0;
          const view = async (client: Deno.HttpClient) => {
            claims += 1;
            const claimed = `203.0.113.${claims}`;
            const answer = await through(proxied.origin, client).send(
              "GET",
              `/s/${"ab".repeat(16)}`,
              {
                headers: {
                  "X-Forwarded-For": claimed,
                  "X-Real-IP": claimed,
                  "Forwarded": `for=${claimed}`,
                },
              },
            );
            await answer.body?.cancel();
            return answer.status;
          };
          assert.deepEqual(
            [await view(here), await view(here), await view(here)],
            [404, 404, 429],
          );
          assert.deepEqual(
            [await view(there), await view(there), await view(there)],
            [404, 404, 429],
          );
        });
      },
    });
  }

  Deno.test({
    name:
      `behind ${kind} over a unix socket and HTTP/2, what is stored is read back, whole, in part and not again`,
    ignore,
    fn: async () => {
      await withProxy(kind, { overSocket: true }, async (proxied) => {
        // Refused where the proxy does not speak HTTP/2.
        using client = proxied.client({ http1: false });
        const sender = through(proxied.origin, client);
        const ada = await registerWriter(sender, "ada");
        const length = 3 * MIB + 17;
        const asset = await createAsset(sender, ada, "photo", { length });
        const original = hashOf(asset.original);
        const link = await issueShare(sender, ada, "a link", [
          hashOf(asset.metadata),
          original,
        ]);
        const read = (headers: Record<string, string> = {}) =>
          sender.send("GET", `/s/${link}/blob/${original}`, { headers });

        const whole = await read();
        assert.equal(whole.status, 200);
        assert.deepEqual(await whole.bytes(), asset.original);
        const part = await read({ Range: "bytes=1000000-1000099" });
        assert.equal(part.status, 206);
        assert.equal(
          part.headers.get("Content-Range"),
          `bytes 1000000-1000099/${length}`,
        );
        assert.deepEqual(
          await part.bytes(),
          asset.original.slice(1_000_000, 1_000_100),
        );
        const etag = whole.headers.get("ETag") ?? "";
        assert.equal((await read({ "If-None-Match": etag })).status, 304);
        const gone = await sender.send(
          "GET",
          `/s/${link}/blob/${"0".repeat(64)}`,
        );
        await expectProblem(gone, "error.share.not_found");
      });
    },
  });
}

Deno.test({
  name:
    "behind haproxy, an upload goes on at once while the connection that fell silent is still open, and no byte is lost or doubled",
  ignore: PROXIES.haproxy === undefined,
  fn: async () => {
    await withClient("haproxy", {}, async (sender, { origin }) => {
      const ada = await registerWriter(sender, "ada");
      const all = new Uint8Array(4 * MIB);
      for (let at = 0; at < 4; at++) all.set(pieceAt(at), at * MIB);
      const hash = hashOf(all);
      const { upload_id } = await expectJson(
        await sender.send("POST", "/v1/upload", {
          token: ada.token,
          json: uploadRequest(ada, all),
        }),
        201,
      );
      const path = `/v1/upload/${upload_id}`;
      // A telephone that lost its network closes nothing.
      const silent = await Deno.connectTls({
        hostname: "127.0.0.1",
        port: Number(new URL(origin).port),
        caCerts: [await Deno.readTextFile(`${PKI}ca.pem`)],
        alpnProtocols: ["http/1.1"],
      });
      try {
        const head = [
          `PATCH ${path} HTTP/1.1`,
          "Host: photos.example.org",
          `Authorization: Bearer ${ada.token}`,
          "X-Service-Protocol: 2026-11-01",
          "Content-Type: application/offset+octet-stream",
          `Content-Length: ${all.length}`,
          "Upload-Offset: 0",
          "\r\n",
        ].join("\r\n");
        const writer = silent.writable.getWriter();
        await writer.write(new TextEncoder().encode(head));
        await writer.write(all.subarray(0, 3 * MIB));
        await until(async () => await offsetOf(sender, ada, path) > 0, true);

        let offset = await offsetOf(sender, ada, path);
        let status = 409;
        // What was still under way may have arrived since.
        while (status === 409) {
          const answer = await sender.send("PATCH", path, {
            token: ada.token,
            body: all.slice(offset),
            headers: {
              "Content-Type": "application/offset+octet-stream",
              "Upload-Offset": String(offset),
            },
          });
          await answer.body?.cancel();
          status = answer.status;
          offset = await offsetOf(sender, ada, path);
        }
        assert.equal(status, 204);
        // The older one was told, although its body has not come to its end.
        const { value } = await silent.readable.getReader().read();
        assert.match(new TextDecoder().decode(value), /^HTTP\/1\.1 409 /);
        const finalized = await expectJson(
          await sender.send("POST", `${path}/finalize`, { token: ada.token }),
          200,
        );
        assert.equal(finalized.ciphertext_hash, hash);
      } finally {
        silent.close();
      }
    });
  },
});

for (const kind of KINDS) {
  Deno.test({
    name:
      `${kind} writes down no share's id, whether the server answers or is gone`,
    ignore: PROXIES[kind] === undefined,
    fn: async () => {
      await withClient(kind, {}, async (sender, proxied) => {
        const { scratch, stopServer, stopProxy } = proxied;
        const id = "5eed5eed5eed5eed5eed5eed5eed5e31";
        const paths = [
          `/s/${id}`,
          `/s/${id}/blob/${"0".repeat(64)}?${id}`,
          `/u/${id}/uploads`,
          `/v1/shares/${id}`,
          `/${id}`,
        ];
        // At once: HAProxy tries each for seconds when the server is gone.
        const ask = () =>
          Promise.all(paths.map(async (path) => {
            const answer = await sender.send("GET", path, {
              headers: { Referer: `https://127.0.0.1/s/${id}` },
            });
            await answer.body?.cancel();
            return answer.status;
          }));
        for (const status of await ask()) assert(status < 500);
        await stopServer();
        for (const status of await ask()) {
          assert(status === 502 || status === 503);
        }
        // A line is written when its answer is on its way, or after that.
        await stopProxy();
        let written = "";
        for await (const { name } of Deno.readDir(scratch)) {
          if (!name.endsWith(".log")) continue;
          written += await Deno.readTextFile(`${scratch}/${name}`);
        }
        assert(!written.includes(id), written);
        // HAProxy is told to log nothing.
        assert.equal(written !== "", kind !== "haproxy", written);
        if (kind !== "nginx") return;
        for (const place of ["/s", "/u", "/v1/shares", "-"]) {
          assert(written.includes(` GET ${place} 502 `), written);
        }
      });
    },
  });
}

for (const kind of ["nginx", "haproxy", "apache2"] as const) {
  Deno.test({
    name: `${kind} sends plain http to its own name, whatever Host says`,
    ignore: PROXIES[kind] === undefined,
    fn: async () => {
      await withProxy(kind, {}, async ({ origin, scratch }) => {
        using connection = kind === "apache2"
          ? await Deno.connect({
            hostname: "127.0.0.2",
            port: Number(new URL(origin).port),
          })
          : await Deno.connect({
            transport: "unix",
            path: `${scratch}/http.sock`,
          });
        await connection.write(new TextEncoder().encode(
          "GET /s/a?b HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        ));
        const answer = await new Response(connection.readable).text();
        assert.match(answer, /^HTTP\/1\.1 308 /);
        assert.match(
          answer,
          /^location: https:\/\/photos\.example\.org\/s\/a\?b\r$/mi,
        );
      });
    },
  });
}
