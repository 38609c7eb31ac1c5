/**
 * From an empty browser to an open library: signing up, signing in, the lock;
 * over https's equal and over plain http.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import {
  newRecoveryWords,
  readRecoveryWords,
} from "../../src/client/keys/recovery_words.ts";
import { randomBytes } from "../../scripts/demo/staging.ts";
import { plainOf } from "../../src/library/mod.ts";
import { pictureOf } from "../support/pictures.ts";
import { sampleBytes } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";
import {
  addPhotos,
  appStory,
  expectMissing,
  giveCredentials,
  nightStory,
  PASSWORD,
  PHONE,
  samplePhotos,
  shownWords,
  signInAt,
  signUp,
  writeWordsDown,
} from "../support/web_app.ts";

const UNLOCK_PHRASE = "the lake in march is cold";

appStory(
  "a new device has its first pictures before it asks for what it needs later",
  async ({ url, visit, wire }) => {
    const ada = await photographer(url, "ada");
    const cat = await sampleBytes("cat.jpg");
    for (let day = 1; day <= 8; day++) {
      const photo = await sample("cat.jpg", {
        taken_at: `2024-06-0${day}T10:00:00Z`,
      });
      // What stands after the picture makes it another file.
      const source = plainOf(new Uint8Array([...cat, day]));
      await ada.library.take({ ...photo, source });
    }
    const before = wire.sent().length;
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.locator(".grid img").nth(7).waitFor();
      await page.getByRole("button", { name: "Add photos" }).waitFor();
      const sent = () => wire.sent().slice(before);
      const later = [
        "GET /sw.js ",
        "/texts-en-later.json ",
        "/later.css ",
        "GET /v1/upload-links ",
      ];
      await until(
        () => Promise.resolve(later.every((one) => sent().includes(one))),
        true,
      );
      const [head = "", first = "", rest = ""] = sent()
        .split("POST /v1/assets/blobs ");
      assert.deepEqual(later.filter((one) => head.includes(one)), []);
      // The first of them come alone, and soon.
      assert.equal(first.match(/"hash":/g)?.length, 6);
      assert.equal(rest.match(/"hash":/g)?.length, 2);
      assert(!first.includes("GET /sw.js "), "what is for later keeps waiting");
    }, { serviceWorkers: "allow" });
  },
);

appStory(
  "signing up is an address and a password; the words are asked for after the first photo, once, and can be put off",
  async ({ url, visit }) => {
    await visit(async (visitor) => {
      const { page } = visitor;
      await page.goto(`${url}/#/sign-up`);
      await page.getByLabel("Email address").waitFor();
      await expectAccessible(page);
      await giveCredentials(page, "ada", "short");
      await page.getByText("This is not an email address.").waitFor();
      await page.getByText("At least 12 characters, please.").waitFor();
      await giveCredentials(page, "ada@example.org");
      const empty = page.getByRole("heading", { name: "No photos yet" });
      await empty.waitFor();
      // There is nothing to lose yet.
      const due = page.getByRole("link", { name: "Write down your 24 words" });
      const ask = page.getByRole("region", {
        name: "Now write down your 24 words",
      });
      assert.equal(await ask.count() + await due.count(), 0);
      await page.reload();
      await empty.waitFor();

      await addPhotos(page, samplePhotos().slice(0, 1));
      await ask.getByText("your photos open only on devices that open them now")
        .waitFor();
      await expectAccessible(page);
      await pictureOf(page, "words_ask");
      await page.setViewportSize(PHONE.viewport);
      await pictureOf(page, "words_ask_phone");
      await ask.getByRole("button", { name: "Remind me later" }).click();
      await due.waitFor();
      assert.equal(await ask.count(), 0);
      // On a phone it is one line.
      const line = await page.locator(".banner.one-line").boundingBox();
      assert(line !== null && line.height <= 48, `${line?.height} pixels`);
      await pictureOf(page, "words_line_phone");
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.reload();
      await due.waitFor();
      assert.equal(await ask.count(), 0);
      expectQuiet(visitor, new URL(url).origin);
      assert.deepEqual(await visitor.context.cookies(), []);

      await due.click();
      const before = await shownWords(page);
      await page.getByRole("button", { name: "I have written them down" })
        .click();
      const asked = page.getByLabel(/^Word \d+$/);
      await asked.first().fill("zoological");
      await page.getByRole("button", { name: "Continue" }).click();
      await expectMissing(page, asked.nth(1), 2);
      for (const one of await asked.all()) await one.fill("zoological");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("Look again.").nth(2).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Show the words again" }).click();
      const words = await writeWordsDown(page);
      assert.equal(words, before);
      await page.getByText("Your words are set.").waitFor();
      await page.locator(".grid a").first().waitFor();
      await due.waitFor({ state: "detached" });

      // They open the photos in a browser that has never seen the account.
      await visit(async ({ page: other }) => {
        await other.goto(`${url}/#/sign-in`);
        await giveCredentials(other, "ada@example.org");
        await other.getByRole("button", { name: /^With your 24 words/ })
          .click();
        const field = other.getByLabel("Your 24 words");
        const open = other.getByRole("button", { name: "Open", exact: true });
        await open.click();
        await expectMissing(other, field);
        const all = words.split(" ");
        const others = newRecoveryWords(randomBytes);
        // Whatever is wrong, one message tells it.
        for (
          const [typed, said] of [
            [
              all.with(6, "rivver").join(" "),
              "Not in the word list: word 7 (“rivver”).",
            ],
            [
              swapped(words),
              "One of the words is mistyped, or two are swapped.",
            ],
            [
              all.slice(0, 23).join(" "),
              "You typed 23 words: 1 is missing.",
            ],
            [others, "These are not the words of this account."],
          ] as const
        ) {
          await field.fill(typed);
          await open.click();
          await other.getByText(said).waitFor();
          await open.and(other.locator(":enabled")).waitFor();
          assert.deepEqual(await other.getByRole("alert").allInnerTexts(), [
            said,
          ]);
          await expectAccessible(other);
        }
        await field.fill(words);
        await open.click();
        await other.locator(".grid a").first().waitFor();
      });
    }, { serviceWorkers: "allow" });
  },
);

// By day tests/clients/library_first_keys_test.ts: two devices that begin a new
// account make one.
nightStory(
  "of two browsers that set a new account up at once one makes the keys, and the other says so",
  async ({ url, lanUrl, visit }) => {
    await visit(async ({ page }) => {
      // On plain http the keys are made after a phrase was chosen.
      await page.goto(lanUrl);
      await page.getByRole("button", { name: "Create an account" }).click();
      await giveCredentials(page, "ada@example.org");
      await page.getByText("You are signing up as ada@example.org.").waitFor();
      const phrase = page.getByLabel("Browser phrase");
      await phrase.fill(UNLOCK_PHRASE);
      await visit(async ({ page: other }) => {
        await other.goto(`${url}/#/sign-in`);
        await giveCredentials(other, "ada@example.org");
        const photos = other.getByRole("heading", { name: "No photos yet" });
        await photos.waitFor();
        await other.goto(`${url}/#/words`);
        const words = await writeWordsDown(other);
        await photos.waitFor();

        await page.getByRole("button", { name: "Stay signed in" }).click();
        await page.getByText("Another device set up this account").waitFor();
        await expectAccessible(page);
        await page.reload();
        await phrase.fill(UNLOCK_PHRASE);
        await page.getByRole("button", { name: "Open", exact: true }).click();
        await page.getByRole("button", { name: /^With your 24 words/ })
          .click();
        await page.getByLabel("Your 24 words").fill(words);
        await page.getByRole("button", { name: "Open", exact: true }).click();
        await page.getByRole("heading", { name: "No photos yet" }).waitFor();
      });
    });
  },
);

appStory(
  "on plain http in a home a banner stays, and a browser phrase keeps the person signed in",
  async ({ lanUrl, visit }) => {
    await visit(async (visitor) => {
      const { page } = visitor;
      await page.goto(lanUrl);
      assert.equal(await page.evaluate("isSecureContext"), false);
      const banner = page.getByText("Not encrypted: others in this network");
      await banner.waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Create an account" }).click();
      await giveCredentials(page, "ada@example.org");
      const field = page.getByLabel("Browser phrase");
      await page.getByText("If you forget your browser phrase before")
        .waitFor();
      await field.fill(PASSWORD);
      await page.getByRole("button", { name: "Stay signed in" }).click();
      await page.getByText("This is your password").waitFor();
      await expectAccessible(page);
      await field.fill(UNLOCK_PHRASE);
      await page.getByRole("button", { name: "Stay signed in" }).click();
      const photos = page.getByRole("heading", { name: "No photos yet" });
      await photos.waitFor();
      await banner.waitFor();
      await page.getByRole("link", { name: "What to do" }).click();
      await page.getByRole("heading", {
        name: "This connection is not encrypted",
      }).waitFor();
      // How a server is set up is for who runs it.
      await page.getByText("Tell the person who runs this server").waitFor();
      assert.equal(await page.getByText("Caddy").count(), 0);

      // The lock is shown wherever one was.
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Lock now" }).click();
      await page.getByRole("heading", { name: "Locked" }).waitFor();
      await expectAccessible(page);
      await field.fill("another lake altogether");
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByText("Wrong browser phrase.").waitFor();
      await field.fill(UNLOCK_PHRASE);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await photos.waitFor();

      // It locks no hidden photos.
      await page.goto(`${lanUrl}/#/hidden`);
      await page.getByText("Your browser phrase does not lock these").waitFor();

      // Without the phrase the only key would go with the page.
      await page.goto(`${lanUrl}/#/settings/browser`);
      const lock = page.getByRole("switch", { name: "Lock this browser" });
      await lock.click();
      await page.getByText("Nothing else opens your photos, so your key stays")
        .waitFor();
      assert.equal(await lock.isChecked(), true);
      await expectAccessible(page);
      const another = "seven quiet herons";
      await page.getByRole("button", { name: "Change the phrase" }).click();
      const dialog = page.getByRole("dialog", { name: "Change the phrase" });
      await dialog.getByText("If you forget your browser phrase before")
        .waitFor();
      await dialog.getByLabel("Browser phrase").fill(another);
      await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.reload();
      await field.fill(another);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await lock.waitFor();

      // Whoever has the words may take it off.
      await page.goto(`${lanUrl}/#/words`);
      await writeWordsDown(page);
      await photos.waitFor();
      await page.goto(`${lanUrl}/#/settings/browser`);
      await lock.click();
      await page.getByText("The browser phrase is removed.").waitFor();
      expectQuiet(visitor, new URL(lanUrl).origin);
    });
  },
);

appStory(
  "on plain http without a browser phrase nothing outlives the page, and it is said before and after",
  async ({ url, lanUrl, visit }) => {
    let secret = "";
    await visit(async ({ page }) => {
      secret = await signUp(page, url, "ada@example.org");
    });
    await visit(async ({ page, context }) => {
      const openWithWords = async () => {
        await giveCredentials(page, "ada@example.org");
        await page.getByRole("button", { name: /^With your 24 words/ })
          .click();
        await page.getByLabel("Your 24 words").fill(secret);
        await page.getByRole("button", { name: "Open", exact: true }).click();
      };
      await page.goto(`${lanUrl}/#/sign-in`);
      await openWithWords();
      await page.getByText("This browser forgets you").waitFor();
      await page.reload();
      await page.getByText("Nothing is lost: sign in").waitFor();
      await expectAccessible(page);
      await openWithWords();

      await page.getByRole("button", { name: "Stay signed in here" }).click();
      await page.getByLabel("Browser phrase")
        .fill(UNLOCK_PHRASE);
      await page.getByRole("button", { name: "Stay signed in", exact: true })
        .click();
      await page.getByText("This browser forgets you")
        .waitFor({ state: "detached" });
      await page.reload();
      await page.getByRole("heading", { name: "Locked" }).waitFor();
      await page.getByLabel("Browser phrase").fill(
        UNLOCK_PHRASE,
      );
      await page.getByRole("button", { name: "Open", exact: true }).click();

      // Whoever signs out is not told that they were forgotten, in any tab.
      const tab = await context.newPage();
      await tab.goto(lanUrl);
      await tab.getByRole("button", { name: "Account" }).waitFor();
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByText("ada@example.org").waitFor();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Sign out" })
        .click();
      for (const one of [page, tab]) {
        await one.getByRole("button", { name: "Create an account" }).waitFor();
      }
    });
  },
);

appStory(
  "plain http on a public address refuses signing in, and asks the server for nothing",
  async ({ url, visit }) => {
    await visit(async ({ page, requests }) => {
      await page.goto(
        `${url.replace("127.0.0.1", "photos.example")}/#/sign-in`,
      );
      await page.getByRole("heading", { name: "This connection is not safe" })
        .waitFor();
      assert.equal(await page.getByLabel("Password").count(), 0);
      const asked = requests.filter((one) => one.includes("config.json"));
      assert.deepEqual(asked, []);
    });
  },
);

appStory(
  "a page of another build gives way to the one that was started later",
  async ({ url, visit }) => {
    await visit(async ({ page }) => {
      await page.goto(url);
      await page.getByRole("button", { name: "Create an account" }).waitFor();
      await page.evaluate(() => {
        const said = { kind: "started", build: "/app/0000000000000000/" };
        new BroadcastChannel("strongroom").postMessage(said);
      });
      await page.getByRole("heading", { name: "A newer version is running" })
        .waitFor();
      await page.getByRole("button", { name: "Reload" }).click();
      await page.getByRole("button", { name: "Create an account" }).waitFor();
    }, { serviceWorkers: "allow" });
  },
);

appStory(
  "locking in one tab locks the other, and a reload opens neither",
  async ({ url, visit }) => {
    await visit(async ({ page, context }) => {
      await signUp(page, url, "ada@example.org");
      // From then on only the person knows the password here.
      await page.reload();
      await page.getByRole("heading", { name: "No photos yet" }).waitFor();
      const second = await context.newPage();
      await second.goto(`${url}/#/photos`);
      // Without a browser phrase there would be nothing to lock with.
      await second.getByRole("button", { name: "Account" }).click();
      await second.getByRole("menuitem", { name: "Lock now" }).click();
      const dialog = second.getByRole("dialog");
      const lock = dialog.getByRole("button", { name: "Lock now" });
      const field = dialog.getByLabel("Browser phrase");
      const password = dialog.getByLabel("Password", { exact: true });
      await lock.click();
      await expectMissing(second, field, 2);
      await field.fill(PASSWORD);
      await password.fill("wrong horse battery staple");
      await lock.click();
      await dialog.getByText("Wrong password.").waitFor();
      await expectAccessible(second);
      await password.fill(PASSWORD);
      await lock.click();
      await dialog.getByText("This is your password").waitFor();
      await field.fill(UNLOCK_PHRASE);
      await lock.click();
      const locked = { name: "Locked" };
      await second.getByRole("heading", locked).waitFor();
      await page.getByRole("heading", locked).waitFor();
      await page.reload();
      await page.getByRole("heading", locked).waitFor();
      await second.close();
      await page.getByLabel("Browser phrase")
        .fill(UNLOCK_PHRASE);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByRole("heading", { name: "No photos yet" }).waitFor();
    }, { serviceWorkers: "allow" });
  },
);

appStory(
  "a locked or suspended account says so at sign-in, and a suspended one still opens",
  async ({ url, visit, operator }) => {
    await visit(async ({ page }) => {
      const words = await signUp(page, url, "ada@example.org");
      await operator("account", "suspend", "ada@example.org");
      await visit(async ({ page: other }) => {
        await signInAt(other, url, "ada@example.org");
        await other.getByRole("button", { name: /^With your 24 words/ })
          .click();
        await other.getByLabel("Your 24 words").fill(words);
        await other.getByRole("button", { name: "Open", exact: true }).click();
        await other.getByText("has suspended your account").waitFor();
        await other.getByRole("link", { name: "See what happened" }).click();
        await other.getByText("The account was suspended").waitFor();
      });
      await page.evaluate(async () => {
        for (let one = 0; one < 10; one++) {
          await fetch("/v1/auth/login", {
            method: "POST",
            headers: {
              "Content-Type": "application/json",
              "X-Service-Protocol": "2026-11-01",
              "X-Service-Crypto-Suite": "1",
              "X-Service-Sidecar-Schema": "1",
            },
            body: JSON.stringify({
              address: "ada@example.org",
              password: "wrong horse battery staple",
            }),
          });
        }
      });
      await visit(async ({ page: other }) => {
        await signInAt(other, url, "ada@example.org");
        await other.getByText("Too many wrong passwords.").waitFor();
      });
    });
  },
);

/** The words with two swapped, so that their checksum is wrong. */
function swapped(words: string): string {
  const all = words.split(" ");
  for (let at = 1; at < all.length; at++) {
    const [a = "", b = ""] = [all[at - 1], all[at]];
    const tried = all.with(at - 1, b).with(at, a).join(" ");
    if (!readRecoveryWords(tried).ok) return tried;
  }
  throw new Error("every swap is right");
}
