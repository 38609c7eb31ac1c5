/**
 * Lists: what is counted in them, the way back from them, and messages that do
 * not lie over what was opened after them.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { nounOf } from "../../src/web/workers/library/photo_lists.ts";
import { expectAccessible } from "../support/axe.ts";
import { appStory, nightStory, PHONE } from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
  sample,
} from "../support/web_people.ts";

/** Runs in the page: the time of messages passes when the test says so. */
const HELD_MESSAGES = `
  const { setTimeout: begin, clearTimeout: stop } = self;
  self.held = new Map();
  self.setTimeout = (act, ms, ...rest) => {
    if (ms !== 6000 && ms !== 30000) return begin(act, ms, ...rest);
    const timer = begin(() => {}, 0);
    held.set(timer, { act, ms });
    return timer;
  };
  self.clearTimeout = (timer) => {
    held.delete(timer);
    stop(timer);
  };
  self.passMessages = (passed = 6000) => {
    for (const [timer, { act, ms }] of [...held]) {
      if (ms !== passed) continue;
      held.delete(timer);
      act();
    }
  };
`;

/** Confirms a deletion: what is in an album as well goes from there too. */
async function deleteEverywhere(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: "Delete" })
    .click();
}

/**
 * Two photos and a video in an album, and more photos where there are to be.
 */
async function withVideo(
  url: string,
  ...more: readonly string[]
): Promise<Photographer & { readonly video: string }> {
  const ada = await photographer(url, "ada");
  const album = await ada.library.albums.create({ title: "Swimming" });
  let video = "";
  for (const name of ["cat.jpg", "coffee.jpg", "rocket.jpg", ...more]) {
    const file = await sample(name, {
      taken_at: "2024-06-12T10:00:00Z",
      ...(name === "rocket.jpg"
        ? { name: "swim.mp4", mime: "video/mp4", duration_ms: 2_000 }
        : {}),
    });
    const { row } = await ada.library.take(file);
    await ada.library.copyInto(row.id, album.id);
    if (name === "rocket.jpg") video = row.id;
  }
  return { ...ada, video };
}

/** Selects the first of a kind, once what was selected before is not. */
async function select(page: Page, kind: RegExp): Promise<void> {
  const bar = page.getByRole("toolbar", { name: "Selected photos" });
  await bar.waitFor({ state: "detached" });
  await page.getByRole("link", { name: kind }).first().focus();
  await page.keyboard.press("x");
  await bar.getByText("1 selected").waitFor();
}

/** Whether what is seen and pressed in the middle of it is it. */
function isOnTop(one: Locator): Promise<boolean> {
  return one.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(
      element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2),
    );
  });
}

Deno.test("what is of one kind is called by it, and what is of several is not called by one of them", () => {
  assert.equal(nounOf(["photo", "live"]), "photo");
  assert.equal(nounOf(["video", "video"]), "video");
  assert.equal(nounOf(["sound", "file"]), "file");
  assert.equal(nounOf(["photo", "photo", "video"]), "item");
  assert.equal(nounOf(["photo", "file"]), "item");
  assert.equal(nounOf([]), "photo");
});

