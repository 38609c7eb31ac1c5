/**
 * The pages that browsers get of a link, and who counts as a browser
 * (protocol/links.md#viewing; RFC 9110 section 12.5.1).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { issueLink, revokeLink } from "../support/guests.ts";
import { createAsset, hashOf, registerWriter } from "../support/people.ts";
import { expectNoErrors, issueShare, opaqueId } from "../support/api.ts";

const HTML = "text/html; charset=utf-8";
const CHROMIUM =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif," +
  "image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7";
const FIREFOX =
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const BROWSERS = [
  CHROMIUM,
  FIREFOX,
  "text/html",
  "TEXT/HTML",
  "text/*",
  "text/html;charset=utf-8",
  'text/html; charset="UTF-8"',
  "text/html, */*;q=0.1",
  "text/html;q=0.9, application/json;q=0.8",
  "application/json;q=0.001, text/html;q=0.002",
  "application/json;q=0, */*",
  "*/*;q=0.5, text/html;q=0.6",
  "text/*;q=0.4, text/html;q=0.3, application/json;q=0.2",
  'image/png;x="a,text/plain;q=0", text/html',
  ",, text/html ,",
];

const PROGRAMS = [
  undefined,
  "",
  "*/*",
  "application/json",
  "application/*",
  "application/json, text/html",
  "text/html;q=0",
  "text/html;q=0, */*",
  "text/html;q=0.5, */*;q=0.8",
  "text/html;q=0.8, application/json",
  "text/html;level=1, */*",
  "text/html;q=1.5",
  "text/html;q=x",
  "image/png",
  "text/plain",
  "application/xhtml+xml",
  'image/png;x="a, text/html"',
  "text",
];

interface Links {
  readonly app: TestApp;
  /** Paths of links by what has become of them. */
  readonly shares: Readonly<Record<string, string>>;
  readonly uploads: Readonly<Record<string, string>>;
}

async function withLinks(test: (links: Links) => Promise<void>) {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    const serves = [hashOf(asset.metadata)];
    const share = async (word: string, over = {}) =>
      `/s/${await issueShare(app, ada, word, serves, over)}`;
    const upload = async (word: string, over = {}) =>
      `/u/${await issueLink(app, ada, word, over)}`;
    const soon = new Date(app.clock.now + 1_000).toISOString();
    const shares = {
      live: await share("live"),
      locked: await share("locked", { wrapped_secret: "AAAA" }),
      expired: await share("expired", { expires_at: soon }),
      revoked: await share("revoked"),
      unknown: `/s/${opaqueId("nobody's")}`,
    };
    const uploads = {
      live: await upload("u live"),
      locked: await upload("u locked", { wrapped_secret: "AAAA" }),
      expired: await upload("u expired", { expires_at: soon }),
      revoked: await upload("u revoked"),
      unknown: `/u/${opaqueId("u nobody's")}`,
    };
    await app.send("DELETE", `/v1/shares/${shares.revoked.slice(3)}`, {
      token: ada.token,
    });
    await revokeLink(app, ada, uploads.revoked.slice(3));
    app.clock.advance(2_000);
    await test({ app, shares, uploads });
    expectNoErrors(app);
  });
}

function ask(
  app: TestApp,
  path: string,
  accept: string | undefined,
  method = "GET",
): Promise<Response> {
  return app.send(method, path, {
    protocol: null,
    headers: accept === undefined ? {} : { Accept: accept },
  });
}

Deno.test("an Accept that prefers HTML gets the page, and any other gets JSON", async () => {
  await withLinks(async ({ app, shares, uploads }) => {
    for (const path of [shares["live"], uploads["live"]]) {
      assert(path !== undefined);
      for (const accept of BROWSERS) {
        const response = await ask(app, path, accept);
        assert.equal(response.status, 200, accept);
        assert.equal(response.headers.get("content-type"), HTML, accept);
        assert.match(await response.text(), /^<!doctype html>/i);
      }
      for (const accept of PROGRAMS) {
        const response = await ask(app, path, accept);
        const type = response.headers.get("content-type");
        assert.equal(type, "application/json", String(accept));
        await expectJson(response, 200);
      }
    }
  });
});

