/**
 * Links: made of a selection, opened by strangers, changed and ended; and
 * requests, by which strangers send files that are looked at first.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { derivedFileKey } from "../../src/client/documents/file_key.ts";
import {
  encodeShareIndex,
  parseShareLink,
} from "../../src/client/documents/share.ts";
import { memoryStore, openGuestBox, plainOf } from "../../src/library/mod.ts";
import { storeEncoded } from "../../src/library/sharing/link_index.ts";
import { openCustody } from "../../src/library/trust/custody.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { withInterceptor } from "../support/intercepting_server.ts";
import { platformOn } from "../support/library.ts";
import { openPhotos, photographer } from "../support/web_people.ts";
import {
  addPhotos,
  appStory,
  closeAdded,
  nightStory,
  samplePhotos,
  selectPhotos,
  signUp,
} from "../support/web_app.ts";
import { until } from "../support/until.ts";

/** A photo of the samples with what another says of itself, its place too. */
async function withPlaceOf(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const media = new URL("../support/media/", import.meta.url);
  const camera = await Deno.readFile(new URL(name, media));
  const shown = await Deno.readFile(
    samplePhotos().find((path) => path.endsWith("rocket.jpg")) ?? "",
  );
  const view = new DataView(camera.buffer);
  let at = 2;
  while (view.getUint16(at) !== 0xff_e1) at += 2 + view.getUint16(at + 2);
  const exif = camera.subarray(at, at + 2 + view.getUint16(at + 2));
  return new Uint8Array([
    ...shown.subarray(0, 2),
    ...exif,
    ...shown.subarray(2),
  ]);
}

/** Whether the middle of an element is seen, and nothing is over it. */
function isUncovered(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    const at = one.ownerDocument.elementFromPoint(
      x + width / 4,
      y + height / 2,
    );
    return one.contains(at);
  });
}

/** The link that a dialog or a page shows. */
function shownLink(page: Page): Promise<string> {
  return page.getByLabel("Link", { exact: true }).inputValue();
}