// By day the test above names what is counted; albums_test.ts adds to an album,
// takes out of it and shares it from its head.
nightStory(
  "no video is counted as a photo, and an album is shared with the button in its head",
  async ({ url, visit }) => {
    const ada = await withVideo(url);
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: /Swimming.*3 items/ }).click();
      const head = page.locator(".album-head");
      await head.getByText("3 items", { exact: true }).waitFor();

      // Taking out, and adding.
      await select(page, /^Video, /);
      const bar = page.getByRole("toolbar", { name: "Selected photos" });
      await bar.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Remove from album" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("heading", { name: /^Remove 1 video from/ })
        .waitFor();
      await dialog.getByRole("button", { name: "Remove from album" }).click();
      await page.getByText("1 video removed").waitFor();
      await head.getByText("2 photos", { exact: true }).waitFor();
      await head.getByRole("button", { name: "Add photos" }).click();
      await page.getByRole("menuitem", { name: "From your library" }).click();
      await dialog.getByRole("checkbox", { name: /^Video/ }).click();
      await dialog.getByRole("button", { name: "Add 1 video" }).click();
      await page.getByText("1 video added to “Swimming”").waitFor();
      await head.getByText("3 items", { exact: true }).waitFor();

      // The link, from the head.
      await head.getByRole("button", { name: "Share link" }).click();
      await dialog.getByRole("heading", { name: "Share 3 items with a link" })
        .waitFor();
      await dialog.getByText("can see these 3 items").waitFor();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Create link" }).click();
      const link = await dialog.getByLabel("Link", { exact: true })
        .inputValue();
      await dialog.getByRole("button", { name: "Close" }).first().click();
      await page.goto(`${url}/#/sharing`);
      await page.getByText(/later · 3 items · Not opened yet/).waitFor();
      await visit(async ({ page: stranger }) => {
        await stranger.goto(link);
        await stranger.getByText(/3 items, /).waitFor();
      });

      await page.goto(`${url}/#/safety`);
      await page.getByText(/^All safe: 3 items$/).waitFor();

      // Searching, deleting, and deleting for good.
      await page.goto(`${url}/#/search?q=videos`);
      await page.getByText(/^\d videos? found$/).waitFor();
      await page.goto(`${url}/#/photos`);
      await select(page, /^Video, /);
      await page.keyboard.press("Delete");
      await deleteEverywhere(page);
      await page.getByText("1 video moved to the trash").waitFor();
      await select(page, /^Photo, /);
      await page.keyboard.press("Delete");
      await deleteEverywhere(page);
      await page.getByText("1 photo moved to the trash").waitFor();
      await page.goto(`${url}/#/trash`);
      await page.getByRole("button", { name: "Empty the trash" }).click();
      await dialog.getByRole("heading", {
        name: "Delete all 2 items permanently?",
      }).waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await select(page, /^Video, /);
      await page.keyboard.press("Delete");
      await dialog.getByRole("heading", { name: "Delete 1 video permanently?" })
        .waitFor();
    });
  },
);

appStory(
  "a message lies over no dialog that opened after it, and what it offers is offered when that has closed",
  async ({ url, visit }) => {
    const ada = await withVideo(url);
    await visit(async ({ page }) => {
      await page.addInitScript(HELD_MESSAGES);
      await openPhotos(page, url, ada);
      // Deleting asks once it is known that the photos are in an album as well.
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: /Swimming.*3 items/ }).waitFor();
      await page.goto(`${url}/#/photos`);
      // One's own is shown, once it is known as well, and not the album's copy.
      const own = page.locator(`[data-id="${ada.video}"]`);
      await own.waitFor();
      await select(page, /^Video, /);
      await page.keyboard.press("Delete");
      await deleteEverywhere(page);
      const message = page.getByText("1 video moved to the trash");
      const undo = page.getByRole("button", { name: "Undo" });
      await undo.waitFor();
      assert(await isOnTop(message));

      // It stays where it was said, so that it is not said again.
      await page.evaluate(`new MutationObserver((changes) => {
        if (changes.some(({ addedNodes }) => addedNodes.length > 0)) {
          document.documentElement.dataset.said = "again";
        }
      }).observe(document.querySelector(".toasts"), { childList: true })`);
      await select(page, /^Photo, /);
      await page.getByRole("button", { name: "Share link…" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Create link" }).waitFor();
      assert.equal(await dialog.getByText("moved to the trash").count(), 0);
      assert.equal(await isOnTop(message), false);
      assert.equal(await isOnTop(undo), false);

      // What the dialog says itself is over it, and passes.
      await dialog.getByRole("button", { name: "Create link" }).click();
      const copy = dialog.getByRole("button", { name: /^Cop/ });
      await copy.waitFor();
      const places = () =>
        dialog.locator(".stack .actions > *").evaluateAll((all) =>
          all.map((one) => JSON.stringify(one.getBoundingClientRect()))
        );
      const before = await places();
      await copy.click();
      await dialog.getByRole("button", { name: "Copied", exact: true })
        .waitFor();
      assert.deepEqual(await places(), before, "nothing next to it moves");
      const said = dialog.getByText(/^(Link copied|Press Ctrl)/);
      assert(await isOnTop(said));
      await page.evaluate("passMessages()");
      await said.waitFor({ state: "detached" });

      await dialog.getByRole("button", { name: "Close" }).first().click();
      await undo.waitFor();
      assert(await isOnTop(message));
      assert.equal(
        await page.evaluate("document.documentElement.dataset.said ?? ''"),
        "",
      );
      await undo.click();
      // Meanwhile the album's own copy was shown.
      await own.waitFor();

      // What a dialog said at its end is said where it was opened.
      await page.goto(`${url}/#/photos`);
      await select(page, /^Video, /);
      await page.keyboard.press("Delete");
      await deleteEverywhere(page);
      await undo.waitFor();
      await page.goto(`${url}/#/trash`);
      await page.getByRole("button", { name: "Empty the trash" }).click();
      await dialog.getByRole("button", { name: "Empty the trash" }).click();
      const gone = page.getByText("1 video deleted permanently");
      await gone.waitFor();
      await undo.waitFor({ state: "detached" });
      assert(await isOnTop(gone));
      await page.evaluate("passMessages()");
      await gone.waitFor({ state: "detached" });

      // Below a dialog that stays open, it is over after half a minute.
      await page.goto(`${url}/#/photos`);
      await select(page, /^Photo, /);
      await page.keyboard.press("Delete");
      await deleteEverywhere(page);
      await undo.waitFor();
      await page.keyboard.press("?");
      await dialog.waitFor();
      await page.evaluate("passMessages(30000)");
      await undo.waitFor({ state: "detached" });
    });
  },
);

