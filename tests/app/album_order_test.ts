/**
 * The order of albums, and their folders.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { albumPlaceIn } from "../../src/library/albums/album_places.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { appStory, BY_NIGHT, nightStory, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";
import { until } from "../support/until.ts";

// By day src/library/albums/album_order_test.ts.
nightStory(
  "albums are sorted as a person chose on any device, and titles with a slash make folders",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const at = (year: number) => ({ taken_at: `${year}-06-01T10:00:00Z` });
    const { row: cat } = await library.take(await sample("cat.jpg", at(2019)));
    const { row: cup } = await library.take(
      await sample("coffee.jpg", at(2025)),
    );
    const { row: rocket } = await library.take(
      await sample("rocket.jpg", at(2022)),
    );
    const { create } = library.collections;
    await create("Zoo", [cup.id]);
    await create("Ants", [rocket.id, cat.id]);
    await create("Trips / Italy", [rocket.id]);
    await create("Trips / Alps / Winter", [cat.id]);
    const { id: shared } = await library.albums.create({
      title: "Trips / Rome",
    });
    await library.copyInto(cup.id, shared);

    await visit(async (visitor) => {
      const { page } = visitor;
      const names = async (section: string) =>
        (await page.locator(".album-section", {
          has: page.getByRole("heading", { name: section, exact: true }),
        }).locator(".card-title").allInnerTexts()).map((text) => text.trim());
      const sorted = async () => (await names("Only for me")).join(", ");
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      await page.getByRole("heading", { name: "Folders" }).waitFor();
      assert.deepEqual(await names("Folders"), ["Trips"]);
      assert.deepEqual(await names("Only for me"), ["Ants", "Zoo"]);
      await expectAccessible(page);
      const sort = page.getByLabel("Sort by");
      await sort.selectOption("Name");
      await sort.selectOption("Newest photo");
      await until(() => sorted(), "Zoo, Ants");
      await sort.selectOption("Oldest photo");
      await until(() => sorted(), "Ants, Zoo");
      await sort.selectOption("Newest photo");
      await until(() => sorted(), "Zoo, Ants");
      await pictureOf(page, "albums_folders");

      // By the keyboard into the folder, and on.
      const folder = page.getByRole("link", { name: /^Trips/ });
      await page.getByText("3 albums", { exact: true }).waitFor();
      await folder.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Trips", level: 1 }).waitFor();
      assert.deepEqual(await names("Folders"), ["Alps"]);
      assert.deepEqual(await names("Only for me"), ["Italy"]);
      await page.getByRole("link", { name: /^Rome/ }).waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: /^Alps/ }).click();
      await page.getByRole("link", { name: /^Winter/ }).click();
      await page.getByRole("heading", { name: "Trips / Alps / Winter" })
        .waitFor();
      await expectAccessible(page);
      await pictureOf(page, "albums_crumbs");
      const crumbs = page.getByRole("navigation", { name: "Where it is" });
      assert.deepEqual(
        (await crumbs.getByRole("link").allInnerTexts())
          .map((text) => text.trim()),
        ["Albums", "Trips", "Alps"],
      );
      await crumbs.getByRole("link", { name: "Trips" }).click();
      await page.getByRole("heading", { name: "Trips", level: 1 }).waitFor();

      // A favourite is first, although its newest photo is older.
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: /^Ants/ }).click();
      await page.getByRole("heading", { name: "Ants", level: 1 }).waitFor();
      await page.getByRole("button", { name: "More" }).click();
      await pictureOf(page, "albums_favourite_menu");
      await page.getByRole("menuitem", { name: "Add to favourites" }).click();
      await page.goto(`${url}/#/albums`);
      await until(() => sorted(), "Ants, Zoo");
      await page.getByRole("link", { name: /^Favourite Ants/ }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "albums_favourite");

      // A folder ends with its last album.
      await page.goto(`${url}/#/albums/Nowhere`);
      await page.getByRole("heading", { name: "This folder is empty" })
        .waitFor();
      expectQuiet(visitor, new URL(url).origin);
    });

    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      const sort = page.getByLabel("Sort by");
      await until(() => sort.inputValue(), "newest");
      // The mark came along.
      await page.getByRole("link", { name: /^Favourite Ants/ }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "albums_folders_phone_dark");
      await page.getByRole("link", { name: /^Trips/ }).click();
      await page.getByRole("heading", { name: "Trips", level: 1 }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "albums_folder_phone_dark");
    }, { ...PHONE, colorScheme: "dark" });
  },
);

appStory(
  "albums are sorted by hand, with the mouse, with keys and with a menu, and another device shows it",
  async ({ url, operator, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { row: cat } = await library.take(await sample("cat.jpg"));
    const made: { readonly id: string; readonly title: string }[] = [];
    for (const title of ["Delta", "Bravo", "Alpha", "Charlie"]) {
      const { id } = await library.collections.create(title, [cat.id]);
      made.push({ id, title });
    }
    // What another device is told of the order.
    const elsewhere = async () => {
      await library.sync();
      const { settings } = library.state.held;
      const place = ({ id }: { readonly id: string }) =>
        albumPlaceIn(settings, id) ?? 0;
      return made.toSorted((a, b) => place(a) - place(b))
        .map(({ title }) => title.slice(0, 1)).join("");
    };
    const { id: rome } = await library.albums.create({ title: "Rome" });
    await library.copyInto(cat.id, rome);

    await visit(async (visitor) => {
      const { page } = visitor;
      const section = page.locator(".album-section", {
        has: page.getByRole("heading", { name: "Only for me" }),
      });
      const sorted = async () =>
        (await section.locator(".card-title").allInnerTexts())
          .map((text) => text.trim().slice(0, 1)).join("");
      const card = (name: string) =>
        section.getByRole("link", { name: new RegExp(`^${name}`) });
      const focus = page.locator(":focus");
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      const sort = page.getByLabel("Sort by");
      await sort.selectOption("Name");
      await until(() => sorted(), "ABCD");
      assert.equal(
        await page.getByRole("button", { name: /^Move/ }).count(),
        0,
      );

      // It begins with what was there.
      await sort.selectOption("By hand");
      await page.getByText("Drag albums to where you want them").waitFor();
      assert.equal(await sorted(), "ABCD");
      await card("Delta").waitFor();
      await expectAccessible(page);

      // By mouse, to either side of another one, but into no other section.
      const half = async (name: string, part: number) => {
        const box = await card(name).boundingBox();
        assert(box !== null);
        return { x: box.width * part, y: box.height / 3 };
      };
      await card("Delta").dragTo(card("Bravo"), {
        targetPosition: await half("Bravo", 0.1),
      });
      await until(() => sorted(), "ADBC");
      await card("Alpha").dragTo(card("Bravo"), {
        targetPosition: await half("Bravo", 0.9),
      });
      await until(() => sorted(), "DBAC");
      await card("Alpha").dragTo(page.getByRole("link", { name: /^Rome/ }));
      assert.equal(await sorted(), "DBAC");
      assert.equal(await page.locator(".drop-zone").count(), 0);

      // A bar shows where it would go, until the pointer leaves.
      const at = await card("Bravo").boundingBox();
      assert(at !== null);
      await card("Charlie").hover();
      await page.mouse.down();
      await page.mouse.move(at.x + at.width * 0.2, at.y + 60, { steps: 4 });
      await section.locator(".drop-before", { hasText: "Bravo" }).waitFor();
      await pictureOf(page, "albums_by_hand_drag");
      await page.mouse.move(at.x, at.y - 40, { steps: 4 });
      await section.locator(".drop-before").waitFor({ state: "detached" });
      await page.mouse.up();
      await until(() => sorted(), "DBAC");

      // By keys, pressed faster than any server answers; the focus goes along.
      await card("Charlie").focus();
      await page.keyboard.press("Shift+ArrowLeft");
      await page.keyboard.press("Shift+ArrowLeft");
      await until(() => sorted(), "DCBA");
      await card("Charlie").and(focus).waitFor();
      await section.getByText("Charlie: 2 of 4").waitFor();
      await page.keyboard.press("Shift+End");
      await until(() => sorted(), "DBAC");
      await page.keyboard.press("Shift+ArrowRight");
      await page.keyboard.press("Shift+Home");
      await until(() => sorted(), "CDBA");
      await card("Charlie").and(focus).waitFor();

      // By the menu, which does not offer what goes nowhere.
      const menu = section.getByRole("button", { name: "Move “Alpha”" });
      await menu.click();
      assert.deepEqual(await page.getByRole("menuitem").allInnerTexts(), [
        "To the start",
        "One earlier",
      ]);
      await expectAccessible(page);
      await pictureOf(page, "albums_by_hand_menu");
      await page.getByRole("menuitem", { name: "One earlier" }).click();
      await until(() => sorted(), "CDAB");
      await menu.and(focus).waitFor();

      // It is there after a reload, once the server has it.
      await until(() => elsewhere(), "CDAB");
      await page.reload();
      await card("Alpha").waitFor();
      await until(() => sorted(), "CDAB");
      const { settings } = library.state.held;
      assert.equal(settings["album-order"]?.value, "hand");
    });

    // By day tests/clients/library_album_places_test.ts: two devices move
    // albums; src/library/albums/album_places_test.ts: a new one comes
    // first; tests/clients/own_changes_test.ts: a mark that the server refuses
    // is taken back. By night only: moves by touches, and that a refused move is
    // taken back as well.
    if (!BY_NIGHT) return;
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      const titles = async () =>
        (await page.locator(".card-title").allInnerTexts())
          .map((text) => text.trim().slice(0, 1)).join("");
      await until(() => titles(), "RCDAB");
      await page.getByRole("button", { name: "Move “Bravo”" }).click();
      await expectAccessible(page);
      await pictureOf(page, "albums_by_hand_phone_dark");
      await page.getByRole("menuitem", { name: "To the start" }).click();
      await until(() => titles(), "RBCDA");
      // A new one comes first.
      await library.collections.create("Echo", [cat.id]);
      await until(() => titles(), "REBCDA");
      expectQuiet(visitor, new URL(url).origin);
    }, { ...PHONE, colorScheme: "dark" });

    // A move that the server refuses is taken back, and the app says so.
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      const titles = async () =>
        (await page.locator(".card-title").allInnerTexts())
          .map((text) => text.trim().slice(0, 1)).join("");
      await until(() => titles(), "REBCDA");
      await operator("account", "suspend", "ada@example.org");
      await page.getByRole("link", { name: /^Alpha/ }).focus();
      await page.keyboard.press("Shift+Home");
      await page.locator(".toast").waitFor();
      await until(() => titles(), "REBCDA");
      await operator("account", "reinstate", "ada@example.org");
      await page.getByRole("link", { name: /^Alpha/ }).focus();
      await page.keyboard.press("Shift+Home");
      await until(() => titles(), "RAEBCD");
      await until(() => elsewhere(), "ABCD");
    });
  },
);

nightStory(
  "a move that the server does not get waits, outlasts the closed page, and is sent when the app is next opened",
  async ({ url, wire, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { row: cat } = await library.take(await sample("cat.jpg"));
    const ids: string[] = [];
    for (const title of ["Alpha", "Bravo", "Charlie"]) {
      ids.push((await library.collections.create(title, [cat.id])).id);
    }
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      await page.getByLabel("Sort by").selectOption("Name");
      const titles = async (at: Page) =>
        (await at.locator(".card-title").allInnerTexts())
          .map((text) => text.trim().slice(0, 1)).join("");
      await until(() => titles(page), "ABC");
      await page.getByLabel("Sort by").selectOption("By hand");
      const last = page.getByRole("link", { name: /^Charlie/ });
      await page.getByRole("button", { name: "Move “Charlie”" }).waitFor();

      // Nothing else is away, so that the page itself can be had.
      let tries = 0;
      wire.cutWhere((head) => {
        const isWrite = /^PUT \/v1\/state\/library/.test(head);
        if (isWrite) tries += 1;
        return isWrite;
      });
      await last.focus();
      await page.keyboard.press("Shift+Home");
      await until(() => titles(page), "CAB");
      await page.getByText("1 change waits to be sent.").waitFor();
      assert(tries > 0);
      await expectAccessible(page);
      await pictureOf(page, "albums_move_waits");
      const context = page.context();
      const next = await context.newPage();
      await page.close();
      wire.cutWhere(() => false);

      // Not even the albums have to be looked at.
      await next.goto(url);
      const { state } = library;
      await until(async () => {
        await library.sync();
        const place = (id = "") => albumPlaceIn(state.held.settings, id) ?? 0;
        return ids.toSorted((a, b) => place(a) - place(b))
          .map((id) => "ABC"[ids.indexOf(id)]).join("");
      }, "CAB");
      await next.goto(`${url}/#/albums`);
      await until(() => titles(next), "CAB");
      await until(() => next.getByText("waits to be sent").count(), 0);
    });
  },
);
