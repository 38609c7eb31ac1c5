/**
 * Requests with a malformed address (RFC 9112 section 3.2): the Host, or the
 * target itself, cannot be read.
 *
 * @module
 */
import assert from "node:assert/strict";
import { exchange, withSocket } from "../support/socket.ts";

const REQUESTS = [
  "GET /v1/version HTTP/1.1\r\nHost: [",
  "GET /v1/version HTTP/1.1\r\nHost: [::1",
  "GET /v1/version HTTP/1.1\r\nHost: a b",
  "POST /v1/auth/register HTTP/1.1\r\nContent-Length: 0\r\nHost: %",
  "OPTIONS /v1/version HTTP/1.1\r\nHost: a:99999",
  "GET http://a:99999/v1/version HTTP/1.1\r\nHost: a",
];

const DOTTED = [
  "/v1/../v1/version",
  "/v1/./version",
  "/v1/%2e%2E/v1/version",
  "/v1/%2e/version",
  "/s/.%2e/healthz",
  "/v1/version/..",
  "/v1\\version",
];

Deno.test("a path with segments of dots, or with a backslash, is unknown and not resolved", async () => {
  await withSocket(async (_app, origin) => {
    const { hostname, port } = new URL(origin);
    for (const path of DOTTED) {
      const connection = await Deno.connect({ hostname, port: Number(port) });
      const answer = await exchange(connection, "GET", path, []);
      assert.equal(answer.status, 404, path);
      const { code } = JSON.parse(new TextDecoder().decode(answer.body));
      assert.equal(code, "error.request.route_unknown");
    }
    const connection = await Deno.connect({ hostname, port: Number(port) });
    const answer = await exchange(connection, "GET", "/v1/version?a=/../b", []);
    assert.equal(answer.status, 200, "a query is not part of it");
  });
});

Deno.test("a request to a malformed address is malformed", async () => {
  await withSocket(async (_app, origin) => {
    const { hostname, port } = new URL(origin);
    for (const head of REQUESTS) {
      const connection = await Deno.connect({ hostname, port: Number(port) });
      const request = `${head}\r\nConnection: close\r\n\r\n`;
      await connection.write(new TextEncoder().encode(request));
      const answer = await new Response(connection.readable).text();
      assert.match(answer, /^HTTP\/1\.1 400 /, head);
      assert.match(answer, /"code":"error\.request\.malformed"/, head);
      assert.match(answer, /\r\nx-service-protocol-min: /i, head);
    }
  });
});
