/**
 * Photos that come from a person's telephone by themselves.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { openGuestBox, plainOf } from "../../src/library/mod.ts";
import { DAY_MS, toRfc3339 } from "../../src/core/time.ts";
import { databasePath } from "../../src/store/data_paths.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { platformOn } from "../support/library.ts";
import { sampleBytes } from "../support/samples.ts";
import { until } from "../support/until.ts";
import {
  addPhotos,
  appStory,
  nightStory,
  PHONE,
  samplePhotos,
  signUp,
} from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
} from "../support/web_people.ts";

const photosIn = (page: Page) => page.getByRole("link", { name: /^Photo, / });

/** A person's upload link, and sending by it. */
async function linkOf({ library }: Photographer, mine: boolean) {
  const { url } = await library.request({
    expiresAt: toRfc3339(Date.now() + DAY_MS),
    maxBytes: 100_000_000,
    maxFiles: 100,
    note: mine ? "My phone" : "The party",
    mine,
  });
  return await senderTo(url);
}

/** Sends by an upload link, as a telephone does through `receive`. */
async function senderTo(url: string) {
  const platform = platformOn(
    { fetch: (input, init) => fetch(input, init), now: () => Date.now() },
    "telephone",
  );
  const box = await openGuestBox(platform, url);
  return async (bytes: Uint8Array<ArrayBuffer>, name: string) => {
    const mime = name.endsWith(".HEIC") ? "image/heic" : "image/jpeg";
    await box.send({ source: plainOf(bytes), about: { name, mime } });
  };
}

// By day tests/clients/library_mine_test.ts: what a marked link brings is
// accepted, and a stranger's waits; the story below shows that it came. By night
// only: this browser makes the small pictures, of HEIC too.
nightStory(
  "what came from one's own telephone is in the library without asking, and what a stranger sent waits",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const [phone, stranger] = [
      await linkOf(ada, true),
      await linkOf(ada, false),
    ];
    const rocket = await sampleBytes("rocket.jpg");
    await phone(rocket, "rocket.jpg");
    await stranger(await sampleBytes("coffee.jpg"), "coffee.jpg");
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      // It waited before the app was opened.
      await page.getByText("New from your phone: 1 photo").waitFor();
      await until(() => photosIn(page).count(), 1);
      // It has its small picture, made by this browser.
      await page.locator(".tile img").first().waitFor();
      // The navigation counts the stranger's alone.
      await page.getByText("1 file waiting").waitFor();

      // Another comes while it is open; what is here already comes to nothing.
      await phone(rocket, "again.jpg");
      await phone(await sampleBytes("cat.jpg"), "cat.jpg");
      // As an iPhone takes them; this browser has no decoder of its own for it.
      await phone(
        await Deno.readFile(
          new URL("../support/media/camera.heic", import.meta.url),
        ),
        "IMG_1.HEIC",
      );
      await until(() => photosIn(page).count(), 3);
      await page.goto(`${url}/#/sharing/inbox`);
      await page.getByRole("heading", { name: "The party" }).waitFor();
      await until(
        () => page.getByRole("heading", { name: "My phone" }).count(),
        0,
      );
      expectQuiet(visitor, url);
    });
    await ada.library.sync();
    const rows = ada.library.list();
    assert.deepEqual(
      rows.map(({ metadata }) => metadata?.name).toSorted(),
      ["IMG_1.HEIC", "cat.jpg", "rocket.jpg"],
    );
    for (const { metadata } of rows) {
      assert(metadata?.thumbhash !== undefined);
      assert(metadata.derivatives.some(({ kind }) => kind === "thumbnail"));
      assert((metadata.width ?? 0) > 0);
    }
    await until(async () => (await ada.library.inbox()).length, 1);
  },
);