appStory(
  "on a phone there is a way back from each list, the longest words stay whole, and the trash counts as used room",
  async ({ url, visit }) => {
    const ada = await withVideo(url, "hubble-deep-field.jpg", "julia.png");
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.getByRole("link", { name: /^Video/ }).waitFor();
      const content = page.getByRole("main");
      for (
        const [list, to, place] of [
          ["hidden", "albums", "Albums"],
          ["favourites", "albums", "Albums"],
          ["search?q=videos", "albums", "Albums"],
          ["search?q=cat", "photos", "Photos"],
          ["search?q=nothing+at+all", "photos", "Photos"],
        ] as const
      ) {
        await page.goto(`${url}/#/${list}`);
        await content.getByRole("link", { name: place, exact: true }).tap();
        await page.waitForURL(`${url}/#/${to}`);
      }
      await page.goto(`${url}/#/hidden`);
      await content.getByRole("link", { name: "Albums" }).waitFor();
      await expectAccessible(page);

      // The trash takes room too, and it is said why an export is smaller.
      await page.goto(`${url}/#/settings/storage`);
      const figure = page.locator(".figure");
      await page.getByText("so an export is smaller").waitFor();
      const used = await figure.innerText();
      assert.match(used, /^[1-9].* used$/);
      for (const { id } of ada.library.list()) await ada.library.trash(id);
      await page.goto(`${url}/#/photos`);
      await page.getByRole("heading", { name: "No photos yet" }).waitFor();
      await page.goto(`${url}/#/settings/storage`);
      await page.getByText("Of this, in the trash").waitFor();
      // What the app notes meanwhile may take some more.
      const [before, after] = [used, await figure.innerText()].map((text) =>
        /^([\d.]+) KiB used$/.exec(text)?.[1]
      );
      assert(Number(after) >= Number(before), `${before}, ${after}`);
      await page.goto(`${url}/#/settings/export`);
      await page.getByText("There is nothing to export yet.").waitFor();
      for (const { id } of ada.library.trashed()) await ada.library.restore(id);

      // German, in the narrowest window.
      await page.goto(`${url}/#/albums`);
      await page.evaluate(
        `localStorage.setItem("strongroom.language", "de"); location.reload()`,
      );
      await page.setViewportSize({ width: 320, height: 700 });
      await page.getByText("Ausgeblendet").waitFor();
      const expectWhole = async () => {
        assert.equal(
          await page.evaluate("document.documentElement.scrollWidth"),
          320,
        );
        const lines = await content.locator("h1").evaluate((one) => {
          const words = one.ownerDocument.createRange();
          words.selectNodeContents(one);
          return new Set([...words.getClientRects()].map(({ y }) => y)).size;
        });
        assert.equal(lines, 1);
      };
      await expectWhole();
      await page.getByRole("link", { name: /Swimming.*5 Objekte/ }).tap();
      const share = page.getByRole("button", { name: "Link teilen" });
      await share.waitFor();
      await expectWhole();
      const box = await share.boundingBox();
      assert(box !== null && box.width >= 44 && box.height >= 44);
      assert.equal((await share.innerText()).trim(), "");
      assert(await isOnTop(share));
      await expectAccessible(page);
      await share.tap();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("können diese 5 Objekte sehen").waitFor();
      // As far from the one edge as from the other.
      const covers = await dialog.locator(".share-covers .cover").all();
      assert.equal(covers.length, 5);
      const first = await covers.at(0)?.boundingBox();
      const last = await covers.at(-1)?.boundingBox();
      assert(first && last);
      assert(320 - last.x - last.width > first.x - 1, "they fit");
    }, PHONE);
  },
);
