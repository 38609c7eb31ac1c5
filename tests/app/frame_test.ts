/**
 * A picture frame: set up with a link, brought up to date by the owner's app,
 * offline for a while, and ended.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { withInterceptor } from "../support/intercepting_server.ts";
import { until } from "../support/until.ts";
import {
  addPhotos,
  appStory,
  nightStory,
  PHONE,
  samplePhotos,
} from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";

const PICTURES = Deno.env.get("TEST_PICTURES");

/** A picture of the screen, for who wants to look at it. */
async function picture(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  if (PICTURES === undefined) return;
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

/** Runs in the page: the browser says that it is online again. */
const ONLINE = "dispatchEvent(new Event('online'))";

/**
 * Has the frame look at its link until that is so. One look that is under way
 * already may not see what changed a moment ago.
 */
const looksUntil = (frame: Page, isSo: () => Promise<boolean>) =>
  until(async () => {
    await frame.evaluate(ONLINE);
    return await isSo();
  }, true);

const shows = (page: Page, name: string | RegExp) =>
  page.getByRole("img", { name, exact: true }).waitFor();

appStory(
  "a frame shows an album with a key for that album alone, new photos too, starts again by itself without a network, and says that it was ended",
  async ({ url, wire, visit }) => {
    const ada = await photographer(url, "ada");
    const { row: cat } = await ada.library.take(
      await sample("cat.jpg", { taken_at: "2024-06-01T10:00:00Z" }),
    );
    const { row: coffee } = await ada.library.take(
      await sample("coffee.jpg", { taken_at: "2024-06-02T10:00:00Z" }),
    );
    const { row: rocket } = await ada.library.take(
      await sample("rocket.jpg", { taken_at: "2024-06-03T10:00:00Z" }),
    );
    const kitchen = await ada.library.collections.create("Best", [
      cat.id,
      coffee.id,
    ]);
    await visit(async (owner) => {
      const { page } = owner;
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: /Best/ }).click();
      await page.getByRole("main").getByRole("button", { name: "More" })
        .click();
      await page.getByRole("menuitem", { name: "Picture frame…" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name of the frame").fill("Frame in the hall");
      await picture(page, "frame-make");
      await dialog.getByRole("button", { name: "Create frame" }).click();
      await page.getByRole("heading", { name: "The frame is ready" }).waitFor();
      await page.getByRole("img", { name: "QR code of the link" }).waitFor();
      const again = page.getByRole("button", { name: "Show as QR code" });
      assert.equal(await again.count(), 0);
      await picture(page, "frame-made");
      const link = await page.getByLabel("Link", { exact: true }).inputValue();
      assert.match(link, /\/#\/frame\/[0-9a-f]{32}\.[\w-]{43}$/);
      await dialog.getByRole("button", { name: "Close" }).click();

      await visit(async (tablet) => {
        const { page: frame } = tablet;
        await frame.goto(`${url}/#/frame`);
        await frame.getByRole("heading", { name: "Picture frame" }).waitFor();
        await picture(frame, "frame-new");
        const field = frame.getByLabel("Link of the frame");
        await field.fill(`${url}/#/join/ABCDE-FGHJK.secret`);
        const show = frame.getByRole("button", { name: "Show photos" });
        await show.click();
        await frame.getByText("This is not the link of a frame").waitFor();
        await field.fill(link);
        await show.click();
        await shows(frame, /^(cat|coffee)\.jpg$/);
        // It fills the screen: no strip is left for a scrollbar.
        const screen = await frame.locator(".frame-screen").boundingBox();
        assert.equal(screen?.width, frame.viewportSize()?.width);
        // The key is not in the address.
        assert.equal(new URL(frame.url()).hash, "#/frame");
        await picture(frame, "frame-on");
        await frame.getByRole("button", { name: "Settings of the frame" })
          .click();
        await frame.getByText("2 photos").waitFor();
        await frame.getByLabel("Order").selectOption("By date");
        await frame.getByLabel("Dim at night").check();
        await picture(frame, "frame-settings");
        await frame.getByRole("button", { name: "Close" }).click();
        await shows(frame, "cat.jpg");
        await frame.keyboard.press("ArrowRight");
        await shows(frame, "coffee.jpg");

        // The other device of the owner puts a photo into the album, and the
        // app that is open brings the frame up to date.
        await ada.library.collections.add(kitchen.id, [rocket.id]);
        await page.goto(`${url}/#/sharing`);
        await page.getByText("Frame in the hall").waitFor();
        await page.getByText(/Picture frame · 3 photos/).waitFor();
        await picture(page, "frame-sharing");
        await looksUntil(
          frame,
          () =>
            frame.getByRole("img", { name: "rocket.jpg", exact: true })
              .isVisible(),
        );
        // A photo that is hidden leaves the frame, and not the album.
        await ada.library.flags.change([coffee.id], { hidden: true });
        // The other device confirms by itself what is hidden.
        const still = page.getByText("stands still");
        await until(async () => {
          await ada.library.sync();
          return await still.count();
        }, 0);
        await page.getByText(/Picture frame · 2 photos/).waitFor();
        await looksUntil(
          frame,
          async () => await frame.evaluate(KEPT) === 2,
        );

        // What it has it shows without a network, after a restart as well.
        await frame.keyboard.press("ArrowRight");
        await frame.waitForFunction("navigator.serviceWorker.controller");
        await frame.reload();
        await shows(frame, "cat.jpg");
        wire.cut();
        await frame.reload();
        await shows(frame, "cat.jpg");
        await frame.keyboard.press("ArrowRight");
        await shows(frame, "rocket.jpg");
        wire.mend();

        // At night it is dark, as it was set.
        await frame.clock.setFixedTime(new Date("2026-06-01T23:30:00"));
        await frame.reload();
        await frame.locator("[data-night]").waitFor();
        await frame.clock.setFixedTime(new Date("2026-06-01T12:00:00"));
        await frame.reload();
        await shows(frame, "cat.jpg");
        assert.equal(await frame.locator("[data-night]").count(), 0);

        await page.getByText("Frame in the hall").click();
        await page.getByText("Follows its album by itself").waitFor();
        await page.getByRole("button", { name: "End the link" }).click();
        await page.getByRole("dialog").getByRole("button", {
          name: "End the link",
        }).click();
        await page.getByText("The link has ended").waitFor();
        await looksUntil(
          frame,
          () =>
            frame.getByRole("heading", { name: "This frame has ended" })
              .isVisible(),
        );
        await picture(frame, "frame-ended");
        assert.equal(await frame.getByRole("img").count(), 0);
        // None of its photos is left here.
        await until(() => frame.evaluate(KEPT), 0);
        await frame.getByRole("button", { name: "Set up again" }).click();
        await field.waitFor();
      }, { serviceWorkers: "allow" });
      expectQuiet(owner, url);
    });
  },
);

/** Runs in the page: how many photos the frame keeps. */
const KEPT = `new Promise((resolve) => {
  const asked = indexedDB.open("strongroom-frame");
  asked.onsuccess = () => {
    const pictures = asked.result.transaction("pictures").objectStore("pictures");
    const count = pictures.count();
    count.onsuccess = () => resolve(count.result);
  };
})`;

nightStory(
  "a frame is set up by opening its link on a phone in the dark, and ended there",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { row } = await ada.library.take(await sample("cat.jpg"));
    const { url: link } = await ada.library.share({
      assetIds: [row.id],
      title: "Hall",
      follows: "favourites",
    });
    const [, id = "", secret = ""] = /\/s\/([0-9a-f]+)#(.+)$/.exec(link) ?? [];
    await visit(async (tablet) => {
      const { page } = tablet;
      await page.goto(`${url}/#/frame/${id}.${secret}`);
      await shows(page, "cat.jpg");
      await until(() => page.evaluate("location.hash"), "#/frame");
      await page.touchscreen.tap(100, 100);
      await page.getByRole("button", { name: "Settings of the frame" }).click();
      await picture(page, "frame-settings-phone");
      await page.getByRole("button", { name: "End this frame" }).click();
      await page.getByText("stays until someone ends it").waitFor();
      await page.getByRole("button", { name: "End the frame now" }).click();
      await page.getByLabel("Link of the frame").waitFor();
      await picture(page, "frame-new-phone");
      expectQuiet(tablet, url);
    }, { ...PHONE, colorScheme: "dark" });
  },
);

appStory(
  "a frame that is set up asks before another takes its place, and stays if the person says so",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const linkOf = async (name: "cat" | "coffee") => {
      const { row } = await ada.library.take(await sample(`${name}.jpg`));
      const { url: link } = await ada.library.share({
        assetIds: [row.id],
        title: name,
        follows: "favourites",
      });
      const [, id, secret] = /\/s\/([0-9a-f]+)#(.+)$/.exec(link) ?? [];
      return `${url}/#/frame/${id}.${secret}`;
    };
    const [first, second] = [await linkOf("cat"), await linkOf("coffee")];
    await visit(async (tablet) => {
      const { page } = tablet;
      await page.goto(first);
      await shows(page, "cat.jpg");
      const open = async (link: string) => {
        await page.goto("about:blank");
        await page.goto(link);
      };
      await open(second);
      await page.getByText("is already a picture frame").waitFor();
      await picture(page, "frame-other");
      // The key stays in no address, and a start without an answer changes nothing.
      await until(() => page.evaluate("location.hash"), "#/frame");
      await open(`${url}/#/frame`);
      await shows(page, "cat.jpg");
      await open(second);
      await page.getByRole("button", { name: "Keep the present frame" })
        .click();
      await shows(page, "cat.jpg");
      // The same link again is no other frame.
      await open(first);
      await shows(page, "cat.jpg");
      await open(second);
      await page.getByRole("button", { name: "Show the new frame" }).click();
      await shows(page, "coffee.jpg");
      await open(`${url}/#/frame`);
      await shows(page, "coffee.jpg");
      expectQuiet(tablet, url);
    });
  },
);

