import assert from "node:assert/strict";
import { ROUTES } from "../../src/routes.ts";
import { withTestApp } from "../support/app.ts";
import { DAY, fromNow, shareAlbum } from "../support/capabilities.ts";
import { nameOf, SPEC } from "../support/spec.ts";
import {
  fillPath,
  openWorld,
  sendOperation,
} from "../support/spec_requests.ts";

const PAGE = "https://photos.example.org";
/** Of a server that the operator knows nothing about. */
const PEER_PAGE = "https://photos.peer.example";
const ONE_ORIGIN = { settings: { STRONGROOM_CORS_ORIGINS: PAGE } };

/** Every response header that the contract names and CORS would hide. */
const NAMED = [
  "Accept-Ranges",
  "Allow",
  "Content-Range",
  "Deprecation",
  "ETag",
  "Last-Modified",
  "Link",
  "Location",
  "Repr-Digest",
  "Retry-After",
  "Sunset",
  "Tus-Checksum-Algorithm",
  "Tus-Extension",
  "Tus-Max-Size",
  "Tus-Resumable",
  "Tus-Version",
  "Upload-Expires",
  "Upload-Length",
  "Upload-Offset",
  "WWW-Authenticate",
  "X-Service-Identity-Key",
  "X-Service-Min-Client-Build",
  "X-Service-Protocol-Max",
  "X-Service-Protocol-Min",
];

/** Paths that any origin may read. */
const isPublic = (path: string) =>
  path.startsWith("/s/") || path.startsWith("/.well-known/") ||
  path === "/v1/version";

function items(response: Response, name: string): string[] {
  return (response.headers.get(name) ?? "").toLowerCase().split(",").map(
    (one) => one.trim(),
  );
}

Deno.test("viewer paths and discovery allow any origin, the rest none that is not configured", async () => {
  await withTestApp(async (app) => {
    const { person, values } = await openWorld(app);
    for (const op of SPEC) {
      const response = await sendOperation(app, op, person, {
        values,
        headers: { Origin: PAGE },
      });
      await response.body?.cancel();
      const name = `${op.method} ${op.path}`;
      if (isPublic(op.path)) {
        assert.equal(
          response.headers.get("access-control-allow-origin"),
          "*",
          name,
        );
      } else if (op.path.startsWith("/v1/")) {
        assert.equal(
          response.headers.get("access-control-allow-origin"),
          null,
          name,
        );
      }
      assert.equal(
        response.headers.get("access-control-allow-credentials"),
        null,
        name,
      );
    }
  });
});

Deno.test("for a configured origin every named header is exposed, on errors too", async () => {
  await withTestApp(async (app) => {
    const { person, values } = await openWorld(app);
    for (const op of SPEC.filter(({ path }) => path.startsWith("/v1/"))) {
      for (const over of [{ values }, { anonymous: true as const }]) {
        const response = await sendOperation(app, op, person, {
          ...over,
          headers: { Origin: PAGE },
        });
        await response.body?.cancel();
        const name = `${op.method} ${op.path} ${response.status}`;
        const allowed = response.headers.get("access-control-allow-origin");
        const exposed = items(response, "access-control-expose-headers");
        assert.equal(allowed, isPublic(op.path) ? "*" : PAGE, name);
        for (const header of NAMED) {
          assert(exposed.includes(header.toLowerCase()), `${name}: ${header}`);
        }
        // The answer depends on who asks: a shared cache has to know.
        if (allowed !== "*") assert(items(response, "vary").includes("origin"));
        assert.equal(
          response.headers.get("access-control-allow-credentials"),
          null,
          name,
        );
      }
    }
  }, ONE_ORIGIN);
});

Deno.test("an origin that is not configured is not allowed", async () => {
  await withTestApp(async (app) => {
    for (
      const origin of [
        "https://evil.example.org",
        "http://photos.example.org",
        "https://photos.example.org:444",
        "https://photos.example.org.evil.example",
        "null",
      ]
    ) {
      const response = await app.send("GET", "/v1/auth/profile", {
        headers: { Origin: origin },
      });
      await response.body?.cancel();
      assert.equal(response.status, 401);
      assert.equal(
        response.headers.get("access-control-allow-origin"),
        null,
        origin,
      );
      assert(items(response, "vary").includes("origin"), origin);
    }
  }, ONE_ORIGIN);
});

Deno.test("with * any origin may read, and never with credentials", async () => {
  await withTestApp(async (app) => {
    const response = await app.send("GET", "/v1/auth/profile", {
      headers: { Origin: "https://anywhere.example" },
    });
    await response.body?.cancel();
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    assert.equal(
      response.headers.get("access-control-allow-credentials"),
      null,
    );
  }, { settings: { STRONGROOM_CORS_ORIGINS: "*" } });
});

Deno.test("a CORS preflight needs no handshake and no credential", async () => {
  await withTestApp(async (app) => {
    for (const op of SPEC.filter(({ handshake }) => handshake)) {
      const response = await app.send("OPTIONS", fillPath(op.path), {
        protocol: null,
        headers: {
          Origin: PAGE,
          "Access-Control-Request-Method": op.method,
          "Access-Control-Request-Headers": "authorization,x-service-protocol",
        },
      });
      const name = `${op.method} ${op.path}`;
      await response.body?.cancel();
      assert(response.ok, `${name}: ${response.status}`);
      assert.equal(
        response.headers.get("access-control-allow-origin"),
        PAGE,
        name,
      );
      assert(
        items(response, "access-control-allow-methods").includes(
          op.method.toLowerCase(),
        ),
        name,
      );
      const allowed = items(response, "access-control-allow-headers");
      for (
        const header of [
          "Authorization",
          "Content-Type",
          "Range",
          "If-Match",
          "If-None-Match",
          "If-Modified-Since",
          "If-Range",
          "Tus-Resumable",
          "Upload-Length",
          "Upload-Offset",
          "Upload-Checksum",
          "X-Service-Crypto-Suite",
          "X-Service-Identity-Key",
          "X-Service-Protocol",
          "X-Service-Sidecar-Schema",
        ]
      ) assert(allowed.includes(header.toLowerCase()), `${name}: ${header}`);
    }
  }, ONE_ORIGIN);
});

