/**
 * The upload page in a real browser goes on after cut connections, kills and
 * reloads (protocol/links.md#guests).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  guestBinding,
  openGuestFile,
} from "../../src/client/documents/guest.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import { decryptBytes } from "../../src/client/stream/stream.ts";
import { buildUploadLink } from "../../src/client/documents/upload_link.ts";
import { randomBytes } from "../../scripts/demo/staging.ts";
import { equalBytes, fromBase64, toBase64Url } from "../../src/core/bytes.ts";
import { expectQuiet } from "../support/browser.ts";
import { until } from "../support/until.ts";
import {
  ask,
  browserTest,
  drop,
  fingerprintOf,
  issue,
  MIB,
  patterned,
  untilArrived,
} from "../support/upload_page.ts";

const PATIENCE_MS = 60_000;

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

browserTest(
  "a guest's file survives a cut connection, a pause and a kill",
  async (story) => {
    const { browser, wire, server, owner } = story;
    const opaqueId = await issue(story);
    const fingerprint = await fingerprintOf(story);
    const gate = randomBytes(32);
    const link = buildUploadLink({
      origin: wire.origin,
      opaqueId,
      fingerprint,
      gate,
    });
    await browser.visit(async (visitor) => {
      const { page } = visitor;
      await page.goto(link);
      await page.getByText(/Up to 2 files and 64\sMiB in total, until /)
        .waitFor();
      // However busy the machine is, no more gets through than is to be sent.
      wire.holdAfter(6 * MIB);
      await drop(page, "a video.mp4", 20 * MIB);
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
      await page.getByRole("button", { name: "Resume" }).click();
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
      await page.getByText("takes at most 2 files").waitFor();
      // Only the broken connections were complained of.
      const others = visitor.complaints.filter((one) =>
        !/net::ERR_(CONNECTION|EMPTY|SOCKET)/.test(one)
      );
      expectQuiet({ ...visitor, complaints: others }, wire.origin);
    });
    assert(!wire.sent().includes(toBase64Url(fingerprint)));
    assert(!wire.sent().includes("a video.mp4"));

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
        guestBinding(opaqueId, gate),
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
    for (
      const [name, length] of [["a video.mp4", 20 * MIB], ["small.mp4", 3]]
    ) {
      const bytes = found.get(String(name)) ?? new Uint8Array();
      assert(equalBytes(bytes, patterned(Number(length))), String(name));
    }
  },
);

browserTest(
  "after a reload a guest's files go on once they are chosen again",
  async (story) => {
    const { browser, wire } = story;
    const note = "The wedding, please\u202e: all that you have";
    // Room for one video and no second.
    const opaqueId = await issue(story, { max_bytes: 25 * MIB });
    const link = buildUploadLink({
      origin: wire.origin,
      opaqueId,
      fingerprint: await fingerprintOf(story),
      gate: randomBytes(32),
      note,
    });
    await browser.visit(async (visitor) => {
      const { page } = visitor;
      // A slash at the end is some chat program's, and is taken off.
      await page.goto(link.replace("#", "/#"));
      await page.getByText("The wedding, please: all that you have").waitFor();
      wire.holdAfter(10 * MIB);
      await drop(page, "a video.mp4", 20 * MIB);
      await untilSent(page, 0.4);
      // Leaving asks.
      const asked = page.waitForEvent("dialog");
      const reloading = page.reload();
      const dialog = await asked;
      assert.equal(dialog.type(), "beforeunload");
      wire.holdAfter(Infinity);
      await dialog.accept();
      await reloading;
      await page.getByText("1 file did not finish last time").waitFor();
      const before = wire.sentBytes;
      await drop(page, "a video.mp4", 20 * MIB);
      await untilArrived(page, 1);
      const sent = (wire.sentBytes - before) / MIB;
      assert(sent < 17, `${sent} MiB`);
      // The same once more is not sent, nor in another visit.
      await drop(page, "the same.mp4", 20 * MIB);
      await page.getByText("already sent").waitFor();
      // One that is taken off the list leaves its room to another.
      const opened = () =>
        wire.sent().match(/POST \/u\/\w+\/uploads /g)?.length;
      const sessions = opened() ?? 0;
      wire.holdAfter(MIB);
      await drop(page, "long.mp4", 4 * MIB);
      await until(() => Promise.resolve(opened()), sessions + 1);
      wire.holdWhere((head) => head.startsWith("DELETE "));
      await page.getByRole("button", { name: "Cancel long.mp4" }).click();
      wire.holdAfter(Infinity);
      await drop(page, "other.mp4", 4 * MIB - 1);
      // Also where that takes its time.
      await page.waitForTimeout(1_000);
      wire.holdWhere(() => false);
      await untilArrived(page, 2);
    });
    const path = `/v1/upload-links/${opaqueId}/contributions`;
    const { contributions } = await ask(story, "GET", path);
    assert.equal(contributions.length, 2);
  },
);
