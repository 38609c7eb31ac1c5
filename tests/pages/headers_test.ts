/**
 * What keeps the pages of links apart from other windows, other origins and the
 * library of whoever opens them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { APP_PATH } from "../../scripts/web/fresh.ts";
import { carriedApp } from "../../scripts/web/app.ts";
import { CHROMIUM, sharedChromium } from "../support/browser.ts";
import { withTestApp } from "../support/app.ts";
import { withSharedSamples } from "../support/shared_samples.ts";

const browser = sharedChromium();
const BROWSER = { Accept: "text/html,*/*;q=0.8" };
const ID = "0".repeat(32);
const DOCUMENTS = [
  "/",
  "/prove",
  `/s/${ID}`,
  `/s/${ID}/`,
  "/s/",
  `/u/${ID}`,
  "/u/",
];

/** What a document of this server answers to a browser. */
async function headersOf(
  paths: readonly string[],
  settings: Record<string, string>,
): Promise<Map<string, Headers>> {
  const found = new Map<string, Headers>();
  await withTestApp(async ({ send }) => {
    for (const path of paths) {
      const reply = await send("GET", path, { headers: BROWSER });
      assert.match(reply.headers.get("Content-Type") ?? "", /^text\/html/);
      await reply.body?.cancel();
      found.set(path, reply.headers);
    }
  }, { settings });
  return found;
}

Deno.test("every document keeps its origin and its windows to itself", async () => {
  const https = { STRONGROOM_BASE_URL: "https://photos.example.org" };
  for (const [path, headers] of await headersOf(DOCUMENTS, https)) {
    assert.deepEqual(
      [
        headers.get("Cross-Origin-Opener-Policy"),
        headers.get("Cross-Origin-Resource-Policy"),
        headers.get("Origin-Agent-Cluster"),
        headers.get("X-Frame-Options"),
      ],
      ["same-origin", "same-origin", "?1", "DENY"],
      path,
    );
  }
  // Browsers complain of both on plain http.
  for (const [path, headers] of await headersOf(DOCUMENTS, {})) {
    assert.equal(headers.get("Cross-Origin-Opener-Policy"), null, path);
    assert.equal(headers.get("Origin-Agent-Cluster"), null, path);
  }
  const [unknown] = (await headersOf(["/photos/of/summer"], https)).values();
  assert.equal(unknown?.get("Cross-Origin-Resource-Policy"), "same-origin");
});

Deno.test("what a browser loads for a page is no other origin's to load", async () => {
  const { files } = carriedApp(await Deno.readFile(APP_PATH));
  await withTestApp(async ({ send }) => {
    const paths = [...files.keys()].filter((path) => !/^\/[su]\/$/.test(path));
    assert(paths.length > 20, "the files are named");
    for (const path of paths) {
      const reply = await send("GET", path, { headers: BROWSER });
      await reply.body?.cancel();
      assert.equal(reply.status, 200, path);
      const policy = reply.headers.get("Cross-Origin-Resource-Policy");
      assert.equal(policy, "same-origin", path);
    }
  });
});

Deno.test({
  name: "the page of a link has a thread of its own, and never the vault",
  ignore: CHROMIUM === "",
  // The driver keeps its pipes to the browser for a moment.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    withSharedSamples(async ({ link }) => {
      await browser.visit(async ({ page, context }) => {
        await context.addInitScript(noteSharedThreads);
        const session = await context.newCDPSession(page);
        await page.goto(link);
        await page.locator(".tile img").first().waitFor();
        const { targetInfos } = await session.send("Target.getTargets");
        const shared = targetInfos.filter(({ type }) =>
          type === "shared_worker"
        );
        assert.deepEqual(shared, []);
        assert.deepEqual(
          await page.evaluate("globalThis.sharedThreads"),
          [],
        );
        const threads = page.workers().map((one) =>
          new URL(one.url()).pathname.split("/").at(-1)
        );
        assert(threads.includes("link.js"), threads.join(" "));
        assert(!threads.includes("vault.js"), threads.join(" "));
      });
      // The same is seen of the app, so that the test can fail.
      await browser.visit(async ({ page, context }) => {
        await context.addInitScript(noteSharedThreads);
        await page.goto(new URL("/", link).href);
        await page.getByRole("button", { name: "Create an account" }).waitFor();
        assert.equal(
          await page.evaluate("globalThis.sharedThreads.length"),
          1,
        );
      });
    }),
});

/** Runs in each page: keeps the shared threads that it connects to. */
function noteSharedThreads(): void {
  // deno-lint-ignore no-explicit-any -- the types of pages are not here
  const page = globalThis as any;
  const made: string[] = page.sharedThreads = [];
  page.SharedWorker = new Proxy(page.SharedWorker, {
    construct(target, given) {
      made.push(String(given[0]));
      return new target(...given);
    },
  });
}
