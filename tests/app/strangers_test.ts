/**
 * Documents of the app's origin that are not the app, such as a Blob that is
 * opened from the address bar: no policy holds them.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { hasWorker } from "../support/browser.ts";
import { sampleBytes } from "../support/samples.ts";
import { until } from "../support/until.ts";
import {
  addPhotos,
  appStory,
  samplePhotos,
  signUp,
} from "../support/web_app.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

/** How a document reaches the vault of the app's pages, and ones of its own. */
const WAYS = [
  { thread: "SharedWorker", name: "vault" },
  { thread: "SharedWorker", name: "another" },
  { thread: "Worker", name: "vault" },
] as const;

/** Opens a document that a person made, as from the address bar. */
async function stranger(page: Page, context: BrowserContext): Promise<Page> {
  const address = await page.evaluate(() =>
    URL.createObjectURL(
      new Blob(["<!doctype html><button>Open</button>"], { type: "text/html" }),
    )
  );
  const opened = await context.newPage();
  await opened.goto(address);
  return opened;
}

/** The address of the vault's script. */
function vaultAddress(page: Page): Promise<string> {
  return page.evaluate(() =>
    new URL(
      "vault.js",
      (globalThis as Json).document.querySelector("script").src,
    ).href
  );
}

/** Runs in the page: connects to a vault, and keeps what it says. */
function connect({ thread, name, address }: Record<string, string>): void {
  const page = globalThis as Json;
  const made = new page[thread ?? ""](address, { type: "module", name });
  page.line = made.port ?? made;
  page.heard = [];
  page.awaited = new Map();
  page.line.onmessage = ({ data }: MessageEvent) => {
    page.heard.push(data);
    page.awaited.get(data.id)?.();
  };
}

/** Runs in the page: calls the vault; resolves once every call is answered. */
async function ask(
  calls: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const page = globalThis as Json;
  await Promise.all(calls.map((call) =>
    new Promise<void>((resolve) => {
      page.awaited.set(call["id"], resolve);
      page.line.postMessage(call);
    })
  ));
}

/** Runs in the page: calls the vault and waits for nothing. */
function call(asked: Readonly<Record<string, unknown>>): void {
  (globalThis as Json).line.postMessage(asked);
}

/** Runs in the page: what is done after it was drawn is done a while later. */
function drawLate(): void {
  const { setTimeout: wait } = globalThis;
  const lateMs = 700;
  Object.assign(globalThis, {
    requestAnimationFrame: (work: () => void) => wait(work, lateMs),
    // Views do not wait for a frame any longer than that.
    setTimeout: (work: () => void, ms = 0) =>
      wait(work, ms > 20 && ms < 120 ? lateMs : ms),
  });
}

/** What the vault said, in the order of the calls; events last. */
async function heard(page: Page): Promise<unknown[]> {
  const all: { id?: number }[] = await page.evaluate(() =>
    (globalThis as Json).heard
  );
  return all.sort((a, b) => (a.id ?? Infinity) - (b.id ?? Infinity));
}

const vouch = (pass: string, id: number) => ({
  id,
  group: "page",
  name: "vouch",
  args: [pass],
});

const PASS = "0123456789abcdef0123456789abcdef";
const PASSES = [PASS, "", "../../", "#", "x".repeat(3 << 20)];

appStory(
  "a document that is not the app hears nothing of a vault of the app's pages, nor of one of its own, shared or not",
  async ({ url, visit }) => {
    await visit(async ({ page, context }) => {
      await signUp(page, url, "ada@example.org");
      // This visit is the first one: the vault was there before the worker.
      await page.waitForFunction(hasWorker);
      const address = await vaultAddress(page);
      const blobs: Page[] = [];
      for (const way of WAYS) {
        const blob = await stranger(page, context);
        await blob.evaluate(connect, { ...way, address });
        await blob.evaluate(call, {
          ...{ id: 99, group: "session", name: "resume", args: [] },
        });
        await blob.evaluate(ask, PASSES.map(vouch));
        blobs.push(blob);
      }
      // Only the app's page receives the messages of the meantime.
      await addPhotos(page, samplePhotos().slice(0, 1));
      await page.locator(".grid img").first().waitFor();
      const refused = [...PASSES, PASS].map((_, id) => ({
        id,
        ok: true,
        value: false,
      }));
      for (const blob of blobs) {
        await blob.evaluate(ask, [vouch(PASS, PASSES.length)]);
        assert.deepEqual(await heard(blob), refused);
      }

      // A refused page learns when to start again, as an old page has to.
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Sign out" })
        .click();
      await page.getByRole("button", { name: "Create an account" }).waitFor();
      for (const blob of blobs) {
        await blob.waitForFunction(() =>
          (globalThis as Json).heard.at(-1).event === "closing"
        );
        assert.deepEqual(await heard(blob), [
          ...refused,
          { event: "closing", data: { why: "signed-out" } },
        ]);
      }
    }, { serviceWorkers: "allow" });
  },
);

