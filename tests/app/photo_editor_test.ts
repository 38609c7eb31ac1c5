/**
 * Editing a photo: a recipe next to the original, which the app and links show,
 * and which is taken back.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { rgbaToThumbHash } from "thumbhash";
import { editPhoto } from "../../src/library/care/editing_photo.ts";
import { plainOf } from "../../src/library/mod.ts";
import { fromBase64 } from "../../src/core/bytes.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { wholeOf } from "../support/library.ts";
import { editHalf, giveIndex } from "../support/library_sharing.ts";
import { pictureOf } from "../support/pictures.ts";
import { until } from "../support/until.ts";
import { appStory, BY_NIGHT, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer } from "../support/web_people.ts";

/** Runs in a page: a JPEG of 640 × 480 with a colour in each quarter. */
const QUARTERS = `(async () => {
  const canvas = new OffscreenCanvas(640, 480);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const colours = ["#e00000", "#00a000", "#0000e0", "#e0e000"];
  for (const [at, colour] of colours.entries()) {
    context.fillStyle = colour;
    context.fillRect((at % 2) * 320, at > 1 ? 240 : 0, 320, 240);
  }
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 1 });
  let text = "";
  for (const byte of new Uint8Array(await blob.arrayBuffer())) {
    text += String.fromCharCode(byte);
  }
  return btoa(text);
})()`;

const LARGE = ".lightbox-slide[data-offset='0'] img.lightbox-picture";

/** The sides of the large picture, and the colours of its four quarters. */
async function shown(page: Page): Promise<string> {
  const told = await page.evaluate(`(async () => {
    const image = document.querySelector("${LARGE}");
    if (image === null || image.naturalWidth === 0) return "nothing";
    const { naturalWidth: width, naturalHeight: height } = image;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const names = [];
    for (const y of [0.25, 0.75]) {
      for (const x of [0.25, 0.75]) {
        const [r, g, b] = context.getImageData(x * width, y * height, 1, 1).data;
        names.push(r > 150 && g > 150 ? "yellow" : r > 150 ? "red"
          : g > 100 ? "green" : b > 150 ? "blue" : "grey");
      }
    }
    return width + "x" + height + " " + names.join(" ");
  })()`);
  return String(told);
}

appStory(
  "a photo is turned, cut and lit, and taken back, while its original stays; a link shows no more than is left",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      const bytes = fromBase64(String(await page.evaluate(QUARTERS)));
      assert(bytes !== undefined);
      const { row } = await library.take({
        source: plainOf(bytes),
        about: {
          name: "quarters.jpg",
          mime: "image/jpeg",
          taken_at: "2024-06-12T10:00:00Z",
          width: 640,
          height: 480,
        },
      });
      const { id: albumId } = await library.albums.create({ title: "Shared" });
      await library.copyInto(row.id, albumId);
      const now = async () => {
        await library.sync();
        return library.index.get(row.id)?.metadata;
      };
      const editor = page.getByRole("dialog", { name: "Edit photo" });
      const open = async () => {
        await page.getByRole("button", { name: "Edit photo" }).click();
        await editor.locator("canvas").waitFor();
        await editor.getByRole("button", { name: "Turn right" }).waitFor();
      };
      const save = async () => {
        await editor.getByRole("button", { name: "Save" }).click();
        await editor.waitFor({ state: "detached" });
      };

      await page.locator(".grid a").first().click();
      await until(() => shown(page), "640x480 red green blue yellow");
      await open();
      await expectAccessible(page);
      await pictureOf(page, "editor");
      // Automatic light is what the sliders show, and is taken back.
      const auto = editor.getByRole("button", { name: "Auto" });
      await auto.click();
      const brightness = editor.getByLabel("Brightness");
      await until(async () => await brightness.inputValue() !== "0", true);
      await pictureOf(page, "editor_auto");
      await auto.click();
      await until(() => brightness.inputValue(), "0");
      await editor.getByRole("button", { name: "Turn right" }).click();
      await editor.getByLabel("Brightness").focus();
      await page.keyboard.press("ArrowRight");
      // Leaving asks first, because something was changed.
      await page.keyboard.press("Escape");
      await page.getByText("Discard your changes?").waitFor();
      await page.keyboard.press("Escape");
      await pictureOf(page, "editor_turned");
      await save();
      await until(() => shown(page), "480x640 blue red yellow green");
      assert.deepEqual((await now())?.edit, { turns: 1, brightness: 1 });
      assert.equal((await now())?.width, 480);

      // Cut by the keys of a corner: the right half goes.
      await open();
      const corner = editor.getByRole("button", { name: "Lower right corner" });
      await corner.focus();
      for (let n = 0; n < 50; n++) await page.keyboard.press("ArrowLeft");
      await expectAccessible(page);
      await pictureOf(page, "editor_cut");
      await save();
      await until(() => shown(page), "240x640 blue blue yellow yellow");
      const said = await now();
      assert.equal(Math.round((said?.edit?.crop?.width ?? 0) * 100), 50);
      // The copy in the album is edited as well, the file is what it was.
      const copies = library.list().map(({ metadata }) => metadata?.edit);
      assert.deepEqual(copies, [said?.edit, said?.edit]);
      assert.deepEqual(await wholeOf(library.read(row.id)), bytes);

      // Whoever has a link gets what is left, and not the original.
      const made = await library.share({ assetIds: [row.id] });
      const { items } = await library.shareContents(made.opaqueId);
      const kinds = said?.derivatives.map(({ hash, kind }) => [hash, kind]);
      const of = new Map(kinds as [string, string][]).get(items[0]?.hash ?? "");
      assert.equal(of, "preview");

      // Of another link a newer program wrote an item.
      const garden = await library.share({
        assetIds: [row.id],
        title: "Garden",
      });
      await giveIndex(library, garden, {
        ...{ v: 1, n: 1, title: "Garden" },
        items: [{ shown: [items[0]?.hash] }],
      });
      // The page has got that once it has what came later.
      await library.amend(row.id, { about: { caption: "Came later" } });
      await page.getByText("Came later").first().waitFor();

      // Square, mirrored, and back to what was taken.
      await open();
      await editor.getByRole("button", { name: "Mirror" }).click();
      await editor.getByLabel("Proportions").selectOption("1:1");
      await save();
      // It stays until it is put away, over the large photo, too.
      const notice = page.getByText(/^Others may still see .*Link “Garden”$/);
      await notice.waitFor();
      await expectAccessible(page);
      await pictureOf(page, "editor_still_shown");
      await until(() => shown(page), "240x240 blue blue yellow yellow");
      await page.getByRole("button", { name: "Do not show this again" })
        .click();
      await notice.waitFor({ state: "detached" });
      await open();
      await editor.getByRole("button", { name: "Back to the original" })
        .click();
      await save();
      await until(() => shown(page), "640x480 red green blue yellow");
      assert.equal((await now())?.edit, undefined);
      assert.equal((await now())?.width, 640);
      expectQuiet(visitor, new URL(url).origin);
    });

    // By day src/media/pictures/photo_edit_test.ts moves corners anywhere.
    if (!BY_NIGHT) return;
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      const [{ id = "" } = {}] = library.list()
        .filter(({ album }) => album === library.vault.libraryAlbumId);
      await page.goto(`${url}/#/photos/photo/${id}`);
      await page.locator(LARGE).waitFor();
      await page.getByRole("button", { name: "Edit", exact: true }).tap();
      const editor = page.getByRole("dialog", { name: "Edit photo" });
      await editor.locator("canvas").waitFor();
      const frame = editor.locator(".crop-frame");
      await frame.waitFor();
      // Drawn by a corner.
      const box = await frame.boundingBox();
      assert(box !== null);
      await page.mouse.move(box.x + 1, box.y + 1);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.up();
      await until(
        async () => (await frame.boundingBox())?.width ?? 0,
        (width) => Math.abs(width / box.width - 0.5) < 0.05,
      );
      await expectAccessible(page);
      await pictureOf(page, "editor_phone_dark");
      await editor.getByRole("button", { name: "Save" }).tap();
      await editor.waitFor({ state: "detached" });
      await until(() => shown(page), "320x240 yellow yellow yellow yellow");
    }, { ...PHONE, colorScheme: "dark" });
  },
);