Deno.test("a preflight of an unconfigured origin allows nothing", async () => {
  await withTestApp(async (app) => {
    const response = await app.send("OPTIONS", "/v1/auth/login", {
      protocol: null,
      headers: {
        Origin: "https://evil.example.org",
        "Access-Control-Request-Method": "POST",
      },
    });
    await response.body?.cancel();
    assert.equal(response.headers.get("access-control-allow-origin"), null);
  }, ONE_ORIGIN);
});

Deno.test("a preflight allows every request header that an operation declares", async () => {
  await withTestApp(async (app) => {
    const response = await app.send("OPTIONS", "/v1/auth/escrow", {
      protocol: null,
      headers: { Origin: PAGE, "Access-Control-Request-Method": "PUT" },
    });
    await response.body?.cancel();
    const allowed = items(response, "access-control-allow-headers");
    for (const { spec } of ROUTES) {
      for (const header of Object.keys(spec.headers ?? {})) {
        assert(allowed.includes(header.toLowerCase()), header);
      }
    }
  }, ONE_ORIGIN);
});

/** What a page of another server reads with a capability. */
const OF_PEERS = [
  "GET /v1/sync",
  "GET /v1/albums/{album_id}/roster",
  "GET /v1/assets/{asset_id}",
  "GET /v1/assets/{asset_id}/blobs/{hash}",
  "POST /v1/assets/query",
  "POST /v1/assets/blobs",
  "POST /v1/users/lookup",
  "POST /v1/federation/capabilities/refresh",
  "POST /v1/federation/capabilities/renew",
];

Deno.test("pages of other servers read what capabilities do, where the server federates, and never an answer to a session", async () => {
  for (const federation of ["on", "off"]) {
    for (const named of ["", PAGE]) {
      await withTestApp(async (app) => {
        const shared = await shareAlbum(app);
        const capability = federation === "on"
          ? (await shared.minted({ renewable_until: fromNow(app, DAY) })).token
          : undefined;
        const { person, values } = await openWorld(app);
        // Before those that end the session.
        const ops = SPEC.filter(({ path }) => path.startsWith("/v1/"))
          .toSorted((a, b) =>
            Number(OF_PEERS.includes(nameOf(b))) -
            Number(OF_PEERS.includes(nameOf(a)))
          );
        for (const op of ops) {
          for (const who of ["session", "capability", "garbage", "nobody"]) {
            for (const origin of [PEER_PAGE, PAGE]) {
              const token = {
                session: person.token,
                capability,
                garbage: "x.y.z",
                nobody: undefined,
              }[who];
              if (who === "capability" && token === undefined) continue;
              const response = await sendOperation(app, op, person, {
                values: { ...values, album_id: shared.albumId },
                headers: { Origin: origin },
                anonymous: true,
                ...(token === undefined ? {} : { token }),
              });
              await response.body?.cancel();
              // A path of its own reads no credential.
              const isOfSession = who === "session" &&
                op.credential === "bearer";
              const isOpen = federation === "on" && !isOfSession &&
                OF_PEERS.includes(nameOf(op));
              const expected = isPublic(op.path)
                ? "*"
                : origin === named
                ? named
                : isOpen
                ? "*"
                : null;
              assert.equal(
                response.headers.get("access-control-allow-origin"),
                expected,
                `${
                  nameOf(op)
                }, ${who} from ${origin}, federation ${federation}`,
              );
            }
          }
        }
      }, {
        settings: {
          STRONGROOM_FEDERATION: federation,
          STRONGROOM_CORS_ORIGINS: named,
        },
      });
    }
  }
});

Deno.test("a preflight of a peer's page is allowed the one method of the operation that it asks for", async () => {
  await withTestApp(async (app) => {
    for (const { path } of SPEC.filter((op) => op.path.startsWith("/v1/"))) {
      for (
        const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "FOO"]
      ) {
        const ask = async (origin: string) => {
          const response = await app.send("OPTIONS", fillPath(path), {
            protocol: null,
            headers: {
              Origin: origin,
              "Access-Control-Request-Method": method,
              "Access-Control-Request-Headers": "authorization",
            },
          });
          await response.body?.cancel();
          return response.headers;
        };
        const name = `${method} ${path}`;
        const isOpen = OF_PEERS.includes(name.replace("HEAD", "GET"));
        const headers = await ask(PEER_PAGE);
        if (isPublic(path)) continue;
        assert.equal(
          headers.get("access-control-allow-origin"),
          isOpen ? "*" : null,
          name,
        );
        assert.equal(
          headers.get("access-control-allow-methods"),
          isOpen ? method : null,
          name,
        );
        // The operator's own origins are told what they always were.
        const own = await ask(PAGE);
        assert.equal(own.get("access-control-allow-origin"), PAGE, name);
        assert.equal(
          own.get("access-control-allow-methods"),
          own.get("allow"),
          name,
        );
      }
    }
  }, {
    settings: {
      STRONGROOM_FEDERATION: "on",
      STRONGROOM_CORS_ORIGINS: PAGE,
    },
  });
});