appStory(
  "a document that takes the app's address is not the app to the service worker",
  async ({ url, visit }) => {
    await visit(async ({ page, context }) => {
      await page.addInitScript(drawLate);
      await signUp(page, url, "ada@example.org");
      await page.waitForFunction(hasWorker);
      const address = await vaultAddress(page);
      // What another app shares waits for the app.
      const shared = await sampleBytes("cat.jpg");
      await page.evaluate(async (base64) => {
        const bytes = Uint8Array.fromBase64(base64);
        const form = new FormData();
        form.append("files", new File([bytes], "cat.jpg"));
        await fetch("/app/shared", { method: "POST", body: form });
      }, shared.toBase64());

      const blob = await stranger(page, context);
      await blob.evaluate((to) => {
        const { document } = globalThis as Json;
        document.querySelector("button").onclick = () => {
          (globalThis as Json).other = (globalThis as Json).open(to);
        };
      }, `${url}/app/manifest.webmanifest`);
      const [other] = await Promise.all([
        context.waitForEvent("page"),
        blob.getByRole("button", { name: "Open" }).click(),
      ]);
      await other.waitForLoadState();
      await blob.evaluate(async (pass) => {
        const { history, navigator, MessageChannel } =
          (globalThis as Json).other;
        history.pushState(null, "", "/");
        const { active } = await navigator.serviceWorker.getRegistration();
        active.postMessage({ pass });
        const { port1, port2 } = new MessageChannel();
        (globalThis as Json).files = [];
        port1.onmessage = ({ data }: MessageEvent) =>
          (globalThis as Json).files.push(data);
        active.postMessage("shared", [port2]);
      }, PASS);
      // The driver is told of it by the other page, which may be later.
      await until(() => Promise.resolve(other.url()), `${url}/`);
      const [{ thread, name }] = WAYS;
      await blob.evaluate(connect, { thread, name, address });
      await blob.evaluate(ask, [vouch(PASS, 1)]);
      assert.deepEqual(await heard(blob), [{ id: 1, ok: true, value: false }]);
      assert.deepEqual(
        await blob.evaluate(() => (globalThis as Json).files),
        [],
      );

      // The app still finds what was shared.
      await page.goto(`${url}#/upload`);
      await page.getByRole("dialog", { name: "Add 1 file?" })
        .getByText("cat.jpg").waitFor();
    }, { serviceWorkers: "allow" });
  },
);

appStory(
  "the vault answers the app at the first visit, after a reload, past the service worker, and in a second tab",
  async ({ url, lanUrl, visit }) => {
    for (const origin of [url, lanUrl]) {
      await visit(async ({ page, context }) => {
        const photos = { name: "No photos yet" };
        await signUp(page, origin, `${new URL(origin).hostname}@example.org`);
        const second = await context.newPage();
        await second.goto(origin);
        await second.getByRole("heading", photos).waitFor();
        if (origin === lanUrl) return;
        await page.waitForFunction(hasWorker);
        await page.reload();
        await page.getByRole("heading", photos).waitFor();
        // As with Shift and Reload: nothing controls the page.
        const session = await context.newCDPSession(page);
        await session.send("Page.reload", { ignoreCache: true });
        await page.waitForFunction(() =>
          (globalThis as Json).navigator.serviceWorker.controller === null
        );
        await page.getByRole("heading", photos).waitFor();
        // The last page ends the vault, and the next one starts another.
        await second.close();
        await page.goto("about:blank");
        await page.goto(origin);
        await page.getByRole("heading", photos).waitFor();
      }, { serviceWorkers: "allow" });
    }
  },
);
