/**
 * The upload page in a real browser, over a real server
 * (protocol/links.md#guests).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { randomBytes } from "../../scripts/demo/staging.ts";
import {
  guestBinding,
  openGuestFile,
} from "../../src/client/documents/guest.ts";
import {
  buildUploadLink,
  wrapGate,
} from "../../src/client/documents/upload_link.ts";
import { newShare } from "../../src/client/documents/new_share.ts";
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

browserTest(
  "a guest's picture is recognised by its thumbnail, size and time",
  async (story) => {
    const { browser, wire, owner } = story;
    const opaqueId = await issue(story);
    const gate = randomBytes(32);
    const link = buildUploadLink({
      origin: wire.origin,
      opaqueId,
      fingerprint: await fingerprintOf(story),
      gate,
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
      await drop(page, "a video.mp4", 3);
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
          guestBinding(opaqueId, gate),
        ),
    );
    const [video, picture] = files.toSorted((a: Json, b: Json) =>
      a.name < b.name ? -1 : 1
    );
    assert.deepEqual([video.size, video.thumbnail], [3, undefined]);
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
      fingerprint: await fingerprintOf(story),
      gate: randomBytes(32),
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
          .filter({ hasText: "The server's receipt is not valid" }).waitFor();
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
    const fingerprint = await fingerprintOf(story);
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
    const gate = randomBytes(32);
    const link = { origin, opaqueId, fingerprint, gate };

    // Whoever puts another key in the recipient's place is found out.
    await see(
      buildUploadLink({ ...link, fingerprint: randomBytes(32) }),
      expectAlert(/another recipient than .* Nothing was sent/),
    );
    await see(`${buildUploadLink(link)}A`, expectAlert(/damaged/));
    // The owner would open nothing that is sent without the gate.
    await see(
      buildUploadLink({ origin, opaqueId, fingerprint }),
      expectAlert(/damaged/),
    );
    await see(
      buildUploadLink({ ...link, opaqueId: "0".repeat(32) }),
      expectAlert(/does not exist, or it has ended/),
    );
    // Without its end it does not say whose key is the right one.
    await see(
      buildUploadLink({ origin, opaqueId }),
      expectAlert(/incomplete/),
    );
    // Nor does it open with a piece of the text around it, or cut short.
    for (const mangled of [`${opaqueId}and`, "abc/", ""]) {
      await see(
        `${origin}/u/${mangled}`,
        expectAlert(/is missing from its address/),
      );
    }
    await see(buildUploadLink(link), async (page) => {
      await drop(page, "big.mp4", 101);
      await page.getByText("Too big: this link has room for 100 bytes")
        .waitFor();
      await page.getByRole("button", { name: "Remove big.mp4" }).click();
      await drop(page, "empty.mp4", 0);
      await untilArrived(page, 1);
    });
    await see(buildUploadLink(link), expectAlert(/used up/));
    await ask(story, "DELETE", `/v1/upload-links/${opaqueId}`);
    await see(buildUploadLink(link), expectAlert(/has ended/));

    // A passphrase opens the gate, and a wrong one nothing.
    const locked = newShare(randomBytes).opaqueId;
    const guarded = { opaqueId: locked, gate };
    const box = await wrapGate(PASSPHRASE, guarded, randomBytes);
    await issue(story, { opaque_id: locked, wrapped_secret: toBase64(box) });
    const whole = buildUploadLink({ origin, opaqueId: locked, fingerprint });
    await see(whole, async (page) => {
      const field = page.getByLabel("Passphrase");
      await field.fill("two cold stones");
      await field.press("Enter");
      await page.getByText("Wrong passphrase").waitFor();
      await field.fill(PASSPHRASE);
      await field.press("Enter");
      await drop(page, "a.mp4", 10);
      await untilArrived(page, 1);
    });

    const { contributions } = await ask(
      story,
      "GET",
      `/v1/upload-links/${locked}/contributions`,
    );
    const sealed = fromBase64(contributions[0].sealed_metadata);
    const { secretKey } = story.owner.identity.sealing;
    const opened = (binding: Uint8Array) =>
      openGuestFile(sealed ?? new Uint8Array(), secretKey, binding);
    assert.equal(opened(guestBinding(locked)), undefined);
    assert.equal(opened(guestBinding(locked, gate))?.name, "a.mp4");

    // A file that failed leaves its place to the next try.
    const narrow = await issue(story, { max_files: 1 });
    const single = { ...link, opaqueId: narrow };
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
      await page.getByText("The file was changed on the way").waitFor();
      await page.unroute(uploads);
      await page.getByRole("button", { name: "Try again: c.mp4" }).click();
      await untilArrived(page, 1);
    });

    // A throttle is told as one, and counted down.
    const slow = { ...link, opaqueId: await issue(story) };
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
      await page.getByText(/Too many requests at once. Continuing in \d second/)
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
