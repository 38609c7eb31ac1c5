/**
 * Bodies that hardly come, and bodies in a great many pieces, over a real
 * socket: they are ended, and what arrived of an upload stays.
 *
 * @module
 */
import assert from "node:assert/strict";
import { PROTOCOL } from "../support/app.ts";
import { expectEmpty, expectJson } from "../support/expect.ts";
import { ciphertext, createUpload, registerWriter } from "../support/people.ts";
import { withSocket } from "../support/socket.ts";
import { finalize, offsetOf } from "../support/uploads.ts";

const QUICK = { STRONGROOM_BODY_TIMEOUT_SECONDS: "1" };
const JSON_HEAD = ["Content-Type: application/json"];

/** Begins a request by hand; whoever asks writes its body and reads on. */
async function begin(
  origin: string,
  target: string,
  lines: readonly string[],
): Promise<Deno.Conn> {
  const { hostname, port } = new URL(origin);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  await write(
    connection,
    [
      `${target} HTTP/1.1`,
      "Host: localhost",
      `X-Service-Protocol: ${PROTOCOL}`,
      ...lines,
      "\r\n",
    ].join("\r\n"),
  );
  return connection;
}

async function write(connection: Deno.Conn, text: string): Promise<void> {
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) {
    rest = rest.subarray(await connection.write(rest));
  }
}

/** Reads until the server closes, or until a problem's end; as text. */
async function rest(
  connection: Deno.Conn,
  until: "closed" | "answered" = "closed",
): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(4_096);
  let text = "";
  while (until === "closed" || !text.endsWith("}")) {
    // With what was sent unread, closing is told as a reset.
    const read = await connection.read(buffer).catch(() => null);
    if (read === null) break;
    text += decoder.decode(buffer.subarray(0, read), { stream: true });
  }
  connection.close();
  return text;
}

/** A body in chunks of one byte each (RFC 9112 section 7.1), without an end. */
function oneByteChunks(text: string): string {
  return [...text].map((byte) => `1\r\n${byte}\r\n`).join("");
}

Deno.test("a body in a great many pieces is ended, and its connection with it", async () => {
  await withSocket(async (_app, origin) => {
    const connection = await begin(origin, "POST /v1/auth/login", [
      ...JSON_HEAD,
      "Transfer-Encoding: chunked",
    ]);
    await write(connection, oneByteChunks(" ".repeat(4_000)));
    const answer = await rest(connection);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /error\.request\.malformed/);
  });
});

Deno.test("a body in a thousand pieces is read, as slow networks bring it", async () => {
  await withSocket(async (_app, origin) => {
    const connection = await begin(origin, "POST /v1/auth/login", [
      ...JSON_HEAD,
      "Connection: close",
      "Transfer-Encoding: chunked",
    ]);
    const body = '{"address":"ada@example.org","password":"wrong"}'
      .padEnd(1_000);
    await write(connection, `${oneByteChunks(body)}0\r\n\r\n`);
    assert.match(await rest(connection), /error\.auth\.credentials_invalid/);
  });
});

Deno.test("an upload in a great many pieces keeps what arrived, and goes on from there", async () => {
  await withSocket(async (app, origin) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("pieces", 4_000).map((byte) => byte & 0x7f);
    const id = (await createUpload(app, ada, bytes)).upload_id;
    const lines = (offset: number) => [
      `Authorization: Bearer ${ada.token}`,
      "Content-Type: application/offset+octet-stream",
      `Upload-Offset: ${offset}`,
    ];
    const text = new TextDecoder().decode(bytes);
    const connection = await begin(origin, `PATCH /v1/upload/${id}`, [
      ...lines(0),
      "Transfer-Encoding: chunked",
    ]);
    await write(connection, oneByteChunks(text));
    assert.match(await rest(connection), /error\.upload\.offset_conflict/);
    const offset = await offsetOf(app, ada, id);
    assert(offset > 1_000 && offset < 2_000, String(offset));
    await expectEmpty(
      await app.send("PATCH", `/v1/upload/${id}`, {
        token: ada.token,
        headers: {
          "Content-Type": "application/offset+octet-stream",
          "Upload-Offset": String(offset),
        },
        body: bytes.slice(offset),
      }),
      204,
    );
    await expectJson(await finalize(app, ada, id), 200);
  });
});

Deno.test("a body that does not come on is not waited for", async () => {
  await withSocket(async (_app, origin) => {
    const connection = await begin(origin, "POST /v1/auth/login", [
      ...JSON_HEAD,
      "Content-Length: 100",
    ]);
    await write(connection, '{"address":');
    const answer = await rest(connection, "answered");
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /error\.request\.malformed/);
  }, QUICK);
});

Deno.test("an upload that does not come on keeps what arrived, and its answer says where to go on", async () => {
  await withSocket(async (app, origin) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("stalled", 4_000);
    const id = (await createUpload(app, ada, bytes)).upload_id;
    const connection = await begin(origin, `PATCH /v1/upload/${id}`, [
      `Authorization: Bearer ${ada.token}`,
      "Content-Type: application/offset+octet-stream",
      "Upload-Offset: 0",
      "Content-Length: 4000",
    ]);
    await write(connection, "x".repeat(300));
    const answer = await rest(connection, "answered");
    assert.match(answer, /error\.upload\.offset_conflict/);
    assert.match(answer, /"offset":300/);
    assert.equal(await offsetOf(app, ada, id), 300);
  }, QUICK);
});