/** Runs in a page: a JPEG in one colour, as base64. */
const plain = (colour: string) =>
  `(async () => {
  const canvas = new OffscreenCanvas(64, 48);
  const context = canvas.getContext("2d");
  context.fillStyle = "${colour}";
  context.fillRect(0, 0, 64, 48);
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 1 });
  return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
})()`;

/** Runs in a page: the colour of the only tile. */
const TILE = `(() => {
  const image = document.querySelector(".grid a img");
  if (image === null || !image.complete || image.naturalWidth === 0) return "";
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.drawImage(image, 0, 0, 1, 1);
  const [red, , blue] = context.getImageData(0, 0, 1, 1).data;
  return red > 150 ? "red" : blue > 150 ? "blue" : "";
})()`;

appStory(
  "a tile shows the new picture after a photo was edited on another device, and links that an unfinished edit does not reach are named until that was read",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    await visit(async ({ page }) => {
      await page.goto(url);
      const colours = await Promise.all(
        ["#e00000", "#0000e0"].map(async (colour) => {
          const bytes = fromBase64(String(await page.evaluate(plain(colour))));
          assert(bytes !== undefined);
          return {
            kind: "thumbnail" as const,
            mime: "image/jpeg",
            width: 64,
            height: 48,
            bytes,
          };
        }),
      );
      const [red, blue] = colours;
      assert(red !== undefined && blue !== undefined);
      const sides = { width: 640, height: 480 };
      const { row: { id } } = await library.take({
        source: plainOf(red.bytes),
        about: {
          name: "plain.jpg",
          mime: "image/jpeg",
          taken_at: "2024-06-12T10:00:00Z",
          thumbhash: hashOf(1, 0, 0),
          ...sides,
        },
        derivatives: [red],
      });
      await editHalf(library, id, "The lake");
      await openPhotos(page, url, ada);
      await until(() => page.evaluate(TILE), "red");
      const notice = page.getByText(/^Others may still see .*Link “The lake”$/);
      await notice.waitFor();
      await page.reload();
      await notice.waitFor();
      await page.getByRole("button", { name: "Do not show this again" })
        .click();
      await notice.waitFor({ state: "detached" });
      await page.reload();
      await until(() => page.evaluate(TILE), "red");

      await editPhoto(library, id, { brightness: 1 }, {
        ...sides,
        thumbhash: hashOf(0, 0, 1),
        smaller: [blue],
      });
      await until(() => page.evaluate(TILE), "blue");
      assert.equal(await notice.count(), 0);
    });
  },
);

/** The thumbhash of a picture in one colour. */
function hashOf(...colour: readonly number[]): Uint8Array<ArrayBuffer> {
  const pixel = [...colour.map((part) => part * 255), 255];
  const pixels = Array.from({ length: 12 }, () => pixel).flat();
  return new Uint8Array(rgbaToThumbHash(4, 3, pixels));
}
