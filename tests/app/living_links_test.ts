/**
 * The link of an album shows what comes later, unless the person wants
 * otherwise.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
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

/** Runs in the page: the person chose German. */
const GERMAN = "localStorage.setItem('strongroom.language', 'de')";

/** A picture of the screen, for who wants to look at it. */
async function picture(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  if (PICTURES === undefined) return;
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

// By day tests/people/living_links_test.ts and
// tests/clients/library_living_links_test.ts.
nightStory(
  "the link of an album shows a photo that is added later, and one that is deleted no more, until the person lets it stay as it is",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { id: albumId } = await library.albums.create({ title: "Lake" });
    await library.take(await sample("cat.jpg"), { albumId });
    await visit(async (owner) => {
      const { page } = owner;
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/album/${albumId}`);
      await page.getByRole("link", { name: /^Photo, / }).waitFor();
      await page.getByRole("button", { name: "Share link" }).click();
      const dialog = page.getByRole("dialog");
      const later = dialog.getByLabel("Show what comes later, too");
      await later.waitFor();
      assert(await later.isChecked());
      await picture(page, "living-make");
      await dialog.getByRole("button", { name: "Create link" }).click();
      await page.getByText("and those that are added to the album later")
        .waitFor();
      await picture(page, "living-made");
      const link = await page.getByLabel("Link", { exact: true }).inputValue();
      await dialog.getByRole("button", { name: "Close" }).first().click();

      const index = () => library.shares().then(([one]) => one?.metadata_hash);
      /** Waits until the link shows other photos than by that index. */
      const changed = (before: string | undefined) =>
        until(index, (now) => now !== before);
      await visit(async ({ page: stranger }) => {
        const count = (n: number) =>
          stranger.goto("about:blank").then(() => stranger.goto(link))
            .then(() => stranger.locator("main .grid a").first().waitFor())
            .then(() => stranger.locator("main .grid a").count())
            .then((shown) => shown === n);
        assert(await count(1));
        // It says nothing of how it is done.
        const page0 = await stranger.locator("body").innerText();
        assert.doesNotMatch(page0, /crypt|server/i);
        await picture(stranger, "living-link");
        const first = await index();
        await addPhotos(
          page,
          samplePhotos().filter((path) => /coffee/.test(path)),
        );
        await changed(first);
        assert(await count(2));

        await page.goto(`${url}/#/sharing`);
        await page.getByText(/shows what comes later · 2 photos/).waitFor();
        await picture(page, "living-sharing");
        await page.getByRole("link", { name: /Lake.*shows what comes/ })
          .click();
        await page.getByText("It shows what you add to the album later, too")
          .waitFor();
        // What it shows is the album's: nothing is added or removed here.
        await page.getByText(/What it shows · 2 photos/).waitFor();
        const remove = page.getByRole("button", { name: /^Remove from/ });
        assert.equal(await remove.count(), 0);
        await picture(page, "living-page");
        await page.getByRole("button", { name: "Change" }).click();
        await later.uncheck();
        await page.getByText("The link stays as it is now").waitFor();
        await dialog.getByRole("button", { name: "Save" }).click();
        await remove.first().waitFor();
        const before = await index();
        await library.take(await sample("rocket.jpg"), { albumId });
        await page.goto(`${url}/#/album/${albumId}`);
        await until(() => page.locator(".grid a").count(), 3);
        assert.equal(await index(), before);
        await page.goto(`${url}/#/sharing`);
        await page.getByRole("link", { name: /Lake/ }).last().click();
        await page.getByRole("button", { name: "Change" }).click();
        await later.check();
        await dialog.getByRole("button", { name: "Save" }).click();
        await changed(before);
        assert(await count(3));
      });
      expectQuiet(owner, url);
    });
  },
);

nightStory(
  "a link on a phone in the dark and in German says that it shows what comes later, and a passphrase that a keyboard began with a capital letter opens it",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { row } = await library.take(await sample("cat.jpg"));
    const { id } = await library.collections.create("Am See", [row.id]);
    const { url: link } = await library.share({
      assetIds: [row.id],
      title: "Am See",
      follows: `collection/${id}`,
      gives: {},
      passphrase: "lake and boats",
    });
    const phone = { ...PHONE, colorScheme: "dark" } as const;
    const german = { ...phone, locale: "de-DE" };
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.evaluate(GERMAN);
      await page.reload();
      await page.goto(`${url}/#/collection/${id}`);
      await page.getByRole("button", { name: "Link teilen" }).click();
      await page.getByLabel("Auch zeigen, was später dazukommt").waitFor();
      await picture(page, "living-make-de-dark");
    }, phone);
    await visit(async ({ page }) => {
      await page.goto(link);
      await page.getByLabel("Kennwort").fill("Boats and lake");
      await page.getByRole("button", { name: "Öffnen" }).click();
      await page.getByText("Falsches Kennwort").waitFor();
      await page.getByLabel("Kennwort").fill("Lake and boats ");
      await page.getByRole("button", { name: "Öffnen" }).click();
      await page.locator("main .grid a").first().waitFor();
      await picture(page, "living-link-de-dark");
    }, german);
  },
);