appStory(
  "a page says what comes from a phone by itself, makes the link for it, tells what came and when nothing does, and the app is offered once",
  async ({ url, dataDir, visit }) => {
    await visit(async (visitor) => {
      const { page } = visitor;
      await signUp(page, url, "ada@example.org");
      // What the browser offers, where it does.
      const offer = `dispatchEvent(Object.assign(
        new Event("beforeinstallprompt", { cancelable: true }),
        { prompt() { self.asked = (self.asked ?? 0) + 1; } },
      ))`;
      assert.equal(await page.evaluate(offer), false);
      await page.getByRole("link", { name: "Get photos from your phone" })
        .tap();
      await page.getByRole("heading", { name: "Your phone", exact: true })
        .waitFor();
      await page.getByText("Browsers do not let a website look").waitFor();
      await page.setViewportSize({ width: 1_000, height: 800 });
      await expectAccessible(page);
      await page.setViewportSize({ width: 320, height: 800 });
      await page.getByText("iPhone and iPad", { exact: true }).tap();
      await page.getByText("On the home screen:").waitFor();
      await page.getByRole("button", { name: "Make the link" }).tap();
      const link = page.getByLabel("Link", { exact: true });
      await link.waitFor();
      const phone = await senderTo(await link.inputValue());
      // The commands are for whoever runs the computer, and none is cut off.
      const command = page.getByText(`--to '${await link.inputValue()}'`);
      assert.equal(await command.isVisible(), false);
      await page.getByText("For the person who runs that computer").tap();
      await command.waitFor();
      const cut = `[...document.querySelectorAll("pre")]
        .filter((one) => one.scrollWidth > one.clientWidth).length`;
      assert.equal(await page.evaluate(cut), 0);
      await page.getByText("has not added anything").waitFor();
      await page.getByRole("button", { name: "Show as QR code" }).tap();
      await page.getByRole("img", { name: "QR code of the link" }).waitFor();
      const wide = await page.evaluate(
        "document.documentElement.scrollWidth > innerWidth",
      );
      assert.equal(wide, false);

      await phone(await sampleBytes("cat.jpg"), "cat.jpg");
      await page.getByText("This browser last added something").waitFor();
      await page.getByText("1 file sent in all").waitFor();
      await page.getByText("Nothing is waiting.").waitFor();
      await page.getByText(/1 file sent in all, the last on /).waitFor();
      const silent = page.getByText(/^My phone has not sent anything since/);
      assert.equal(await silent.count(), 0);
      // As if the file had come more than a week ago.
      const sqlite = openSqlite(databasePath(`${dataDir}/data`));
      sqlite.prepare(
        "update upload_link set last_received_at = last_received_at - ?",
      ).run(8 * DAY_MS);
      sqlite.close();
      await page.goto(`${url}/#/photos`);
      await page.goto(`${url}/#/settings/phone`);
      await silent.waitFor();
      await phone(await sampleBytes("coffee.jpg"), "coffee.jpg");
      await until(() => silent.count(), 0);
      await page.getByRole("link", { name: "My phone" }).tap();
      await page.getByText("Your own link: files are added without asking")
        .waitFor();
      await page.goto(`${url}/#/photos`);
      await until(() => photosIn(page).count(), 2);

      // After photos were added, and never again.
      await addPhotos(page, samplePhotos().slice(0, 1));
      const asked = page.getByText("Install strongroom as an app?");
      await asked.waitFor();
      await page.getByRole("button", { name: "Install strongroom" }).tap();
      assert.equal(await page.evaluate("self.asked"), 1);
      await page.evaluate(offer);
      await addPhotos(page, samplePhotos().slice(1, 2));
      await page.getByRole("button", { name: "Safety", exact: true }).last()
        .waitFor();
      assert.equal(await asked.count(), 0);
      expectQuiet(visitor, url);
    }, PHONE);
  },
);

appStory(
  "a folder of this device is chosen once, and a press adds what is new in it",
  async ({ url, visit }) => {
    await visit(async (visitor) => {
      const { page } = visitor;
      // The browser's own folder, since no test can use the dialog.
      await page.addInitScript(`
        self.camera = async () => (await navigator.storage.getDirectory())
          .getDirectoryHandle("Camera", { create: true });
        self.showDirectoryPicker = () => self.camera();
        // All are old: what is moved into a folder keeps its time.
        const { getFile } = FileSystemFileHandle.prototype;
        FileSystemFileHandle.prototype.getFile = async function () {
          const file = await getFile.call(this);
          const { name, type } = file;
          return new File([file], name, { type, lastModified: 1.5e12 });
        };
      `);
      await signUp(page, url, "ada@example.org");
      const put = async (name: string, as = name) => {
        const bytes = (await sampleBytes(name)).toBase64();
        await page.evaluate(`(async () => {
          const folder = await self.camera();
          const file = await folder.getFileHandle(
            ${JSON.stringify(as)},
            { create: true },
          );
          const writing = await file.createWritable();
          await writing.write(Uint8Array.fromBase64("${bytes}"));
          await writing.close();
        })()`);
      };
      await put("rocket.jpg");
      await page.goto(`${url}/#/settings/phone`);
      await page.getByRole("button", { name: "Choose the folder" }).click();
      const look = page.getByRole("button", { name: "Add what is new" });
      await look.click();
      await page.getByText("1 new file was found.").waitFor();
      await page.getByText("1 file added").first().waitFor();

      // It is known after a reload, and what is in the library is not new.
      const known = () =>
        page.evaluate<number>(`new Promise((resolve) => {
          const asked = indexedDB.open("strongroom-folders");
          asked.onsuccess = () => {
            const database = asked.result;
            const got = database.transaction("folders").objectStore("folders")
              .get("camera");
            got.onsuccess = () => {
              database.close();
              resolve(got.result?.seen?.length);
            };
          };
        })`);
      await until(known, 1);
      await page.reload();
      await look.click();
      await page.getByText("Nothing new was found.").waitFor();
      await put("cat.jpg");
      await look.click();
      await page.getByText("1 new file was found.").waitFor();
      await until(known, 2);
      // As in a burst, of one time and one size.
      await put("cat.jpg", "cat-2.jpg");
      await look.click();
      await until(known, 3);
      await page.goto(`${url}/#/photos`);
      await until(() => photosIn(page).count(), 2);

      await page.goto(`${url}/#/settings/phone`);
      await page.getByText("PhotoSync (iPhone, Android)").click();
      await page.getByText("Not tried on a phone. It uploads by WebDAV, which")
        .waitFor();
      await page.getByLabel("Address to scan")
        .fill("https://home.example.org:8473");
      await page.getByRole("img", { name: "QR code" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Forget the folder" }).click();
      await page.getByRole("button", { name: "Choose the folder" }).waitFor();
      expectQuiet(visitor, url);
    });
  },
);
