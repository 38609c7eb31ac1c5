/**
 * The upload page in a real browser, over a real server
 * (protocol/links.md#guests).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { randomBytes } from "../../scripts/demo/spool.ts";
import { openGuestFile } from "../../src/client/guest.ts";
import {
  buildUploadLink,
  wrapFingerprint,
} from "../../src/client/upload_link.ts";
import { fromBase64, toBase64 } from "../../src/core/bytes.ts";
import { expectQuiet } from "../support/browser.ts";
import { expectAccessible } from "../support/axe.ts";
import type { Json } from "../support/expect.ts";
import {
  ask,
  browserTest,
  drop,
  fingerprintOf,
  issue,
  untilArrived,
} from "../support/upload_page.ts";

const PASSPHRASE = "two warm stones";

interface Story {
  readonly server: MortalServer;
  readonly wire: Wire;
  readonly owner: Owner;
  readonly browser: Chromium;
}

const browser = sharedChromium();

async function withStory(test: (story: Story) => Promise<void>) {
  await withDataDir(async (dataDir) => {
    const port = freePort();
    const server = new MortalServer({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_LISTEN: `127.0.0.1:${port}`,
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
    });
    await server.start();
    const wire = new Wire(port);
    try {
      const client = createClient({
        baseUrl: `http://127.0.0.1:${port}`,
        fetch: (input, init) => fetch(input, init),
      });
      const owner = await becomeOwner(client);
      await test({ server, wire, owner, browser });
    } finally {
      wire.close();
      await server.stop();
    }
  });
}

/** A request of the owner's; resolves to its JSON, or undefined without one. */
async function ask(
  { server, owner }: Story,
  method: string,
  path: string,
  json?: Json,
): Promise<Json> {
  const token = owner.account.tokens().access_token;
  const response = await server.send(
    method,
    path,
    json === undefined ? { token } : { token, json },
  );
  const text = await response.text();
  assert(response.ok, text);
  return text === "" ? undefined : JSON.parse(text);
}

/** Issues an upload link; resolves to its id. */
async function issue(story: Story, over: Json = {}): Promise<string> {
  const opaqueId = toHex(randomBytes(16));
  await ask(story, "POST", "/v1/upload-links", {
    opaque_id: opaqueId,
    recipient_key: toBase64(story.owner.identity.sealing.publicKey),
    expires_at: new Date(Date.now() + DAY_MS).toISOString(),
    max_bytes: 64 * MIB,
    max_files: 2,
    ...over,
  });
  return opaqueId;
}

function fingerprintOf({ owner }: Story) {
  return recipientFingerprint(owner.identity.sealing.publicKey);
}

/** Bytes that a test and a page can both make. */
function patterned(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    bytes[i] = state >>> 16;
  }
  return bytes;
}

/** Drops a file of {@link patterned} bytes onto the page. */
async function drop(page: Page, name: string, length: number): Promise<void> {
  await page.getByRole("button", { name: "Choose photos" }).waitFor();
  await page.evaluate(([name, length, type]) => {
    const bytes = new Uint8Array(length);
    let state = 1;
    for (let i = 0; i < length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      bytes[i] = state >>> 16;
    }
    const window = globalThis as Json;
    const dataTransfer = new window.DataTransfer();
    dataTransfer.items.add(new File([bytes], name, { type }));
    const happened = { dataTransfer, bubbles: true, cancelable: true };
    window.document.body.dispatchEvent(
      new window.DragEvent("drop", happened),
    );
  }, [name, length, "video/mp4"] as const);
}