appStory(
  "a link shows chosen photos to a stranger, changes while they have it, and opens nothing once it ended",
  async ({ url, visit }) => {
    await visit(async (visitor) => {
      const { page, context } = visitor;
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      // The system's own dialog for sending, where no test can press anything.
      await page.addInitScript(
        "navigator.share = async (what) => { self.sent = what; }",
      );
      await signUp(page, url, "ada@example.org");
      // There is nothing to choose from yet, and that is said.
      await page.goto(`${url}/#/sharing`);
      await page.getByText("First add the photos").waitFor();
      await page.getByRole("main").getByRole("link", { name: "Add photos" })
        .click();
      await page.getByRole("heading", { name: "No photos yet" }).waitFor();
      await addPhotos(page, samplePhotos().slice(0, 3));
      await closeAdded(page);
      await selectPhotos(page, 2);
      await page.getByRole("button", { name: "Share link…" }).click();
      await page.getByRole("heading", { name: "Share 2 photos" }).waitFor();
      // One button is enough; what else there is does not ask for anything.
      await page.getByText("can see these 2 photos").waitFor();
      await page.getByText("It works for a month.").waitFor();
      assert.equal(await page.getByLabel("Message").isVisible(), false);
      await page.getByText("More options (optional)").click();
      await page.getByText("None of them contains a location")
        .waitFor();
      await page.getByLabel("Title").fill("The walk");
      await page.getByLabel("Message").fill("As promised");
      await page.getByLabel("From", { exact: true }).fill("Ada");
      await page.getByLabel("Ask for a passphrase").check();
      // It can be typed at once, and what is wrong with it lies under nothing.
      await page.getByLabel("Passphrase", { exact: true })
        .and(page.locator(":focus")).waitFor();
      await page.keyboard.type("short");
      assert.equal(
        await page.getByLabel("Passphrase", { exact: true }).inputValue(),
        "short",
      );
      await page.keyboard.press("Enter");
      await page.getByText("At least 8 characters.").waitFor();
      await until(() => isUncovered(page, ".fault"), true);
      await page.keyboard.type(" no more");
      assert.equal(
        await page.getByLabel("Passphrase", { exact: true }).inputValue(),
        "short no more",
      );
      await page.getByLabel("Passphrase", { exact: true }).waitFor();
      await expectAccessible(page);
      await page.getByLabel("Ask for a passphrase").uncheck();
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByRole("heading", { name: "The link is ready" }).waitFor();
      await page.getByRole("button", { name: "Show as QR code" }).click();
      await page.getByRole("img", { name: "QR code of the link" }).waitFor();
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.getByRole("dialog").getByText("Link copied").waitFor();
      await page.getByRole("button", { name: "Copied", exact: true }).waitFor();
      await page.getByRole("button", { name: "Send link…" }).click();
      const link = await shownLink(page);
      const copied = "navigator.clipboard.readText()";
      assert.equal(await page.evaluate(copied), link);
      assert.deepEqual(await page.evaluate("self.sent"), { url: link });
      await expectAccessible(page);

      // What was done with the photos is done.
      await page.getByRole("dialog").getByRole("button", { name: "Close" })
        .first().click();
      await until(() => page.locator(".tile.selected").count(), 0);

      await visit(async ({ page: stranger }) => {
        await stranger.goto(link);
        await stranger.getByRole("heading", { name: "The walk" }).waitFor();
        await stranger.locator("main img").nth(1).waitFor();
        await stranger.getByRole("button", { name: "Slideshow" }).click();
        const slides = stranger.getByRole("dialog", { name: "Slideshow" });
        await slides.getByRole("img").waitFor();
        await stranger.keyboard.press("Escape");
        await slides.waitFor({ state: "detached" });

        await page.goto(`${url}/#/sharing`);
        await page.getByText("Opened at least once").waitFor();
        await expectAccessible(page);
        await page.getByRole("link", { name: /The walk/ }).click();
        assert.equal(await shownLink(page), link);
        await page.getByRole("button", { name: "Change" }).click();
        await page.getByLabel("Title").fill("Our walk");
        await page.getByLabel("Ends").selectOption("after a week");
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByRole("heading", { name: "Our walk" }).waitFor();
        await page.getByRole("button", { name: "Add photos", exact: true })
          .last().click();
        await page.getByRole("dialog").getByRole("checkbox", { name: /^Photo/ })
          .nth(2).click();
        await page.getByRole("button", { name: "Add 1 photo" }).click();
        await page.getByText(/What it shows · 3 photos/).waitFor();
        await page.getByRole("button", { name: /^Remove from the link/ })
          .first().click();
        await page.getByText(/What it shows · 2 photos/).waitFor();
        await expectAccessible(page);
        assert.equal(await shownLink(page), link);
        await stranger.reload();
        await stranger.getByRole("heading", { name: "Our walk" }).waitFor();

        await page.getByRole("button", { name: "End the link" }).click();
        await page.getByText("It stops working for everyone").waitFor();
        await page.getByRole("button", { name: "End the link" }).last().click();
        await page.getByText("The link has ended").waitFor();
        await page.getByText("No links yet").waitFor();
        await stranger.reload();
        await stranger.getByText(/has ended|does not exist|not there/).first()
          .waitFor();
      });
      expectQuiet(visitor, new URL(url).origin);
    });
  },
);

// By day tests/clients/library_given_links_test.ts: a link gives a smaller copy
// of such a photo. What the screens say of it is shown by night only.
nightStory(
  "a small photo that tells where it was taken is shown by a link without that",
  async ({ url, dataDir, visit }) => {
    const placed = `${dataDir}/placed.jpg`;
    await Deno.writeFile(placed, await withPlaceOf("camera.jpg"));
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await addPhotos(page, [placed]);
      await closeAdded(page);
      await selectPhotos(page, 1);
      await page.getByRole("button", { name: "Share link…" }).click();
      await page.getByText("can see this photo").waitFor();
      // The warning is visible, with the choice next to it.
      const get = page.getByRole("dialog")
        .getByRole("group", { name: "People get" });
      const leaveOut = get.getByLabel("Photos without locations");
      assert(await leaveOut.isChecked());
      const said = page.getByText("The link shows a smaller copy without it");
      await said.waitFor();
      await get.getByLabel("Originals, with locations").check();
      await page.getByText("The link gives the original file").waitFor();
      await leaveOut.check();
      await said.waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Create link" }).click();
      const link = await shownLink(page);
      await visit(async ({ page: stranger }) => {
        await stranger.goto(link);
        await stranger.locator("main img").first().waitFor();
        await stranger.getByText("This is a smaller copy without its location")
          .waitFor();
        const download = stranger.waitForEvent("download");
        await stranger.getByRole("button", { name: "Download all" }).click();
        const bytes = await Deno.readFile(await (await download).path());
        assert(bytes.length > 5_000);
        const text = new TextDecoder("latin1").decode(bytes);
        assert(!text.includes("X-T5"), "the original is given away");
      });
    });
  },
);