Deno.test("the page is the same whether or not the link lives", async () => {
  await withLinks(async ({ app, shares, uploads }) => {
    const pages = new Set<string>();
    for (const links of [shares, uploads]) {
      const answers = new Set<string>();
      for (const path of Object.values(links)) {
        const response = await ask(app, path, FIREFOX);
        const headers = [...response.headers];
        const body = await response.text();
        answers.add(JSON.stringify([response.status, headers, body]));
        pages.add(body);
      }
      assert.equal(answers.size, 1);
    }
    assert.equal(pages.size, 2, "a viewer page and an upload page");
  });
});

Deno.test("Vary names Accept on the page, on JSON and on refusals", async () => {
  await withLinks(async ({ app, shares, uploads }) => {
    for (const links of [shares, uploads]) {
      const prefix = links["live"]?.slice(0, 3);
      for (const path of [...Object.values(links), `${prefix}malformed`]) {
        for (const accept of [CHROMIUM, "application/json"]) {
          for (const method of ["GET", "HEAD", "DELETE"]) {
            const response = await ask(app, path, accept, method);
            await response.body?.cancel();
            const name = `${method} ${path} ${response.status}`;
            assert.equal(response.headers.get("vary"), "Accept", name);
          }
        }
      }
    }
    const blob = await ask(app, `${shares["live"]}/wrapped-secret`, CHROMIUM);
    await expectProblem(blob, "error.share.not_found");
    assert.equal(blob.headers.get("vary"), null);
  });
});

Deno.test("a link that was cut short or mangled, or has a slash at its end, gets its page too, and programs get what they ever got", async () => {
  await withTestApp(async (app) => {
    const id = opaqueId("a");
    for (const prefix of ["/s/", "/u/"]) {
      const page = await ask(app, `${prefix}${id}`, CHROMIUM);
      const html = await page.text();
      const malformed = [
        "abc",
        "A".repeat(32),
        `${id}.`,
        `${id})`,
        `${id}0`,
        `<${id}>`,
        id.slice(0, -1),
        "%E0%A4%A",
        "%",
        "a".repeat(4_000),
      ];
      const unknown = ["", `${id}/`, "abc/", `${id}./`];
      for (const one of [...malformed, ...unknown]) {
        const path = `${prefix}${one}`;
        const got = await ask(app, path, FIREFOX);
        assert.equal(got.status, 200, path);
        for (
          const name of ["content-type", "vary", ...Object.keys(PAGE_HEADERS)]
        ) {
          assert.equal(
            got.headers.get(name),
            page.headers.get(name),
            `${name} of ${path}`,
          );
        }
        assert.equal(await got.text(), html, path);
        await expectEmpty(await ask(app, path, FIREFOX, "HEAD"), 200);
        for (const accept of PROGRAMS) {
          await expectProblem(
            await ask(app, path, accept),
            unknown.includes(one)
              ? "error.request.route_unknown"
              : "error.request.malformed",
          );
        }
      }
      for (const one of unknown) {
        await expectProblem(
          await ask(app, `${prefix}${one}`, CHROMIUM, "POST"),
          "error.request.route_unknown",
        );
      }
    }
    expectNoErrors(app);
  });
});

Deno.test("pages are free: no budget is charged for them", async () => {
  await withTestApp(async (app) => {
    for (const path of [`/s/${opaqueId("a")}`, `/u/${opaqueId("a")}`]) {
      for (let i = 0; i < 20; i++) {
        const page = await ask(app, path, CHROMIUM);
        await page.body?.cancel();
        assert.equal(page.status, 200);
      }
    }
    const path = `/s/${opaqueId("a")}`;
    for (let i = 0; i < 3; i++) {
      await expectProblem(
        await ask(app, path, undefined),
        "error.share.not_found",
      );
    }
    await expectProblem(
      await ask(app, path, undefined),
      "error.share.rate_limited",
    );
    // Nor does an exhausted budget keep the page away.
    const page = await ask(app, path, CHROMIUM);
    await page.body?.cancel();
    assert.equal(page.status, 200);
  }, { settings: { STRONGROOM_LIMIT_SHARE_METADATA: "3" } });
});

Deno.test("a look at the page is no view of the link", async () => {
  await withLinks(async ({ app, shares }) => {
    const response = await ask(app, shares["live"] ?? "", CHROMIUM);
    await response.body?.cancel();
    await app.app.signals.shareViews.write();
    const rows = await app.app.db.selectFrom("share").select("last_viewed_at")
      .execute();
    assert(rows.every(({ last_viewed_at }) => last_viewed_at === null));
  });
});