/** Waits until so much of the file on its way has left the browser. */
async function untilSent(page: Page, share: number): Promise<void> {
  const row = page.locator(".guest-file").first();
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const note = await row.innerText();
    const [, percent = "0"] = /(\d+) %/.exec(note) ?? [];
    if (Number(percent) >= 100 * share) return;
    assert(performance.now() < deadline, note);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Waits until the page says that so many files are there. */
async function untilArrived(page: Page, files: number): Promise<void> {
  const said = files === 1
    ? "1 file has arrived"
    : `${files} files have arrived`;
  await page.getByRole("heading", { name: `${said}. You may close` }).waitFor();
}

function browserTest(name: string, test: (story: Story) => Promise<void>) {
  Deno.test({
    name,
    ignore: CHROMIUM === "",
    // The driver keeps its pipes to the browser for a moment.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () => withStory(test),
  });
}

browserTest(
  "a guest's file survives a cut connection, a pause and a kill",
  async (story) => {
    const { browser, wire, server, owner } = story;
    const opaqueId = await issue(story);
    const fingerprint = fingerprintOf(story);
    const link = buildUploadLink({
      origin: wire.origin,
      opaqueId,
      fingerprint,
    });
    await browser.visit(async (visitor) => {
      const { page } = visitor;
      await page.goto(link);
      await page.getByText(/Up to 2 files and 67 MB in all, until /).waitFor();
      // However busy the machine is, no more gets through than is to be sent.
      wire.holdAfter(6 * MIB);
      await drop(page, "a film.mp4", 20 * MIB);
      await untilSent(page, 0.2);
      wire.cut();
      await page.getByText(/Trying again in/).waitFor();
      wire.mend();
      wire.holdAfter(6 * MIB);
      await untilSent(page, 0.4);
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByText("Paused.").waitFor();
      await server.kill();
      wire.holdAfter(Infinity);
      await page.getByRole("button", { name: "Go on" }).click();
      await page.getByText(/Trying again in/).waitFor();
      await server.start();
      await untilArrived(page, 1);
      // What arrived was not sent again.
      const sent = wire.sentBytes / MIB;
      assert(sent > 20 && sent < 33, `${sent} MiB`);
      // The link takes one more, and no third.
      await drop(page, "small.mp4", 3);
      await untilArrived(page, 2);
      await drop(page, "more.mp4", 3);
      await page.getByText("takes no more than 2 files").waitFor();
      // Only the broken connections were complained of.
      const others = visitor.complaints.filter((one) =>
        !/net::ERR_(CONNECTION|EMPTY|SOCKET)/.test(one)
      );
      expectQuiet({ ...visitor, complaints: others }, wire.origin);
    });
    assert(!wire.sent().includes(toBase64Url(fingerprint)));
    assert(!wire.sent().includes("a film.mp4"));

    const listed = await ask(
      story,
      "GET",
      `/v1/upload-links/${opaqueId}/contributions`,
    );
    const found = new Map<string, Uint8Array>();
    for (const { upload_id, sealed_metadata } of listed.contributions) {
      const file = openGuestFile(
        fromBase64(sealed_metadata) ?? new Uint8Array(),
        owner.identity.sealing.secretKey,
        opaqueId,
      );
      assert(file !== undefined);
      assert.equal(file.mime, "video/mp4");
      const response = await server.send(
        "GET",
        `/v1/upload-links/${opaqueId}/contributions/${upload_id}/blob`,
        { token: owner.account.tokens().access_token },
      );
      const blob = new Uint8Array(await response.arrayBuffer());
      const key = { fileKey: file.key, primitives: nativePrimitives };
      found.set(file.name, await decryptBytes(key, blob));
    }
    for (const [name, length] of [["a film.mp4", 20 * MIB], ["small.mp4", 3]]) {
      const bytes = found.get(String(name)) ?? new Uint8Array();
      assert(equalBytes(bytes, patterned(Number(length))), String(name));
    }
  },
);

browserTest(
  "whoever receives a guest's picture knows it by its thumbnail, size and time",
  async (story) => {
    const { browser, wire, owner } = story;
    const opaqueId = await issue(story);
    const link = buildUploadLink({
      origin: wire.origin,
      opaqueId,
      fingerprint: fingerprintOf(story),
    });
    const sample = new URL("../samples/coffee.jpg", import.meta.url);
    const { size, mtime } = await Deno.stat(sample);
    await browser.visit(async (visitor) => {
      const { page } = visitor;
      await page.goto(link);
      await page.getByRole("button", { name: "Choose photos" }).waitFor();
      await page.locator("[data-choose=files]").setInputFiles([
        sample.pathname,
      ]);
      await untilArrived(page, 1);
      await drop(page, "a film.mp4", 3);
      await untilArrived(page, 2);
      expectQuiet(visitor, wire.origin);
    });
    const path = `/v1/upload-links/${opaqueId}/contributions`;
    const { contributions } = await ask(story, "GET", path);
    const files = contributions.map(
      ({ sealed_metadata }: Json) =>
        openGuestFile(
          fromBase64(sealed_metadata) ?? new Uint8Array(),
          owner.identity.sealing.secretKey,
          opaqueId,
        ),
    );
    const [film, picture] = files.toSorted((a: Json, b: Json) =>
      a.name < b.name ? -1 : 1
    );
    assert.deepEqual([film.size, film.thumbnail], [3, undefined]);
    assert.equal(picture.name, "coffee.jpg");
    assert.equal(picture.size, size);
    const at = Date.parse(picture.modified_at);
    assert(Math.abs(at - (mtime?.getTime() ?? 0)) < 1_000);
    assert(picture.thumbnail.length <= 8 * 1024);
    assert.deepEqual([...picture.thumbnail.subarray(0, 3)], [0xff, 0xd8, 0xff]);
  },
);

browserTest(
  "a folder of many files arrives, and what has no true receipt is not called so",
  async (story) => {
    const { browser, wire } = story;
    const opaqueId = await issue(story, { max_files: 201 });
    const link = buildUploadLink({
      origin: wire.origin,
      opaqueId,
      fingerprint: fingerprintOf(story),
    });
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/.hidden`, "of the system");
      for (let n = 0; n < 200; n++) {
        await Deno.writeTextFile(`${folder}/${n}.txt`, `the ${n}th`);
      }
      await browser.visit(async (visitor) => {
        const { page } = visitor;
        await page.goto(link);
        await page.getByRole("button", { name: "A whole folder" }).waitFor();
        await expectAccessible(page);
        await page.locator("[data-choose=folder]").setInputFiles(folder);
        await page.getByText("and 100 more files").waitFor();
        await untilArrived(page, 200);
        await expectAccessible(page);
        expectQuiet(visitor, wire.origin);

        // A server that forges receipts gets no more files.
        await page.route(/\/uploads\/[0-9a-f-]+$/, async (route) => {
          if (route.request().method() !== "PUT") return await route.continue();
          const response = await route.fetch();
          const json = await response.json();
          const bytes = fromBase64(json.receipt.receipt_cbor);
          assert(bytes !== undefined);
          const at = bytes.length - 1;
          bytes[at] = (bytes[at] ?? 0) ^ 1;
          json.receipt.receipt_cbor = toBase64(bytes);
          await route.fulfill({ response, json });
        });
        await drop(page, "forged.mp4", 10);
        await page.getByRole("alert")
          .filter({ hasText: "The server's receipt is not right" }).waitFor();
        await page.getByRole("heading", { name: "Sending 1 file" }).waitFor();
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

browserTest(
  "the page tells what an upload link takes, and what is wrong with it",
  async (story) => {
    const { browser, wire } = story;
    const { origin } = wire;
    const fingerprint = fingerprintOf(story);
    const see = async (address: string, test: (page: Page) => Promise<void>) =>
      await browser.visit(async ({ page, complaints }) => {
        await page.goto(address);
        await test(page);
        // That a link is dead is an answer of 404, which a browser notes.
        assert.deepEqual(complaints.filter((one) => !/404/.test(one)), []);
      });
    const expectAlert = (text: RegExp) => async (page: Page) => {
      await page.getByRole("alert").filter({ hasText: text }).waitFor();
      assert.equal(await page.locator("input[type=file]").count(), 0);
    };
    const opaqueId = await issue(story, { max_bytes: 100, max_files: 1 });
    const link = { origin, opaqueId, fingerprint };

    // Whoever puts another key in the recipient's place is found out.
    await see(
      buildUploadLink({ ...link, fingerprint: randomBytes(32) }),
      expectAlert(/another recipient's key .* Nothing was sent/),
    );
    await see(`${buildUploadLink(link)}A`, expectAlert(/damaged/));
    await see(
      buildUploadLink({ ...link, opaqueId: "0".repeat(32) }),
      expectAlert(/does not exist, or it has ended/),
    );
    // Without its end it does not say whose key is the right one.
    await see(
      buildUploadLink({ origin, opaqueId }),
      expectAlert(/not complete/),
    );
    await see(buildUploadLink(link), async (page) => {
      await drop(page, "big.mp4", 101);
      await page.getByText("Too big: the link has 100 bytes left").waitFor();
      await page.getByRole("button", { name: "Remove big.mp4" }).click();
      await drop(page, "empty.mp4", 0);
      await untilArrived(page, 1);
    });
    await see(buildUploadLink(link), expectAlert(/used up/));
    await ask(story, "DELETE", `/v1/upload-links/${opaqueId}`);
    await see(buildUploadLink(link), expectAlert(/has ended/));

    // A passphrase opens the fingerprint, and a wrong one nothing.
    const box = await wrapFingerprint(PASSPHRASE, fingerprint, randomBytes);
    const locked = await issue(story, { wrapped_secret: toBase64(box) });
    await see(buildUploadLink({ origin, opaqueId: locked }), async (page) => {
      const field = page.getByLabel("Passphrase");
      await field.fill("two cold stones");
      await field.press("Enter");
      await page.getByText("does not fit").waitFor();
      await field.fill(PASSPHRASE);
      await field.press("Enter");
      await drop(page, "a.mp4", 10);
      await untilArrived(page, 1);
    });

    // A link that says whose key it is for needs no word of the server's.
    const sure = { origin, opaqueId: locked, fingerprint };
    await see(buildUploadLink(sure), async (page) => {
      await drop(page, "b.mp4", 10);
      await untilArrived(page, 1);
    });

    // A file that failed leaves its place to the next try.
    const narrow = await issue(story, { max_files: 1 });
    const single = { origin, opaqueId: narrow, fingerprint };
    await browser.visit(async ({ page }) => {
      await page.goto(buildUploadLink(single));
      const uploads = /\/uploads\/[0-9a-f-]+$/;
      await page.route(uploads, async (route) => {
        if (route.request().method() !== "PUT") return await route.continue();
        const code = "error.upload.hash_mismatch";
        await route.fulfill({
          status: 422,
          contentType: "application/problem+json",
          body: JSON.stringify({ type: "about:blank", status: 422, code }),
        });
      });
      await drop(page, "c.mp4", 10);
      await page.getByText("It did not arrive as it was sent").waitFor();
      await page.unroute(uploads);
      await page.getByRole("button", { name: "Try again: c.mp4" }).click();
      await untilArrived(page, 1);
    });

    // A throttle is told as one, and counted down.
    const slow = { origin, opaqueId: await issue(story), fingerprint };
    await browser.visit(async ({ page }) => {
      await page.goto(buildUploadLink(slow));
      let refusals = 1;
      await page.route(/\/uploads$/, async (route) => {
        if (refusals-- <= 0) return await route.continue();
        const code = "error.upload_link.rate_limited";
        await route.fulfill({
          status: 429,
          headers: { "Retry-After": "3" },
          contentType: "application/problem+json",
          body: JSON.stringify({ type: "about:blank", status: 429, code }),
        });
      });
      await drop(page, "d.mp4", 10);
      await page.getByText(/Many requests at once. Going on in \d second/)
        .waitFor();
      await untilArrived(page, 1);
    });

    // Without JavaScript there is a sentence.
    await browser.visit(async ({ page }) => {
      await page.goto(buildUploadLink(link));
      const sentence = page.locator("noscript p");
      await sentence.waitFor();
      assert.match(
        (await sentence.innerText()).replace(/\s+/g, " "),
        /needs JavaScript/,
      );
    }, { javaScriptEnabled: false });
  },
);
