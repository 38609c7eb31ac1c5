/**
 * Behind proxies that refuse requests over a size: uploads go in smaller pieces,
 * and below 512 KiB it is said that a proxy refuses them
 * (protocol/uploads.md#bytes).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Account, createClient } from "../../src/client/api/api.ts";
import {
  ApiProblem,
  UnexpectedAnswer,
} from "../../src/client/api/transport.ts";
import { sourceOf, uploadBlob } from "../../src/client/api/upload.ts";
import { signEnvelope } from "../../src/crypto/envelope.ts";
import { hybridSignerFromSeeds } from "../../src/crypto/hybrid.ts";
import { newAccount, openMachine } from "../support/people_commands.ts";
import { hashOf, PASSWORD, uuidOf } from "../support/people.ts";
import { type Place, PROXIES, withConfigured } from "../support/proxies.ts";
import { PROTOCOL, seededRandom } from "../support/app.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

const KINDS = ["nginx", "haproxy"] as const;
type Kind = (typeof KINDS)[number];

/** Bodies of at most so many bytes; nginx's own default is 1 MiB. */
const LIMITED: Record<Kind, (most: number) => (place: Place) => string> = {
  nginx: (most) => ({ room, port, backend }) => `
daemon off; pid ${room}/pid; error_log ${room}/error; worker_processes 1;
events { worker_connections 256; }
http {
  access_log off; client_body_temp_path ${room}/b; proxy_temp_path ${room}/p;
  fastcgi_temp_path ${room}/f; uwsgi_temp_path ${room}/u; scgi_temp_path ${room}/s;
  ${most === MIB ? "" : `client_max_body_size ${most};`}
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://127.0.0.1:${backend}; proxy_http_version 1.1; }
  }
}`,
  haproxy: (most) => ({ port, backend }) => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend f
  bind 127.0.0.1:${port}
  http-request deny deny_status 413 if { req.hdr_val(content-length) gt ${most} }
  default_backend b
backend b
  server s 127.0.0.1:${backend}
`,
};

for (const kind of KINDS) {
  const ignore = PROXIES[kind] === undefined;

  Deno.test({
    name:
      `behind ${kind} with bodies of 1 MiB at most, pieces are halved until they pass, once for the session`,
    ignore,
    fn: () =>
      withConfigured(kind, LIMITED[kind](MIB), async ({ origin }) => {
        const { account, bodies } = await openAccount(origin);
        await upload(account, "first", 3 * MIB);
        // A PUT of all, pieces that were refused, and those of a mebibyte.
        assert.deepEqual(bodies.splice(0), [3 * MIB, 2 * MIB, MIB, MIB, MIB]);
        await upload(account, "second", 2 * MIB + 1);
        assert.deepEqual(bodies.splice(0), [MIB, MIB, 1]);
        await upload(account, "third", 5);
        assert.deepEqual(bodies, [5]);
      }),
  });

  Deno.test({
    name:
      `behind ${kind} with bodies of 256 KiB at most, people read that a proxy refuses them`,
    ignore,
    fn: () =>
      withConfigured(
        kind,
        LIMITED[kind](256 * KIB),
        async ({ origin, room }) => {
          const { account, bodies } = await openAccount(origin);
          await assert.rejects(
            upload(account, "first", 3 * MIB),
            (error) =>
              error instanceof UnexpectedAnswer && error.status === 413,
          );
          assert.deepEqual(bodies, [3 * MIB, 2 * MIB, MIB, 512 * KIB]);
          const machine = await openMachine(`${room}/ada`);
          const town = { url: origin } as Parameters<typeof newAccount>[0];
          await newAccount(town, machine, "bo@example.org");
          const photo = crypto.getRandomValues(new Uint8Array(64 * KIB));
          const many = Array<Uint8Array>(9).fill(photo);
          await machine.write(
            "big.bin",
            await new Blob(many as BlobPart[]).bytes(),
          );
          const pushed = await machine.run("push", machine.path("big.bin"));
          assert.notEqual(pushed.status, 0);
          assert.match(
            pushed.stdout + pushed.stderr,
            /a proxy between here and the server refuses requests of this size/,
          );
        },
      ),
  });
}

Deno.test({
  name: "what the server itself refuses for its size is told as the server's",
  ignore: PROXIES.nginx === undefined,
  fn: () =>
    withConfigured("nginx", LIMITED.nginx(64 * MIB), async ({ origin }) => {
      const client = createClient({ baseUrl: origin, fetch });
      await assert.rejects(
        client.register("ada@example.org", "a".repeat(2 * MIB)),
        (error) =>
          error instanceof ApiProblem &&
          error.code === "error.request.too_large",
      );
    }),
});

async function upload(account: Account, name: string, length: number) {
  const bytes = seededRandom(name)(length);
  const hash = hashOf(bytes);
  const request = {
    role: "original" as const,
    hash,
    size: length,
    envelope: {
      crypto_suite_id: 1,
      protocol_version: PROTOCOL,
      file_id: uuidOf(name),
      amk_version: 0,
      ciphertext_hash: hash,
      original_blob_hash: hash,
      plaintext_size: 1,
      chunk_size: 65_536,
      key_mode: "derived" as const,
      created_by_user: account.userId,
      created_by_device: uuidOf("a device"),
      client_version: "test/1",
      timestamp: new Date().toISOString(),
      action: "create" as const,
    },
  };
  await uploadBlob(account, request, sourceOf(bytes));
}

/** An account, and how long the bodies of blobs are that are sent. */
async function openAccount(origin: string) {
  const bodies: number[] = [];
  const client = createClient({
    baseUrl: origin,
    fetch: (input, init) => {
      if (init.body instanceof Uint8Array) bodies.push(init.body.length);
      return fetch(input, init);
    },
  });
  const account = await client.register("ada@example.org", PASSWORD);
  const random = seededRandom("identity");
  const signer = await hybridSignerFromSeeds({
    ed25519: random(32),
    mlDsa65: random(32),
  });
  const directory = await signEnvelope(signer, {
    type: "service-device-directory/v1",
    directory_version: 1,
  });
  await account.publishDirectory(directory, signer.publicKey);
  bodies.length = 0;
  return { account, bodies };
}