Deno.test("HEAD has the page's headers and no body", async () => {
  await withLinks(async ({ app, shares }) => {
    for (const path of Object.values(shares)) {
      const get = await ask(app, path, CHROMIUM);
      await get.body?.cancel();
      const head = await ask(app, path, CHROMIUM, "HEAD");
      assert.deepEqual([...head.headers], [...get.headers]);
      await expectEmpty(head, 200);
    }
  });
});

const PAGE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex, nofollow",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

function policyOf(response: Response): Record<string, string[]> {
  return Object.fromEntries(
    (response.headers.get("content-security-policy") ?? "").split("; ")
      .map((one) => [one.split(" ")[0] ?? "", one.split(" ").slice(1)]),
  );
}

Deno.test("nothing runs in a page of links but this server's own files", async () => {
  await withTestApp(async (app) => {
    for (const path of [`/s/${opaqueId("a")}`, `/u/${opaqueId("a")}`]) {
      const response = await ask(app, path, CHROMIUM);
      const html = await response.text();
      assert.deepEqual(policyOf(response), {
        "default-src": ["'none'"],
        "script-src": ["'self'", "'wasm-unsafe-eval'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "blob:"],
        "media-src": ["'self'", "blob:"],
        "connect-src": ["'self'"],
        "worker-src": ["'self'"],
        "manifest-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["'none'"],
        "require-trusted-types-for": ["'script'"],
        "trusted-types": ["strongroom"],
      });
      // All that the markup loads is of this build.
      const loaded = [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)];
      assert(loaded.length > 0);
      for (const [, address = ""] of loaded) {
        assert.match(address, /^\/app\/[0-9a-f]{16}\/[\w.-]+$/);
      }
      assert.doesNotMatch(html, /\b(?:style|on\w+)\s*=/i);
      for (const [name, value] of Object.entries(PAGE_HEADERS)) {
        assert.equal(response.headers.get(name), value);
      }
    }
  }, { settings: { STRONGROOM_BASE_URL: "https://photos.example.org" } });
});

Deno.test("on plain http a page sends nothing that browsers only complain of", async () => {
  await withTestApp(async (app) => {
    for (const path of [`/s/${opaqueId("a")}`, "/"]) {
      const response = await ask(app, path, CHROMIUM);
      await response.body?.cancel();
      assert.equal(response.headers.get("cross-origin-opener-policy"), null);
    }
  });
});

Deno.test("a page is compressed for clients that accept gzip", async () => {
  await withTestApp(async (app) => {
    const path = `/s/${opaqueId("a")}`;
    const get = (encoding: string) =>
      app.send("GET", path, {
        protocol: null,
        headers: { Accept: "text/html", "Accept-Encoding": encoding },
      });
    const plain = await (await get("identity")).text();
    for (const encoding of ["gzip", "br, GZIP;q=0.5", "*"]) {
      const response = await get(encoding);
      assert.equal(response.headers.get("content-encoding"), "gzip", encoding);
      const { length } = new Uint8Array(await response.clone().arrayBuffer());
      assert.equal(response.headers.get("content-length"), String(length));
      assert(length < 200_000, `${length} bytes`);
      const gunzip = new DecompressionStream("gzip");
      const body = response.body?.pipeThrough(gunzip) ?? null;
      assert.equal(await new Response(body).text(), plain);
    }
    for (const encoding of ["", "br", "gzip;q=0", "gzip;q=0, *"]) {
      const response = await get(encoding);
      assert.equal(response.headers.get("content-encoding"), null, encoding);
      assert.equal(await response.text(), plain);
    }
  });
});

Deno.test("/openapi.json serves the page and the JSON", async () => {
  await withTestApp(async (app) => {
    const document = await expectJson(
      await app.send("GET", "/openapi.json", { protocol: null }),
      200,
    );
    for (
      const [path, item] of Object.entries<Record<string, unknown>>(
        document.paths,
      )
    ) {
      // deno-lint-ignore no-explicit-any
      const content = (item as any).get?.responses["200"]?.content ?? {};
      assert.equal(
        "text/html" in content,
        path === "/s/{opaque_id}" || path === "/u/{opaque_id}",
        path,
      );
    }
  });
});
