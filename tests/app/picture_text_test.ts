/**
 * Photos found by the words in them: off until a person turns it on, read once
 * for all devices, and deleted whole.
 *
 * @module
 */
import assert from "node:assert/strict";
import { openPictureText } from "../../src/library/finding/picture_text.ts";
import { plainOf } from "../../src/library/mod.ts";
import { concatBytes } from "../../src/core/bytes.ts";
import { fileOfRow } from "../../src/web/workers/finding/file_of_row.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { colourPicture } from "../support/colour_pictures.ts";
import { pathsAsked, untilFound } from "../support/finding.ts";
import { pictureOf } from "../support/pictures.ts";
import { sampleBytes } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { appStory, BY_NIGHT, nightStory, PHONE } from "../support/web_app.ts";
import { pictureOfText } from "../support/pictures_of_text.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
} from "../support/web_people.ts";

/** Files that only this needs. */
const FILES = /\/picture[-_]text[.-]/;

async function take(
  { library }: Photographer,
  name: string,
  picture: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const mime = name.endsWith(".png") ? "image/png" : "image/jpeg";
  const { row } = await library.take({
    source: plainOf(picture),
    about: { name, mime, taken_at: "2024-06-01T10:00:00Z" },
    derivatives: [{ kind: "thumbnail", mime, bytes: picture }],
  });
  return row.id;
}

appStory(
  "photos are found by the words in them after a person turns that on, on all devices, and the words are deleted whole",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    let secret = "";
    let receipt = "";
    let sign = "";

    await visit(async (visitor) => {
      const { page } = visitor;
      const draw = (...lines: string[]) => pictureOfText(page, ...lines);
      receipt = await take(
        ada,
        "one.png",
        await draw("Hardware store", "Umbrella 12.90", "Order 48213"),
      );
      sign = await take(ada, "two.png", await draw("Boulangerie", "Ouvert"));
      await take(ada, "coffee.jpg", await sampleBytes("coffee.jpg"));
      secret = await take(ada, "three.png", await draw("Umbrella secret"));
      await ada.library.flags.change([secret], { hidden: true });

      const asked = pathsAsked(page, FILES);
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/search?q=umbrella`);
      await page.getByRole("heading", { name: "Nothing found for “umbrella”" })
        .waitFor();
      await page.goto(`${url}/#/settings/find`);
      const turnOn = page.getByRole("switch", { name: "Read words" });
      await turnOn.waitFor();
      await expectAccessible(page);
      await turnOn.scrollIntoViewIfNeeded();
      await pictureOf(page, "words_off");
      assert.deepEqual(asked, [], "nothing is loaded before");

      await turnOn.click();
      await page.getByText("All photos were read.")
        .waitFor({ timeout: 120_000 });
      assert.match(asked.join(" "), /picture-text-engine\.wasm/);
      await expectAccessible(page);
      const words = page.getByRole("checkbox", {
        name: /^This device reads photos/,
      });
      await words.scrollIntoViewIfNeeded();
      await pictureOf(page, "words_settings");

      await untilFound(page, url, "umbrella", receipt);
      await pictureOf(page, "words_found");
      await untilFound(page, url, "48213", receipt);
      await untilFound(page, url, "hardware umbrella", receipt);
      await untilFound(page, url, "boulangerie", sign);
      // As people type it.
      await untilFound(page, url, "umbrela", receipt);
      await untilFound(page, url, "BOULANGÉRIE", sign);

      // A photo that comes later is read as well.
      const ticket = await take(ada, "four.png", await draw("Zoo", "Umbrella"));
      await untilFound(page, url, "umbrella", receipt, ticket);
      await page.goto(`${url}/#/settings/find`);
      await page.getByText("All photos were read.").waitFor();
      // What was read last is sent a moment later, while the page is open.
      await ada.library.sync();
      const sent = await openPictureText(ada.library);
      await until(async () => {
        await sent.read();
        return sent.count;
      }, 4);
      expectQuiet(visitor, new URL(url).origin);
    });

    // The words came to the account's other devices, and the hidden photo was
    // not read.
    const slot = async () =>
      (await ada.library.vault.session.account.slot("words-1")).bytes.length;
    await ada.library.sync();
    const known = await openPictureText(ada.library);
    await known.read();
    assert.equal(known.count, 4);
    const before = await slot();

    // By day faces_test.ts shows this on a phone;
    // tests/clients/library_picture_text_test.ts: what one device reads another
    // has, and turned off, every word is gone.
    if (!BY_NIGHT) return;
    // A phone need not read, and finds what the computer read.
    await visit(async (visitor) => {
      const { page } = visitor;
      const asked = pathsAsked(page, FILES);
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/search?q=boulangerie`);
      await until(() => page.locator(".grid a").count(), 1);
      await pictureOf(page, "words_found_phone_dark");
      await page.goto(`${url}/#/settings/find`);
      const off = page.getByRole("switch", { name: "Read words" });
      await off.waitFor();
      await expectAccessible(page);
      await off.scrollIntoViewIfNeeded();
      await pictureOf(page, "words_settings_phone_dark");
      assert.deepEqual(asked, [], "a phone reads nothing");

      await off.click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("heading", {
        name: "Turn off and delete all words?",
      }).waitFor();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Turn off and delete" }).click();
      await page.getByText("All words are deleted.").waitFor();
      await page.getByRole("switch", { name: "Read words" }).waitFor();
      await page.goto(`${url}/#/search?q=boulangerie`);
      await page.getByRole("heading", {
        name: "Nothing found for “boulangerie”",
      }).waitFor();
      expectQuiet(visitor, new URL(url).origin);
    }, { ...PHONE, colorScheme: "dark" });
    assert(await slot() < before, "nothing is left on the server");
    await ada.library.sync();
    await known.read();
    assert.equal(known.count, 0);
  },
);

/** The head of a PNG, and nothing that a browser could decode. */
function undecodedPicture(): Uint8Array<ArrayBuffer> {
  const head = colourPicture([250, 5, 10]).subarray(0, 33);
  return concatBytes(head, new Uint8Array(300).fill(0xff));
}

// By day tests/app/looking_thread_test.ts says both.
nightStory(
  "a picture that a browser does not decode is left to other devices, and what is said comes to an end",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const odd = await take(ada, "odd.png", undecodedPicture());
    const coffee = await take(
      ada,
      "coffee.jpg",
      await sampleBytes("coffee.jpg"),
    );
    const words = await openPictureText(ada.library);
    await words.turn(true);
    const isRead = async (id: string) => {
      await words.read();
      const row = ada.library.index.get(id);
      return words.has(row === undefined ? "" : fileOfRow(row) ?? "");
    };

    await visit(async (visitor) => {
      const { page } = visitor;
      const said = page.getByText(
        "It could not read 1 photo; another device may.",
      );
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/settings/find`);
      await said.waitFor({ timeout: 120_000 });
      await expectAccessible(page);
      await until(() => isRead(coffee), true);

      // This browser knows it the next time.
      await page.reload();
      await said.waitFor();
      const later = await take(
        ada,
        "later.jpg",
        await sampleBytes("thumbnails/coffee.jpg"),
      );
      await until(() => isRead(later), true);
      await said.waitFor();
      expectQuiet(visitor, new URL(url).origin);
    });
    assert.equal(await isRead(odd), false, "another device may read it");
  },
);
