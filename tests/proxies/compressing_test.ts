/**
 * Behind proxies that compress every answer: blobs are read whole, and what was
 * read can be replaced; the doctor says what they do (protocol/transport.md#proxies-that-compress).
 *
 * @module
 */
import assert from "node:assert/strict";
import { getBlob } from "../../src/client/api/blob_body.ts";
import { makeRequest, type Sender } from "../support/app.ts";
import { expectBytes } from "../support/api.ts";
import { examine, expectFinding } from "../support/doctor.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import {
  createAsset,
  hashOf,
  registerWriter,
  storeEscrow,
} from "../support/people.ts";
import { type Place, PROXIES, withConfigured } from "../support/proxies.ts";

/** Each as "performance" pages on the web set it. */
const CONFIGS = {
  nginx: ({ room, port, backend }: Place) => `
daemon off; pid ${room}/pid; error_log ${room}/error; worker_processes 1;
events { worker_connections 256; }
http {
  access_log off; client_body_temp_path ${room}/b; proxy_temp_path ${room}/p;
  fastcgi_temp_path ${room}/f; uwsgi_temp_path ${room}/u; scgi_temp_path ${room}/s;
  gzip on; gzip_types *; gzip_proxied any; gzip_min_length 1; gzip_vary on;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://127.0.0.1:${backend}; proxy_http_version 1.1; }
  }
}`,
  haproxy: ({ port, backend }: Place) => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend f
  bind 127.0.0.1:${port}
  compression algo gzip
  default_backend b
backend b
  server s 127.0.0.1:${backend}
`,
  apache2: ({ room, port, backend }: Place) => `
ServerRoot /usr/lib/apache2
PidFile ${room}/pid
ErrorLog ${room}/error
Listen 127.0.0.1:${port}
ServerName localhost
LoadModule mpm_event_module modules/mod_mpm_event.so
LoadModule authz_core_module modules/mod_authz_core.so
LoadModule proxy_module modules/mod_proxy.so
LoadModule proxy_http_module modules/mod_proxy_http.so
LoadModule filter_module modules/mod_filter.so
LoadModule deflate_module modules/mod_deflate.so
SetOutputFilter DEFLATE
ProxyPass / http://127.0.0.1:${backend}/
`,
} as const;

for (const kind of ["nginx", "haproxy", "apache2"] as const) {
  const program = PROXIES[kind];
  Deno.test({
    name:
      `behind ${kind} that compresses all it can, blobs are read whole, slots are replaced, and the doctor says what it changes${
        program === undefined ? ` (no ${kind} here)` : ""
      }`,
    ignore: program === undefined,
    fn: () =>
      withConfigured(kind, CONFIGS[kind], async ({ origin, room }) => {
        await story({
          send: (method, path, options = {}) =>
            fetch(makeRequest(method, path, options, origin)),
        });
        const examined = await examine(`${room}/data`, {
          STRONGROOM_BASE_URL: origin,
        });
        for (
          const changed of [
            /compresses files/,
            /changes the entity tags of files/,
          ]
        ) {
          const mend = expectFinding(examined, "base_url", "warning", changed);
          assert.match(mend, /turn compression off/);
        }
      }),
  });
}

Deno.test({
  name:
    "behind a proxy that passes on another Host, the doctor says why no one can sign in",
  ignore: PROXIES.nginx === undefined,
  fn: () =>
    withConfigured("nginx", (place) =>
      CONFIGS.nginx(place)
        .replace("gzip on;", "gzip off;")
        .replace(
          "proxy_pass",
          "proxy_set_header Host inner.example; proxy_pass",
        ), async ({ origin, room }) => {
      const send = makeRequest("POST", "/v1/auth/login", {
        json: { address: "a@example.org", password: "a long password" },
      }, origin);
      await expectProblem(await fetch(send), "error.request.host");
      const examined = await examine(`${room}/data`, {
        STRONGROOM_BASE_URL: origin,
      });
      const what = /passes on another Host/;
      const mend = expectFinding(examined, "base_url", "fault", what);
      assert.match(mend, /pass on the Host that clients ask for/);
    }),
});

async function story(sender: Sender): Promise<void> {
  const ada = await registerWriter(sender, "ada");
  const { assetId, original } = await createAsset(sender, ada, "photo");
  const blob = await getBlob(
    ({ method, path, headers }) =>
      sender.send(method, path, { token: ada.token, headers: { ...headers } }),
    `/v1/assets/${assetId}/blobs/${hashOf(original)}`,
    undefined,
  );
  assert.equal(blob.size, original.length);
  expectBytes(await new Response(blob.stream).arrayBuffer(), original);

  // A slot and the escrow are replaced by the tags that came through the proxy.
  const put = (body: string, condition: Record<string, string>) =>
    sender.send("PUT", "/v1/state/index", {
      token: ada.token,
      headers: { "Content-Type": "application/octet-stream", ...condition },
      body,
    });
  await expectEmpty(
    await put("a".repeat(5_000), { "If-None-Match": "*" }),
    204,
  );
  await expectJson(
    await storeEscrow(sender, ada, new Uint8Array(5_000)),
    200,
  );
  for (const path of ["/v1/state/index", "/v1/auth/escrow"]) {
    const read = await sender.send("GET", path, { token: ada.token });
    assert.equal((await read.bytes()).length, 5_000);
    const tag = read.headers.get("etag") ?? "";
    const replaced = await sender.send("PUT", path, {
      token: ada.token,
      headers: {
        "Content-Type": "application/octet-stream",
        "If-Match": tag,
      },
      body: "b",
    });
    const said = await replaced.text();
    assert(replaced.ok, `${path} ${tag}: ${said}`);
  }
}
