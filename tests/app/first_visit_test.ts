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
import {
  appStory,
  expectMissing,
  giveCredentials,
  PASSWORD,
  shownWords,
  signInAt,
  signUp,
  writeWordsDown,
} from "../support/web_app.ts";

const UNLOCK_PHRASE = "the lake in march is cold";

appStory(
  "a reload in the middle of signing up shows the same words, and a phrase is never the password",
  async ({ url, visit }) => {
    await visit(async (visitor) => {
      const { page } = visitor;
      await page.goto(`${url}/#/sign-up`);
      await page.getByLabel("Email address").waitFor();
      await expectAccessible(page);
      await giveCredentials(page, "ada", "short");
      await page.getByText("This is not an email address.").waitFor();
      await page.getByText("At least 12 characters, please.").waitFor();
      await giveCredentials(page, "adda@example.org");
      await page.getByText("You are signing up as adda@example.org.").waitFor();
      await page.getByRole("button", { name: "Not you? Start over" }).click();
      await page.getByRole("button", { name: "Create an account" }).click();
      await giveCredentials(page, "ada@example.org");
      const before = await shownWords(page);
      await page.reload();
      assert.equal(await shownWords(page), before);
      await expectAccessible(page);

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
      assert.equal(await writeWordsDown(page), before);

      // After the reload nobody but the person knows the password here.
      await page.getByLabel("Recovery sentence").fill(PASSWORD);
      await page.getByRole("button", { name: "Set this sentence" }).click();
      const again = page.getByLabel("Password", { exact: true });
      await page.getByRole("button", { name: "Continue" }).click();
      await expectMissing(page, again);
      await again.fill(PASSWORD);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("This is your password").waitFor();
      await expectAccessible(page);
      await page.getByLabel("Recovery sentence").fill("a walk by the river");
      await page.getByRole("button", { name: "Set this sentence" }).click();
      await page.getByRole("heading", { name: "No photos yet" }).waitFor();

      await page.reload();
      await page.getByRole("heading", { name: "No photos yet" }).waitFor();
      assert.equal(await page.getByText("Write them down").count(), 0);
      expectQuiet(visitor, new URL(url).origin);
      assert.deepEqual(await visitor.context.cookies(), []);
    });
    await visit(async ({ page }) => {
      await signInAt(page, url, "ada@example.org");
      await page.getByRole("button", { name: /^With your recovery sentence/ })
        .click();
      const sentence = page.getByLabel("Recovery sentence");
      const open = page.getByRole("button", { name: "Open", exact: true });
      await open.click();
      await expectMissing(page, sentence);
      await sentence.fill("a walk along the river");
      await open.click();
      await page.getByText("Wrong recovery sentence").waitFor();
      await expectAccessible(page);
      await sentence.fill("a walk by the river");
      await open.click();
      await page.getByRole("heading", { name: "No photos yet" }).waitFor();
    });
  },
);

appStory(
  "whoever puts the words off is reminded until they are written down",
  async ({ url, visit }) => {
    await visit(async ({ page }) => {
      await page.goto(`${url}/#/sign-up`);
      await giveCredentials(page, "ada@example.org");
      await shownWords(page);
      await page.getByRole("button", { name: "Remind me later" }).click();
      await page.getByRole("dialog").getByRole("button", {
        name: "Remind me later",
      }).click();
      await page.getByRole("button", { name: "Skip" }).click();
      await page.getByRole("link", { name: "Write them down" }).click();
      const words = await writeWordsDown(page);
      await page.getByText("Your words are set.").waitFor();
      await page.getByText("Write them down").waitFor({ state: "detached" });

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
        await other.getByRole("heading", { name: "No photos yet" }).waitFor();
      });
    });
  },
);

appStory(
  "of two browsers that set a new account up at once one makes the keys, and the other says that its words are void",
  async ({ url, visit }) => {
    await visit(async ({ page }) => {
      await page.goto(url);
      await page.getByRole("button", { name: "Create an account" }).click();
      await giveCredentials(page, "ada@example.org");
      const voidWords = await writeWordsDown(page);
      await visit(async ({ page: other }) => {
        await other.goto(`${url}/#/sign-in`);
        await giveCredentials(other, "ada@example.org");
        const words = await writeWordsDown(other);
        await other.getByRole("button", { name: "Skip" }).click();
        await other.getByRole("heading", { name: "No photos yet" }).waitFor();

        await page.getByRole("button", { name: "Skip" }).click();
        await page.getByText("Another device set up this account").waitFor();
        await expectAccessible(page);
        await page.getByRole("button", { name: /^With your 24 words/ })
          .click();
        await page.getByLabel("Your 24 words").fill(voidWords);
        await page.getByRole("button", { name: "Open", exact: true }).click();
        await page.getByText("These are not the words of this account.")
          .waitFor();
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
      await writeWordsDown(page);
      await page.getByRole("button", { name: "Skip" }).click();
      const field = page.getByLabel("Browser phrase");
      await field.fill(UNLOCK_PHRASE);
      await page.getByRole("button", { name: "Stay signed in" }).click();
      const photos = page.getByRole("heading", { name: "No photos yet" });
      await photos.waitFor();
      await banner.waitFor();
      await page.getByRole("link", { name: "What to do" }).click();
      await page.getByRole("heading", {
        name: "This connection is not encrypted",
      }).waitFor();

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
      expectQuiet(visitor, new URL(lanUrl).origin);
    });
  },
);

appStory(
  "on plain http without a browser phrase nothing outlives the page, and it is said before and after",
  async ({ lanUrl, visit }) => {
    await visit(async ({ page }) => {
      const secret = await signUp(page, lanUrl, "ada@example.org");
      await page.getByText("This browser forgets you").waitFor();
      await page.reload();
      await page.getByText("Nothing is lost: sign in").waitFor();
      await expectAccessible(page);
      await giveCredentials(page, "ada@example.org");
      await page.getByRole("button", { name: /^With your 24 words/ }).click();
      await page.getByLabel("Your 24 words").fill(secret);
      await page.getByRole("button", { name: "Open", exact: true }).click();

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

      // Whoever signs out is not told that they were forgotten.
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByText("ada@example.org").waitFor();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Sign out" })
        .click();
      await page.getByRole("button", { name: "Create an account" }).waitFor();
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
    });
  },
);

appStory(
  "locking in one tab locks the other, and a reload opens neither",
  async ({ url, visit }) => {
    await visit(async ({ page, context }) => {
      await signUp(page, url, "ada@example.org");
      // From then on nobody but the person knows the password here.
      await page.reload();
      await page.getByRole("heading", { name: "No photos yet" }).waitFor();
      const second = await context.newPage();
      await second.goto(`${url}/#/settings/browser`);
      // Without a browser phrase there would be nothing to lock with.
      await second.getByRole("button", { name: "Lock now" }).click();
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
    });
  },
);

appStory(
  "whoever is locked out or suspended is told so, and a suspended account still opens",
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