// By day tests/clients/library_given_links_test.ts: a link that follows a list
// has what is in it.
nightStory(
  "a frame of an album with people gets what is added in the app, and forgets what is deleted",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { id: albumId } = await ada.library.albums.create({ title: "Hall" });
    await ada.library.take(await sample("cat.jpg"), { albumId });
    await visit(async (owner) => {
      const { page } = owner;
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/album/${albumId}`);
      await page.getByRole("link", { name: /^Photo, / }).waitFor();
      await page.getByRole("main").getByRole("button", { name: "More" })
        .click();
      await page.getByRole("menuitem", { name: "Picture frame…" }).click();
      await page.getByRole("button", { name: "Create frame" }).click();
      const link = await page.getByLabel("Link", { exact: true }).inputValue();
      await page.getByRole("dialog").getByRole("button", { name: "Close" })
        .click();
      await visit(async (tablet) => {
        const { page: frame } = tablet;
        await frame.goto(link);
        await shows(frame, "cat.jpg");
        const coffee = samplePhotos().filter((path) => /coffee/.test(path));
        const index = () =>
          ada.library.shares().then(([one]) => one?.metadata_hash);
        const before = await index();
        await addPhotos(page, coffee);
        await until(async () => await index() !== before, true);
        await frame.evaluate(ONLINE);
        await shows(frame, "coffee.jpg");
        // A person takes both out: the frame shows nothing, and says so.
        await page.locator(".grid a").nth(1).waitFor();
        await page.keyboard.press("Control+a");
        await page.getByText("2 selected").first().waitFor();
        const full = await index();
        await page.getByRole("toolbar", { name: "Selected photos" })
          .getByRole("button", { name: "Delete" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Delete" })
          .click();
        await until(async () => await index() !== full, true);
        await frame.evaluate(ONLINE);
        await frame.getByText("There are no photos in this album yet")
          .waitFor();
        assert.equal(await frame.evaluate(KEPT), 0);
      });
      expectQuiet(owner, url);
    });
  },
);

appStory(
  "a browser to which the server gives yesterday's library puts no hidden photo into a frame, and says what is wrong",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { row: cat } = await library.take(await sample("cat.jpg"));
    const { row: coffee } = await library.take(await sample("coffee.jpg"));
    for (const { id } of [cat, coffee]) {
      await library.flags.change([id], { favourite: true });
    }
    const { opaqueId } = await library.share({
      assetIds: [cat.id, coffee.id],
      title: "Hall",
      follows: "favourites",
    });
    const { bytes } = await library.vault.session.account.slot("library");
    await library.flags.change([coffee.id], { hidden: true });
    await library.keepShareAt(opaqueId, [cat.id]);
    await library.sync();
    const index = () => library.shares().then(([one]) => one?.metadata_hash);
    const before = await index();
    let lies = true;
    await withInterceptor(
      url,
      () => Promise.resolve(),
      (liar) =>
        visit(async ({ page }) => {
          await openPhotos(page, liar, ada);
          const all = page.locator(".grid a");
          // Both are there, also the hidden one.
          await until(() => all.count(), 2);
          await library.sync();
          await page.goto(`${liar}/#/settings/devices`);
          await page.getByText(
            "Picture frames get nothing new from this device",
          ).waitFor();
          await picture(page, "frame-older-library");
          // Whoever shows the second of them has looked at the frames since.
          await page.goto(`${liar}/#/photos`);
          for (
            const [name, count] of [["rocket", 3], [
              "hubble-deep-field",
              4,
            ]] as const
          ) {
            await library.take(await sample(`${name}.jpg`));
            await until(() => all.count(), count);
          }
          assert.equal(await index(), before);
          await page.goto(`${liar}/#/sharing`);
          await page.getByText(/Picture frame · stands still · 1 photo /)
            .waitFor();
          await page.getByText(
            "Picture frames get nothing new from this device",
          ).waitFor();
          await picture(page, "frame-stands-still");
          await page.getByText("Hall").click();
          await page.getByText(
            "Picture frames get nothing new from this device",
          ).waitFor();
          lies = false;
          await library.flags.change([cat.id], { favourite: true });
          const doubt = page.getByText("Picture frames get nothing new");
          await until(async () => {
            await library.sync();
            return await doubt.count();
          }, 0);
          await page.goto(`${liar}/#/photos`);
          await until(() => all.count(), 3);
          assert.equal(await index(), before);
        }),
      (path, answer) =>
        Promise.resolve(
          lies && path === "/v1/state/library" && answer.status === 200
            ? new Response(bytes, {
              headers: { ETag: answer.headers.get("ETag") ?? "" },
            })
            : answer,
        ),
    );
  },
);

