/**
 * The lock of hidden photos: opened with the browser phrase, for a while, and
 * nowhere to be seen while it is closed.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import {
  appStory,
  PASSWORD,
  PHONE,
  setBrowserPhrase,
} from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";
import { plainOf } from "../../src/library/mod.ts";
import { readZip } from "../../src/media/zip.ts";
import { until } from "../support/until.ts";

const PIN = "2580";
const PHRASE = "seven quiet herons";

appStory(
  "an export of everything has hidden photos, or says before that they are locked and left out",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { row: cat } = await library.take(await sample("cat.jpg"));
    await library.take(await sample("coffee.jpg"));
    const { row: gone } = await library.take(await sample("rocket.jpg"));
    await library.trash(gone.id);
    await library.flags.change([cat.id], { hidden: true });
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.evaluate("delete globalThis.showSaveFilePicker");
      const files = async (name: string) => {
        const [saved] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name, exact: true }).click(),
        ]);
        const zip = await Deno.readFile(await saved.path());
        const { entries } = await readZip(plainOf(zip));
        return entries.filter(({ path }) => path.endsWith(".jpg")).length;
      };
      const open = async () => {
        await page.getByRole("heading", { name: "Export everything" })
          .waitFor();
        await page.getByText("1 file in the trash: not in the export")
          .waitFor();
      };
      await page.goto(`${url}/#/settings/export`);
      await open();
      await page.getByText(/^2 files, /).waitFor();
      assert.equal(await files("Export"), 2);
      await page.getByText(/^Done: 2 files, /).waitFor();
      await page.getByRole("region", { name: "Downloading" })
        .getByRole("button", { name: "Close" }).click();

      await setPin(page, url);
      await page.goto(`${url}/#/settings/delete`);
      await page.getByText("Hidden photos are locked").waitFor();
      await page.getByText(/^1 file, /).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "delete_hidden");
      await page.getByRole("main").getByRole("link", {
        name: "Export everything",
      }).last().click();
      await open();
      await page.getByText("Hidden photos are locked, and this export")
        .waitFor();
      await page.getByText(/^1 file, /).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "export_hidden");
      await page.setViewportSize(PHONE.viewport);
      await pictureOf(page, "export_hidden_phone");
      assert.equal(await files("Export without hidden photos"), 1);
      await page.getByText(/^Done: 1 file, /).waitFor();
      await page.getByRole("region", { name: "Downloading" })
        .getByRole("button", { name: "Close" }).click();
      await page.getByLabel("PIN", { exact: true }).fill(PIN);
      await page.keyboard.press("Enter");
      await page.getByText(/^2 files, /).waitFor();
      assert.equal(await files("Export"), 2);
      await page.getByText(/^Done: 2 files, /).waitFor();
    });
  },
);

appStory(
  "hiding says who still sees the photo, and takes it out there if one wants",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { row: cat } = await library.take(await sample("cat.jpg"));
    const { row: cup } = await library.take(await sample("coffee.jpg"));
    await library.flags.change([cat.id, cup.id], { favourite: true });
    const both = { assetIds: [cat.id, cup.id] };
    await library.share({ ...both, title: "For Bob" });
    await library.share({ ...both, title: "Hall", follows: "favourites" });
    await photographer(url, "bob");
    const { id } = await library.albums.create({ title: "Pets" });
    const { userId } = await library.people.find({
      address: "bob@example.org",
    });
    await library.albums.invite(id, userId, "viewer");
    await library.copyInto(cat.id, id);
    await visit(async (visitor) => {
      const { page } = visitor;
      const tiles = page.locator(".grid a");
      const dialog = page.getByRole("dialog");
      const hide = async () => {
        await page.getByRole("button", { name: "More" }).click();
        await page.getByRole("menuitem", { name: "Hide" }).click();
      };
      const choose = async () => {
        await page.goto(`${url}/#/search?q=cat`);
        await until(() => tiles.count(), 1);
        await page.locator(".tile").hover();
        await page.locator(".tile .check").click();
      };
      await openPhotos(page, url, ada);
      await choose();
      await hide();
      await dialog.getByRole("heading", { name: "Hide 1 photo?" }).waitFor();
      assert.deepEqual(await dialog.getByRole("listitem").allTextContents(), [
        "Album “Pets”",
        "Link “For Bob”",
        "Picture frame “Hall”",
      ]);
      await expectAccessible(page);
      await pictureOf(page, "hiding_seen");
      await page.setViewportSize(PHONE.viewport);
      await pictureOf(page, "hiding_seen_phone");
      await page.setViewportSize({ width: 1280, height: 800 });
      await dialog.getByRole("button", { name: "Cancel" }).click();
      assert.equal(await tiles.count(), 1);

      await choose();
      await hide();
      await dialog.getByLabel("Also take it out there").check();
      await dialog.getByRole("button", { name: "Hide", exact: true }).click();
      await page.getByText("1 photo hidden").waitFor();
      await until(() => tiles.count(), 0);
      await library.sync();
      assert.equal(library.flags.of(cat).hidden, true);
      const inAlbum = library.list().filter(({ album }) => album === id);
      assert.deepEqual(inAlbum, []);
      for (const { opaque_id } of await library.shares()) {
        const { items } = await library.shareContents(opaque_id);
        assert.deepEqual(items.map(({ name }) => name), ["coffee.jpg"]);
      }
      expectQuiet(visitor, new URL(url).origin);
    });
  },
);

/** Sets the PIN that locks hidden photos. */
async function setPin(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#/hidden`);
  await page.getByRole("button", { name: "Lock with a PIN" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("PIN", { exact: true }).fill(PIN);
  await dialog.getByLabel("PIN again").fill(PIN);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Hidden photos are locked.").waitFor();
}

appStory(
  "hidden photos open with their PIN only, and are nowhere while they are locked",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const place = { latitude: 45.987, longitude: 9.261 };
    const { row: cat } = await library.take(
      await sample("cat.jpg", { caption: "surprise", place }),
    );
    const { row: cup } = await library.take(await sample("coffee.jpg"));
    const { id } = await library.albums.create({ title: "Gifts" });
    await library.copyInto(cat.id, id);
    await library.copyInto(cup.id, id);
    await library.collections.create("Ideas", [cat.id, cup.id]);
    const { opaqueId } = await library.share({
      assetIds: [cat.id, cup.id],
      places: "kept",
    });
    await library.flags.change([cat.id], { hidden: true });

    await visit(async (visitor) => {
      const { page } = visitor;
      const tiles = page.locator(".grid a");
      const shows = async (path: string, count: number) => {
        await page.goto(`${url}/#/${path}`);
        await until(() => tiles.count(), count);
      };
      await openPhotos(page, url, ada);
      // It is no PIN, and the two differ.
      await shows("hidden", 1);
      const set = page.getByRole("button", { name: "Lock with a PIN" });
      await set.click();
      const setting = page.getByRole("dialog");
      await setting.getByText("Choose one that you use nowhere else.")
        .waitFor();
      // Password managers neither fill in nor keep a PIN.
      assert.equal(await page.locator("input[type=password]").count(), 0);
      await setting.getByLabel("PIN", { exact: true }).fill("12a");
      await setting.getByLabel("PIN again").fill("1234");
      await setting.getByRole("button", { name: "Save" }).click();
      await setting.getByText("The two PINs differ.").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "hidden_pin");
      await page.keyboard.press("Escape");

      await setPin(page, url);
      await page.goto(`${url}/#/photos`);
      await page.goto(`${url}/#/hidden`);
      const pin = page.getByLabel("PIN", { exact: true });
      await pin.and(page.locator(":focus")).waitFor();
      assert.equal(await tiles.count(), 0);
      await expectAccessible(page);
      await pictureOf(page, "hidden_locked");

      // The copy in the album, the collection, searches and the map.
      await shows(`album/${id}`, 1);
      await page.getByText("1 photo", { exact: true }).waitFor();
      await shows("search?q=coffee", 1);
      for (const q of ["surprise", "hidden", cat.id.slice(0, 8)]) {
        await page.goto(`${url}/#/search?q=${q}`);
        await page.getByRole("heading", { name: `Nothing found for “${q}”` })
          .waitFor();
      }
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: /^Ideas.*1 photo$/ }).waitFor();
      await page.getByRole("link", { name: /^Gifts.*1 photo$/ }).waitFor();
      await page.goto(`${url}/#/area/9,45,10,46`);
      await page.getByRole("heading", { name: "No photos from this area" })
        .waitFor();
      await page.goto(`${url}/#/stack/${cat.id}`);
      await page.getByText("There is nothing left of this stack").waitFor();
      // A link that was made before still shows both, and says so; which one
      // is locked away is not told.
      await page.goto(`${url}/#/sharing`);
      await page.getByRole("link", { name: /2 photos/ }).waitFor();
      await until(() => page.locator("a.line .cover").count(), 1);
      await page.goto(`${url}/#/sharing/link/${opaqueId}`);
      await page.getByRole("heading", { name: "What it shows · 2 photos" })
        .waitFor();
      await until(() => page.locator(".pick").count(), 1);
      assert.equal(await page.getByText("cat.jpg").count(), 0);
      await page.getByText(
        "While hidden photos are locked, they are not listed",
      )
        .waitFor();
      await expectAccessible(page);
      // Its address shows the lock, and no photo.
      await page.goto(`${url}/#/hidden/photo/${cat.id}`);
      await pin.waitFor();
      await until(() => page.evaluate("location.hash"), "#/hidden");
      // A wrong PIN opens nothing, the right one does, by the keyboard.
      await page.goto(`${url}/#/hidden`);
      await pin.fill("1234");
      await pin.press("Enter");
      await page.getByText("Wrong PIN.").waitFor();
      assert.equal(await tiles.count(), 0);
      await pin.fill(PIN);
      await pin.press("Enter");
      await until(() => tiles.count(), 1);
      await expectAccessible(page);
      await pictureOf(page, "hidden_open");
      await shows(`album/${id}`, 2);
      await shows("search?q=hidden", 1);
      await page.goto(`${url}/#/sharing/link/${opaqueId}`);
      await page.getByText("cat.jpg").waitFor({ state: "attached" });
      // It would not go into an album that others see.
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: /^Ideas.*2 photos$/ }).click();
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      const invitation = page.getByRole("dialog");
      await invitation.getByText(
        "Your first invitation makes this a shared album.",
      ).waitFor();
      await invitation.getByText("Hidden photos are not copied").waitFor();
      await page.keyboard.press("Escape");

      // Locked again: what is large goes as well.
      await page.goto(`${url}/#/hidden`);
      // Tabs with threads of their own hear of it from each other.
      await page.evaluate(`
        globalThis.others = new BroadcastChannel("strongroom");
        others.onmessage = ({ data }) => globalThis.heard = data.kind;
      `);
      await page.getByRole("button", { name: "Lock", exact: true }).click();
      await pin.waitFor();
      await until(() => page.evaluate("globalThis.heard"), "hidden-closed");
      await pin.fill(PIN);
      await pin.press("Enter");
      await until(() => tiles.count(), 1);
      await page.evaluate(`others.postMessage({ kind: "hidden-closed" })`);
      await pin.waitFor();
      assert.equal(await pin.getAttribute("type"), "text");
      await pin.fill(PIN);
      await pin.press("Enter");
      await until(() => tiles.count(), 1);

      // A slideshow of them shows none any more, once another tab locks them.
      await page.getByRole("button", { name: "Slideshow" }).click();
      const show = page.getByRole("dialog", { name: "Slideshow" });
      await show.getByRole("img").waitFor();
      const other = await page.context().newPage();
      await other.goto(`${url}/#/hidden`);
      await other.getByRole("button", { name: "Lock", exact: true }).click();
      await until(() => show.getByRole("img").count(), 0);
      await show.getByText("Nothing here can be shown").waitFor();
      await other.close();
      await page.keyboard.press("Escape");
      await page.goto(`${url}/#/hidden`);
      await pin.fill(PIN);
      await pin.press("Enter");
      await until(() => tiles.count(), 1);

      // Locking the browser locks them too, and its phrase does not open them.
      await setBrowserPhrase(page, url, PHRASE);
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Lock now" }).click();
      await page.getByRole("button", { name: "Open" }).waitFor();
      await page.getByLabel("Browser phrase").fill(PHRASE);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("navigation", { name: "strongroom" }).waitFor();
      await page.goto(`${url}/#/hidden`);
      await page.getByText("Hidden photos are locked.").waitFor();
      assert.equal(await tiles.count(), 0);

      // Emptying the trash deletes what is seen there.
      for (const { id } of [cat, cup]) await library.trash(id);
      await shows("trash", 1);
      await page.getByRole("button", { name: "Empty the trash" }).click();
      await page.getByRole("dialog")
        .getByRole("button", { name: "Empty the trash" }).click();
      await until(() => tiles.count(), 0);
      await until(async () => {
        await library.sync();
        return library.trashed().map((row) => row.id).join();
      }, cat.id);
      await library.restore(cat.id);
      expectQuiet(visitor, new URL(url).origin);
    });

    await visit(async ({ page }) => {
      // Another device, after the next sign-in, is locked by the same PIN.
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/hidden`);
      await page.getByText("Hidden photos are locked.").waitFor();
      assert.equal(await page.locator(".grid a").count(), 0);
      await expectAccessible(page);
      await pictureOf(page, "hidden_locked_phone_dark");
      const pin = page.getByLabel("PIN", { exact: true });
      const open = page.getByRole("button", { name: "Open" });
      // After five wrong ones even the right one has to wait, also after a
      // reload.
      for (const wrong of ["0000", "1111", "2222", "3333", "4444"]) {
        await pin.fill(wrong);
        await open.click();
        // The field is empty again once it was looked at.
        await until(() => pin.inputValue(), "");
        await page.getByText("Wrong PIN.").waitFor();
      }
      await page.reload();
      await pin.fill(PIN);
      await open.click();
      await page.getByText(
        /^Too many attempts\. Wait (?:60|[1-5]?\d) seconds?\.$/,
      )
        .waitFor();
      assert.equal(await page.locator(".grid a").count(), 0);

      // Who forgot it shows the password.
      await page.getByRole("button", { name: "I forgot it" }).click();
      const dialog = page.getByRole("dialog");
      const password = dialog.getByLabel("Password", { exact: true });
      const remove = dialog.getByRole("button", { name: "Remove the PIN" });
      await password.fill("wrong horse battery staple");
      await remove.click();
      await dialog.getByText("Wrong password.").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "hidden_forgot_phone_dark");
      await password.fill(PASSWORD);
      await remove.click();
      await until(() => page.locator(".grid a").count(), 1);
      await page.getByText("The PIN is removed.").waitFor();
      await setPin(page, url);
      await pin.fill(PIN);
      await open.click();
      await until(() => page.locator(".grid a").count(), 1);
      await expectAccessible(page);
      await pictureOf(page, "hidden_open_phone_dark");
    }, { ...PHONE, colorScheme: "dark" });
  },
);