appStory(
  "what a guest leaves waits to be looked at, and is accepted or refused, also on plain http",
  async ({ lanUrl, visit }) => {
    const [first = "", second = "", third = ""] = samplePhotos();
    await visit(async ({ page }) => {
      await signUp(page, lanUrl, "ada@example.org");
      await page.goto(`${lanUrl}/#/sharing/requests`);
      await page.getByText("Let others send you photos").waitFor();
      await page.getByRole("button", { name: "Ask for photos" }).click();
      const note = "Photos of Saturday, for Ada";
      await page.getByLabel("What you are asking for").fill(note);
      await page.getByText("More options (optional)").click();
      await page.getByLabel("Maximum files").fill("some");
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByText("Type a number of 1 or more.").waitFor();
      await page.getByLabel("Maximum files").fill("5");
      await expectAccessible(page);
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByText("Your link is ready").waitFor();
      const link = await shownLink(page);
      // No clipboard here: the field's own is what there is.
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.getByText(/Link copied|to copy it/).waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Close" })
        .first().click();

      await visit(async ({ page: guest }) => {
        await guest.goto(link);
        await guest.getByText(note).waitFor();
        await guest.locator("input[type=file]").first()
          .setInputFiles([first, second, third]);
        await page.getByRole("link", { name: /Sharing.*3/ }).waitFor();
      });

      // The number in the navigation leads to what it counts.
      await page.getByRole("link", { name: /Sharing.*3/ }).click();
      await page.getByRole("heading", { name: note }).waitFor();
      await page.locator(".guest").nth(2).waitFor();
      assert.equal(await page.locator(".guest").count(), 3);
      await expectAccessible(page);
      const check = page.getByRole("checkbox");
      await check.first().click();
      await check.nth(2).click({ modifiers: ["Shift"] });
      await page.getByRole("button", { name: "Accept (3)" }).waitFor();
      for (const at of [0, 1, 2]) await check.nth(at).click();
      await page.getByRole("button", { name: "Accept all 3" }).waitFor();
      const name = first.split("/").at(-1) ?? "";
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("dialog").getByRole("img").waitFor();
      await page.getByText(`Sent for “${note}”`).waitFor();
      // It has an address: Back closes it, and nothing else.
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      await page.getByRole("heading", { name: note }).waitFor();
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("dialog").getByRole("img").waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Refuse", exact: true }).click();
      await page.getByText("The files are deleted").waitFor();
      await page.getByRole("button", { name: "Refuse", exact: true }).last()
        .click();
      await page.getByText("1 file refused").waitFor();
      // It can be neither chosen nor accepted any more.
      await until(() => page.locator(".guest").count(), 2);
      await page.getByRole("button", { name: "Accept all 2" }).click();
      await page.getByText("2 files accepted").waitFor();
      await page.getByText("Nothing is waiting").waitFor();
      await page.getByRole("link", { name: "Photos", exact: true }).click();
      await page.locator(".tile img").nth(1).waitFor();
      assert.equal(await page.locator(".tile").count(), 2);

      await page.goto(`${lanUrl}/#/sharing/requests`);
      await page.getByRole("link", { name: new RegExp(note) }).click();
      assert.equal(await shownLink(page), link);
      await page.getByRole("button", { name: "End this link" }).click();
      await page.getByText("No one can send you anything through it").waitFor();
      await page.getByRole("button", { name: "End this link" }).last()
        .click();
      await page.getByText("The link has ended").waitFor();
    });
  },
);

nightStory(
  "what another device accepts meanwhile comes once, and nothing complains",
  async ({ url: server, visit }) => {
    const ada = await photographer(server, "ada");
    const { url: link } = await ada.library.request({
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      maxBytes: 100_000_000,
      maxFiles: 20,
    });
    const box = await openGuestBox(
      platformOn({ fetch: (to, init) => fetch(to, init), now: Date.now }, "b"),
      link,
    );
    const [first = "", second = "", third = ""] = samplePhotos();
    for (const path of [first, second, third]) {
      const about = { name: path.split("/").at(-1) ?? "", mime: "image/jpeg" };
      await box.send({ source: plainOf(await Deno.readFile(path)), about });
    }
    const took: string[] = [];
    // The newest is the first that the page takes: here, another one does.
    const newest = (await ada.library.inbox()).at(-1);
    assert.ok(newest !== undefined);
    const { opaqueId, uploadId } = newest;
    await withInterceptor(server, async (method, path) => {
      if (method !== "POST" || path !== "/v1/upload") return;
      if (took.push(uploadId) > 1) return;
      await ada.library.accept(opaqueId, uploadId);
    }, (url) =>
      visit(async ({ page }) => {
        await openPhotos(page, url, ada);
        await page.goto(`${url}/#/sharing/inbox`);
        await page.getByRole("button", { name: "Accept all 3" }).click();
        await page.getByText("2 files accepted").waitFor();
        await page.getByText("Nothing is waiting").waitFor();
        await page.goto(`${url}/#/photos`);
        await page.locator(".tile img").nth(2).waitFor();
        assert.equal(await page.locator(".tile").count(), 3);
      }));
    await ada.library.sync();
    assert.equal(ada.library.list().length, 3);
  },
);