appStory(
  "by one link people see an album and add to it, with a name that is typed once; what they add is in the album and by the link once it is accepted",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { row } = await ada.library.take(await sample("cat.jpg"));
    const { id } = await ada.library.collections.create("Lake", [row.id]);
    await visit(async (owner) => {
      const { page } = owner;
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/collection/${id}`);
      await page.getByRole("button", { name: "Share link" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Let people add photos, too").check();
      await picture(page, "both-ways-make");
      await dialog.getByRole("button", { name: "Create link" }).click();
      await page.getByText("The link is ready").waitFor();
      const link = await page.getByLabel("Link", { exact: true }).inputValue();
      await dialog.getByRole("button", { name: "Close" }).first().click();
      await visit(async ({ page: guest }) => {
        await guest.goto(link);
        await guest.locator("main .grid a").first().waitFor();
        await picture(guest, "both-ways-link");
        await guest.getByRole("link", { name: "Add photos" }).click();
        await guest.getByLabel("Your name").fill("Grandma");
        await picture(guest, "both-ways-guest");
        await guest.locator("input[type=file]").first().setInputFiles(
          samplePhotos().filter((path) => /coffee/.test(path)),
        );
        await guest.getByRole("heading", { name: "1 file has arrived" })
          .waitFor();
        await guest.reload();
        assert.equal(
          await guest.getByLabel("Your name").inputValue(),
          "Grandma",
        );

        await page.goto(`${url}/#/sharing/inbox`);
        await page.getByText(/from Grandma/).waitFor();
        const into = page.getByLabel("Accept into");
        await until(
          () => into.locator("option:checked").textContent(),
          "The link’s album",
        );
        await picture(page, "both-ways-inbox");
        await page.getByRole("button", { name: /^Accept all/ }).click();
        await page.getByText("Nothing is waiting").waitFor();
        await page.goto(`${url}/#/collection/${id}`);
        await until(() => page.locator(".grid a").count(), 2);
        const shown = async () => {
          await guest.goto("about:blank");
          await guest.goto(link);
          await guest.locator("main .grid a").first().waitFor();
          return await guest.locator("main .grid a").count();
        };
        await until(shown, 2);
        // Whoever ends the link ends both of its ways.
        await ada.library.sync();
        const [upload] = await ada.library.requests();
        assert.equal(upload?.into, `collection/${id}`);
        const [share] = await ada.library.shares();
        await ada.library.revokeShare(share?.opaque_id ?? "");
        assert.deepEqual(await ada.library.requests(), []);
      });
      expectQuiet(owner, url);
    });
  },
);

// By day tests/people/living_links_test.ts: what others have in an album is
// saved to one's own library; and tests/clients/library_saving_shared_test.ts:
// with its caption and date, and without sending it again.
nightStory(
  "the photos of others in an album are saved to one's own library, with their caption and date, and without sending them again",
  async ({ url, visit }) => {
    const [ada, bob] = [
      await photographer(url, "ada"),
      await photographer(url, "bob"),
    ];
    const { id: albumId } = await ada.library.albums.create({ title: "Lake" });
    await ada.library.take(
      await sample("cat.jpg", {
        taken_at: "2024-06-01T10:00:00Z",
        caption: "Tom on the pier",
      }),
      { albumId },
    );
    const { userId } = await ada.library.people.find({ address: bob.address });
    await ada.library.albums.invite(albumId, userId, "viewer");
    await bob.library.sync();
    await bob.library.albums.accept(albumId);
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, bob);
      await page.goto(`${url}/#/album/${albumId}`);
      await page.getByRole("link", { name: /^Photo, / }).waitFor();
      const sent: string[] = [];
      page.on("request", (request) => {
        if (/\/v1\/upload/.test(request.url())) sent.push(request.url());
      });
      await page.getByRole("main").getByRole("button", { name: "More" })
        .click();
      await page.getByRole("menuitem", { name: "Download" }).waitFor();
      await picture(page, "save-album-menu");
      await page.getByRole("menuitem", { name: "Save all to my library" })
        .click();
      await page.getByText("1 photo added to “Your library”").waitFor();
      assert.deepEqual(sent, []);
      await bob.library.sync();
      const own = bob.library.list().filter(({ owner }) => owner === userId);
      assert.deepEqual(
        own.map(({ metadata }) => [metadata?.caption, metadata?.taken_at]),
        [["Tom on the pier", "2024-06-01T10:00:00Z"]],
      );
      await page.goto(`${url}/#/photos`);
      await until(() => page.locator(".grid a").count(), 1);
      expectQuiet(visitor, url);
    });
  },
);

appStory(
  "who has an account saves the photos of a link from its page, and the page of the link has no key of the account",
  async ({ url, visit }) => {
    const [ada, bob] = [
      await photographer(url, "ada"),
      await photographer(url, "bob"),
    ];
    const { row } = await ada.library.take(
      await sample("cat.jpg", { caption: "Tom on the pier" }),
    );
    const { url: link } = await ada.library.share({ assetIds: [row.id] });
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, bob);
      await page.goto(link);
      await page.locator("main .grid a").first().waitFor();
      await page.getByRole("link", { name: "Do you have an account here?" })
        .click();
      await page.getByRole("heading", { name: "Save a link’s photos" })
        .waitFor();
      await picture(page, "save-link");
      await page.getByRole("button", { name: "Save all to my library" })
        .click();
      await page.getByText("1 file saved").waitFor();
      await page.getByRole("main").getByRole("link", { name: "Photos" })
        .click();
      await until(() => page.locator(".grid a").count(), 1);
      await bob.library.sync();
      assert.deepEqual(
        bob.library.list().map(({ metadata }) => metadata?.caption),
        ["Tom on the pier"],
      );
      expectQuiet(visitor, url);
    });
  },
);