nightStory(
  "a frame is made of the favourites where they are",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { row } = await ada.library.take(
      await sample("cat.jpg", { taken_at: "2024-06-01T10:00:00Z" }),
    );
    await ada.library.take(
      await sample("coffee.jpg", { taken_at: "2024-06-02T10:00:00Z" }),
    );
    await ada.library.flags.change([row.id], { favourite: true });
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/favourites`);
      await page.getByRole("button", { name: "Picture frame…" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("shows your favourites").waitFor();
      await picture(page, "frame-of-favourites");
      await dialog.getByRole("button", { name: "Create frame" }).click();
      await dialog.getByText(`You can also open ${url}/#/frame there`)
        .waitFor();
      const link = await page.getByLabel("Link", { exact: true }).inputValue();
      await visit(async ({ page: frame }) => {
        await frame.goto(link);
        await shows(frame, "cat.jpg");
      });
      await dialog.getByRole("button", { name: "Close" }).click();
      await page.goto(`${url}/#/sharing`);
      await page.getByText(/Picture frame · 1 photo /).waitFor();
    }, PHONE);
  },
);

appStory(
  "a browser opened with words asks where it shares a list of an account that hides photos, and shares once the person agrees",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { row: cat } = await library.take(await sample("cat.jpg"));
    const { row: coffee } = await library.take(await sample("coffee.jpg"));
    await library.flags.change([cat.id], { favourite: true });
    await library.flags.change([coffee.id], { hidden: true });
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/favourites`);
      await page.getByRole("button", { name: "Picture frame…" }).click();
      const create = page.getByRole("button", { name: "Create frame" });
      await create.click();
      const asked = page.getByRole("dialog", { name: "Share this list now?" });
      await asked.getByRole("button", { name: "Cancel" }).click();
      assert.equal((await library.shares()).length, 0);
      await create.click();
      await asked.waitFor();
      await picture(page, "frame-ask");
      await asked.getByRole("button", { name: "Share anyway" }).click();
      await page.getByRole("heading", { name: "The frame is ready" }).waitFor();
      assert.equal((await library.shares()).length, 1);
    });
  },
);