appStory(
  "a link that is opened before a new device has read its state can be shown and changed once it has",
  async ({ url, visit, wire }) => {
    const ada = await photographer(url, "ada");
    const photo = await Deno.readFile(samplePhotos()[0] ?? "");
    const { row } = await ada.library.take({
      source: plainOf(photo),
      about: { name: "rocket.jpg", mime: "image/jpeg" },
    });
    const { opaqueId } = await ada.library.share({
      assetIds: [row.id],
      title: "The rocket",
    });
    await visit(async ({ page }) => {
      wire.holdWhere((head) => head.startsWith("GET /v1/state/library"));
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/sharing/link/${opaqueId}`);
      await page.getByText("This link was made elsewhere").waitFor();
      wire.holdWhere(() => false);
      await page.getByRole("heading", { name: "The rocket" }).waitFor();
      await page.getByRole("button", { name: "Change", exact: true }).click();
      await page.getByRole("dialog", { name: "Change" }).waitFor();
    });
  },
);

appStory(
  "a browser and a frame that saw a link's newest index take no older one from the server",
  async ({ url, visit }) => {
    const { library } = await photographer(url, "ada");
    const takes = async (name: string) => {
      const source = plainOf(
        await Deno.readFile(
          samplePhotos().find((path) => path.endsWith(name)) ?? "",
        ),
      );
      const about = { name, mime: "image/jpeg" };
      return (await library.take({ source, about })).row;
    };
    const row = await takes("rocket.jpg");
    const { url: link, opaqueId } = await library.share({
      assetIds: [row.id],
      title: "Yesterday",
    });
    const { secret } = parseShareLink(link) ?? {};
    assert(secret !== undefined);
    const [, fragment = ""] = link.split("#");
    const frameLink = `${url}/#/frame/${opaqueId}.${fragment}`;
    const original = row.blobs.find(({ role }) => role === "original");
    const { chunk_size, metadata } = row;
    const [own] = await library.albums.keysOf(undefined);
    assert(own !== undefined && metadata !== undefined && original);
    const key = derivedFileKey(own.amk, row.id);
    const { name, mime, size } = metadata;
    const { hash: shown } = original;
    const items = [{ name, mime, size, hash: shown, key, chunk_size }];
    await library.changeShare(opaqueId, { title: "Today" });
    await visit(async ({ page: viewer }) => {
      await visit(async ({ page: frame }) => {
        await viewer.goto(link);
        await viewer.getByRole("heading", { name: "Today" }).waitFor();
        await frame.goto(frameLink);
        await frame.getByRole("img", { name: "rocket.jpg" }).waitFor();

        // What the server had before: the number of its index is lower.
        const { vault, index } = library;
        const { hash } = await storeEncoded(
          { vault, custody: openCustody(vault, memoryStore()), index },
          encodeShareIndex({ v: 1, n: 0, title: "Yesterday", items }),
          "share-index.json",
          { opaqueId, secret: new Uint8Array(secret) },
        );
        const serves = [hash, shown];
        await vault.session.account.changeShare(opaqueId, {
          metadataHash: hash,
          serves,
        });

        await viewer.reload();
        await viewer.getByText("The server shows an older version of this link")
          .waitFor();
        assert.equal(await viewer.getByText("Yesterday").count(), 0);
        await frame.reload();
        await frame.getByRole("img", { name: "rocket.jpg" }).waitFor();
        await frame.getByRole("button", { name: "Settings of the frame" })
          .click();
        await frame.getByText("server not reached").waitFor();
        assert.equal(await frame.getByText("Yesterday").count(), 0);
      });
    });
  },
);
