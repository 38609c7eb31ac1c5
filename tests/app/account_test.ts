/**
 * What people do with their account: other devices, a second factor,
 * invitations, an identity provider, signing out everywhere, and the end of it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Secret } from "otpauth";
import type { Page } from "playwright-core";
import { totpCode } from "../../src/crypto/totp.ts";
import { expectAccessible } from "../support/axe.ts";
import { walkThrough, withProvider } from "../support/provider.ts";
import { STEP_MS } from "../support/second_factor.ts";
import { CHROMIUM } from "../support/browser.ts";
import { pictureOf as screenOf } from "../support/pictures.ts";
import {
  addPhotos,
  appStory,
  BY_NIGHT,
  expectMissing,
  giveCredentials,
  PASSWORD,
  PHONE,
  samplePhotos,
  setBrowserPhrase,
  signInAt,
  signUp,
  signUpOnly,
  withApp,
  writeWordsDown,
} from "../support/web_app.ts";
import { until } from "../support/until.ts";

const ADA = "ada@example.org";

const photosOf = (page: Page) =>
  page.getByRole("heading", { name: "No photos yet" });

appStory(
  "a second device opens the photos by a typed code and four words, a third by the link, a fourth with its camera",
  async ({ url, visit, showCamera }) => {
    await visit(async ({ page }) => {
      await signUp(page, url, ADA);
      await page.goto(`${url}/#/settings/devices`);
      await page.getByRole("button", { name: "Add a device" }).click();
      const code = await page.getByText(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/)
        .innerText();
      await visit(async ({ page: other }) => {
        await signInAt(other, url, ADA);
        await other.getByRole("button", { name: /^With another device/ })
          .waitFor();
        await expectAccessible(other);
        await other.getByRole("button", { name: /^With another device/ })
          .click();
        const field = other.getByLabel("Code on the other device");
        await field.fill("00000-00000");
        await other.getByRole("button", { name: "Connect" }).click();
        await other.getByText("This code is wrong").waitFor();
        await field.fill(code.toLowerCase());
        await other.getByRole("button", { name: "Connect" }).click();
        const same = { name: "They are the same" };
        await other.getByRole("button", same).waitFor();
        await page.getByRole("button", same).waitFor();
        await page.getByText("the server removed the proof of the scan")
          .waitFor();
        await expectAccessible(page);
        await expectAccessible(other);
        const shown = (one: Page) =>
          one.locator(".four-words").getByRole("listitem").allInnerTexts();
        assert.deepEqual(await shown(page), await shown(other));
        assert.equal((await shown(page)).length, 4);
        await page.getByRole("button", same).click();
        await other.getByRole("button", same).click();
        // Said for a few seconds only, while the other device opens them.
        await Promise.all([
          page.getByText("Your photos are now open on").waitFor(),
          photosOf(other).waitFor(),
        ]);

        // Both are in the list, each under its name; a device is ended by name.
        const list = page.getByRole("region", { name: "Signed in" })
          .getByRole("listitem");
        await list.nth(1).waitFor();
        assert.equal(await list.count(), 2);
        assert.equal(await list.getByText("Chrome on Linux").count(), 2);
        assert.equal(await list.getByText("This one").count(), 1);
        // One of the two gets a name by which it is told from the other.
        const here = list.filter({ hasText: "This one" });
        await here.getByRole("button", { name: "Rename “Chrome on Linux”" })
          .click();
        await page.getByRole("dialog").getByLabel("Name").fill("Kitchen");
        await expectAccessible(page);
        await page.getByRole("button", { name: "Save" }).click();
        await here.getByText("Kitchen").waitFor();
        assert.equal(await list.getByText("Chrome on Linux").count(), 1);
        await other.goto(`${url}/#/settings/devices`);
        await other.getByText("Kitchen").waitFor();
      });

      // The link, as a telephone's camera opens it: nothing to compare.
      await page.getByRole("button", { name: "Add a device" }).click();
      const qr = page.getByRole("img", { name: "QR code for the new device" });
      await qr.waitFor();
      const link = await linkIn(page);
      await visit(async ({ page: phone }) => {
        // It is in German, and so is the name that it gives itself.
        await phone.addInitScript(
          `localStorage.setItem("strongroom.language", "de")`,
        );
        await phone.goto(link);
        await phone.getByText("Melde dich erst an.").waitFor();
        assert(!phone.url().includes("join"), phone.url());
        await phone.getByLabel("E-Mail-Adresse").fill(ADA);
        await phone.getByLabel("Passwort", { exact: true }).fill(PASSWORD);
        await phone.locator("button[type=submit]").click();
        await phone.getByRole("heading", { name: "Noch keine Fotos" })
          .waitFor();
      });
      await page.goto(`${url}/#/photos`);
      await page.goto(`${url}/#/settings/devices`);
      await page.getByText("Chrome unter Linux", { exact: true }).waitFor();

      // By day witnesses_test.ts scans with the camera, and
      // tests/clients/library_devices_test.ts joins by a link that it
      // scans.
      if (!BY_NIGHT) return;
      // The same code before the camera of one that is signed in already.
      await page.getByRole("button", { name: "Add a device" }).click();
      await qr.waitFor();
      await showCamera(await pictureOf(page));
      await visit(async ({ page: tablet }) => {
        await signInAt(tablet, url, ADA);
        await tablet.getByRole("button", { name: /^With another device/ })
          .click();
        await tablet.getByRole("button", { name: "Scan" }).click();
        await photosOf(tablet).waitFor();
      });
    });
  },
);

/** What a camera sees that is held before the code on the page. */
async function pictureOf(page: Page): Promise<Uint8Array> {
  const code = await page.locator("svg.qr").boundingBox();
  if (code === null) throw new Error("no code is shown");
  const [width, height] = [640, 480];
  const x = Math.max(0, code.x + (code.width - width) / 2);
  const y = Math.max(0, code.y + (code.height - height) / 2);
  return await page.screenshot({
    type: "jpeg",
    clip: { x, y, width, height },
  });
}

/** Reads the code on the page as a camera would. */
async function linkIn(page: Page): Promise<string> {
  const { default: decodeQR } = await import("qr/decode.js");
  const drawn = page.locator("svg.qr");
  const box = await drawn.getAttribute("viewBox") ?? "";
  const path = await drawn.locator("path").getAttribute("d") ?? "";
  const scale = 4;
  const width = Number(box.split(" ")[3]) * scale;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h/g)) {
    for (let row = 0; row < scale; row++) {
      const at = (Number(y) * scale + row) * width + Number(x) * scale;
      for (let one = at; one < at + scale; one++) data.set([0, 0, 0], one * 4);
    }
  }
  return decodeQR({ data, width, height: width });
}

/** The least that is left of a step in which the code before it is used (ms). */
const LEFT_MS = 12_000;

/** Waits for the next step of an authenticator where this one ends too soon. */
async function stepBegins(): Promise<void> {
  const step = () => Math.floor(Date.now() / STEP_MS);
  const first = step();
  if (STEP_MS - Date.now() % STEP_MS >= LEFT_MS) return;
  await until(() => Promise.resolve(step()), (now) => now > first);
}

appStory(
  "with a second factor, signing in asks for a code, and a wrong one is said",
  async ({ url, visit }) => {
    let secret = "";
    const code = (steps = 0) =>
      totpCode(
        new Uint8Array(Secret.fromBase32(secret).buffer),
        Date.now() + steps * STEP_MS,
      );
    await visit(async ({ page }) => {
      await signUp(page, url, ADA);
      await page.goto(`${url}/#/settings/security`);
      await page.getByRole("button", { name: "Turn on" }).click();
      const dialog = page.getByRole("dialog");
      await expectAccessible(page);
      secret = (await dialog.locator("code").innerText()).replace(/\s/g, "");
      // A phone cannot scan what it shows itself.
      const here = dialog.getByRole("link", {
        name: "The app is on this device",
      });
      const address = await here.getAttribute("href") ?? "";
      assert.match(address, /^otpauth:\/\/totp\//);
      assert(address.includes(`secret=${secret}`), address);
      await dialog.locator("input:focus").waitFor();
      await page.keyboard.type("000000");
      await page.keyboard.press("Enter");
      await dialog.getByText("Wrong code.").waitFor();
      // It is said where it is seen, however long the dialog is.
      const said = await dialog.getByText("Wrong code.")
        .boundingBox();
      const buttons = await dialog.locator(".actions").boundingBox();
      assert((said?.y ?? Infinity) < (buttons?.y ?? 0));
      // The code before this one, so that there are two newer ones for later.
      await stepBegins();
      await dialog.getByLabel("Code that it shows").fill(code(-1));
      await dialog.getByRole("button", { name: "Turn on" }).click();
      await page.getByText("On: to sign in you need a code").waitFor();

      await visit(async ({ page: other }) => {
        await signInAt(other, url, ADA);
        const asked = other.getByRole("dialog").getByLabel(
          "Code from your authenticator app",
        );
        await asked.fill("000000");
        await other.getByRole("button", { name: "Continue" }).click();
        await other.getByText("Try the next one that the app shows.").waitFor();
        await asked.fill(code());
        await other.getByRole("button", { name: "Continue" }).click();
        await other.getByRole("heading", {
          name: "Open your photos on this device",
        }).waitFor();
      });

      await page.getByRole("button", { name: "Turn off" }).click();
      await dialog.getByLabel("Code that it shows").fill(code(1));
      await dialog.getByRole("button", { name: "Turn off" }).click();
      await page.getByText("Off: to sign in you need only your password.")
        .waitFor();
    });
  },
);

appStory(
  "an invitation lets one person in where registration is closed",
  async ({ url, visit, operator }) => {
    const invite = async () => {
      const [link = ""] = (await operator("account", "invite")).split("\n");
      return `${url}/${new URL(link).hash}`;
    };
    const link = await invite();
    await visit(async ({ page }) => {
      await page.goto(url);
      await page.getByText("New accounts here need an invitation.").waitFor();
      await page.goto(link);
      await page.getByText("You are invited").waitFor();
      await giveCredentials(page, ADA);
      await photosOf(page).waitFor();
    });
    const other = await invite();
    await visit(async ({ page }) => {
      await page.goto(`${url}/#/sign-up`);
      const field = page.getByLabel("Invitation code");
      await field.fill(link);
      await giveCredentials(page, "bob@example.org");
      await page.getByText("This invitation was used or has expired").waitFor();
      // The whole link may be pasted as well as its code.
      await field.fill(other);
      await giveCredentials(page, "bob@example.org");
      await photosOf(page).waitFor();
    });
  },
  { STRONGROOM_REGISTRATION: "closed" },
);

appStory(
  "signing out everywhere ends the other browser, which opens again with the password",
  async ({ url, visit, wire }) => {
    await visit(async ({ page: other }) => {
      const words = await signUp(other, url, ADA);
      await visit(async ({ page }) => {
        await signInAt(page, url, ADA);
        await page.getByRole("button", { name: /^With your 24 words/ })
          .click();
        await page.getByLabel("Your 24 words").fill(words);
        await page.getByRole("button", { name: "Open", exact: true }).click();
        await photosOf(page).waitFor();
        await page.goto(`${url}/#/settings/devices`);
        await page.getByRole("button", { name: "Sign out everywhere" })
          .click();
        await page.getByRole("dialog").getByRole("button", {
          name: "Sign out everywhere",
        }).click();
        await page.getByRole("button", { name: "Create an account" })
          .waitFor();
      });
      await other.getByRole("heading", { name: "You were signed out" })
        .waitFor();
      // It is known here from then on: nothing is opened to be shut again.
      const before = wire.sent().length;
      await other.reload();
      await other.getByRole("heading", { name: "You were signed out" })
        .waitFor();
      assert(!wire.sent().slice(before).includes("/v1/"));
      assert.equal(await other.getByLabel("Email address").inputValue(), ADA);
      await giveCredentials(other, ADA);
      await photosOf(other).waitFor();
    });
  },
);

appStory(
  "who put the words off is signed out in no way that would lose the photos, and is told what the browser promises",
  async ({ url, visit, operator }) => {
    await visit(async ({ page, context }) => {
      await signUpOnly(page, url, ADA);
      await addPhotos(page, samplePhotos().slice(0, 1));
      const ask = page.getByRole("region", {
        name: "Now write down your 24 words",
      });
      await ask.getByText("may also delete your key").waitFor();
      await page.goto(`${url}/#/settings/browser`);
      const kept = page.getByRole("region", {
        name: "Your key in this browser",
      });
      await kept.getByText("may delete your key by itself").waitFor();
      assert.equal(await isPromised(page), false);
      const session = await context.newCDPSession(page);
      const { targetInfo } = await session.send("Target.getTargetInfo");
      await session.send("Browser.grantPermissions", {
        origin: url,
        browserContextId: targetInfo.browserContextId ?? "",
        permissions: ["durableStorage"],
      });
      await kept.getByRole("button", { name: "Ask the browser to keep it" })
        .click();
      await kept.getByText("has promised not to delete your key").waitFor();
      await kept.getByText("If you delete this site’s data").waitFor();
      assert.equal(await isPromised(page), true);
      await expectAccessible(page);

      const dialog = page.getByRole("dialog", {
        name: "You would lose your photos",
      });
      const refusal = dialog.getByText("Nothing else opens your photos");
      const expectRefused = async (picture: string) => {
        await refusal.waitFor();
        await expectAccessible(page);
        await screenOf(page, picture);
        for (const name of ["Sign out", "Sign out everywhere"]) {
          assert.equal(await dialog.getByRole("button", { name }).count(), 0);
        }
      };
      await page.goto(`${url}/#/settings/devices`);
      await page.getByRole("button", { name: "Sign out everywhere" }).click();
      await expectRefused("keys_stay_everywhere");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await expectRefused("keys_stay_here");
      await dialog.getByRole("button", { name: "Write them down" }).click();
      await page.getByRole("list", { name: "Your 24 words" }).waitFor();

      // Signed out from elsewhere, the browser still has the only key.
      await operator("account", "sign-out", ADA);
      await page.goto(`${url}/#/photos`);
      const ended = page.getByRole("heading", { name: "You were signed out" });
      await ended.waitFor();
      const forget = page.getByRole("button", {
        name: "Forget me in this browser",
      });
      await forget.click();
      await dialog.getByText("Sign in first").waitFor();
      await expectRefused("keys_stay_ended");
      await dialog.getByRole("button", { name: "Back" }).click();
      await page.reload();
      await ended.waitFor();
      // No other account takes its place, old or new.
      await visit(async ({ page }) => {
        await signUp(page, url, BOB);
      });
      await giveCredentials(page, BOB);
      await page.getByText("still has the key of another account").waitFor();
      await giveCredentials(page, ADA);
      await page.locator(".grid a").first().waitFor();

      // The lock does not lose it either.
      await setBrowserPhrase(page, url, BROWSER_PHRASE);
      await page.getByRole("button", { name: "Lock now" }).last().click();
      const locked = page.getByRole("heading", { name: "Locked" });
      await locked.waitFor();
      await page.getByRole("button", { name: "I forgot it" }).click();
      await dialog.getByText("Open your photos with your browser phrase first")
        .waitFor();
      await expectRefused("keys_stay_locked");
      await dialog.getByRole("button", { name: "Back" }).click();
      await page.getByLabel("Browser phrase").fill(BROWSER_PHRASE);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByRole("navigation", { name: "strongroom" }).waitFor();
    });
  },
);

appStory(
  "who has words is asked before a browser deletes the key, and is told what opens the photos afterwards",
  async ({ url, visit, operator }) => {
    await visit(async ({ page }) => {
      const words = await signUp(page, url, ADA);
      await operator("account", "sign-out", ADA);
      await page.reload();
      const forget = { name: "Forget me in this browser" };
      await page.getByRole("button", forget).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("This deletes your key from this browser")
        .waitFor();
      await dialog.getByText("You also need your 24 words, or another device")
        .waitFor();
      await expectAccessible(page);
      await screenOf(page, "keys_go_ended");
      await page.setViewportSize(PHONE.viewport);
      await screenOf(page, "keys_go_ended_phone");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await page.reload();
      await page.getByRole("heading", { name: "You were signed out" })
        .waitFor();
      await page.getByRole("button", forget).click();
      await dialog.getByRole("button", forget).click();
      await page.getByRole("button", { name: "Create an account" }).waitFor();

      const openWithWords = async () => {
        await signInAt(page, url, ADA);
        await page.getByRole("button", { name: /^With your 24 words/ }).click();
        await page.getByLabel("Your 24 words").fill(words);
        await page.getByRole("button", { name: "Open", exact: true }).click();
        await photosOf(page).waitFor();
      };
      await openWithWords();
      await setBrowserPhrase(page, url, BROWSER_PHRASE);
      await page.getByRole("button", { name: "Lock now" }).last().click();
      await page.getByRole("button", { name: "I forgot it" }).click();
      await dialog.getByText("You also need your 24 words").waitFor();
      await dialog.getByRole("button", { name: "Forget and sign in" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await openWithWords();
    });
  },
);

const BOB = "bob@example.org";
const BROWSER_PHRASE = "seven quiet herons";

/** What the browser itself says of its promise. */
function isPromised(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { storage } = globalThis.navigator as unknown as {
      storage: { persisted(): Promise<boolean> };
    };
    return storage.persisted();
  });
}

appStory(
  "a forgotten password is set by the operator, and the person has to choose their own before anything else",
  async ({ url, visit, setPassword }) => {
    await visit(async ({ page }) => {
      const words = await signUp(page, url, ADA);
      const given = "what the operator typed";
      await setPassword(ADA, given);
      const next = "a wholly new sentence";
      await visit(async ({ page: other }) => {
        await other.goto(`${url}/#/sign-in`);
        await other.getByText("Forgot your password?").click();
        await other.getByText("to set a new one for you").waitFor();
        await giveCredentials(other, ADA, given);
        const own = other.getByRole("heading", {
          name: "Choose your own password",
        });
        await own.waitFor();
        await expectAccessible(other);
        const first = other.getByLabel("New password", { exact: true });
        const second = other.getByLabel("New password again");
        const set = other.getByRole("button", { name: "Set the password" });
        await set.click();
        await expectMissing(other, first, 2);
        await first.fill("too short");
        await second.fill("too short");
        await set.click();
        await other.getByText("At least 12 characters, please.").waitFor();
        await first.fill(next);
        await second.fill(`${next}!`);
        await set.click();
        await other.getByText("The two passwords differ.").waitFor();
        // Any other page leads here too, also after a reload.
        await other.goto(`${url}/#/settings/profile`);
        await other.reload();
        await own.waitFor();
        const before = other.getByLabel("Password that you were given");
        await before.fill(given);
        for (const refused of [given, "passwordpassword"]) {
          await first.fill(refused);
          await second.fill(refused);
          await set.click();
          await other.getByText(
            refused === given
              ? "Choose another password than the one"
              : "one of the most common passwords and",
          ).waitFor();
        }
        await expectAccessible(other);
        await first.fill(next);
        await second.fill(next);
        await set.click();
        await other.getByRole("button", { name: /^With your 24 words/ })
          .click();
        await other.getByLabel("Your 24 words").fill(words);
        await other.getByRole("button", { name: "Open", exact: true }).click();
        await own.waitFor({ state: "detached" });
        await other.goto(`${url}/#/photos`);
        await photosOf(other).waitFor();
      });
      // The browser of before opens by itself once it signs in.
      await page.getByRole("heading", { name: "You were signed out" })
        .waitFor();
      await giveCredentials(page, ADA, next);
      await photosOf(page).waitFor();
    });
  },
);

appStory(
  "a password is changed, a name is given, and the account is deleted",
  async ({ url, visit }) => {
    await visit(async ({ page }) => {
      await signUp(page, url, ADA);
      await typeAtOnce(page, "Your name", "Ada Lovelace");
      await page.goto(`${url}/#/settings/profile`);
      await page.getByLabel("Your handle").fill("Ada L");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("beginning with a letter.").first()
        .waitFor();
      await page.getByLabel("Your handle").fill("ada_l");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved").waitFor();
      await page.reload();
      await waitForValue(page, "Your name", "Ada Lovelace");
      await waitForValue(page, "Your handle", "ada_l");

      await page.goto(`${url}/#/settings/security`);
      await expectAccessible(page);
      const next = "another horse, another stable";
      await page.getByRole("button", { name: "Change password" }).click();
      const dialog = page.getByRole("dialog");
      const change = dialog.getByRole("button", { name: "Change password" });
      await page.getByLabel("Current password").fill("not the password");
      await page.getByLabel("New password").fill("passwordpassword");
      await change.click();
      await page.getByText("one of the most common passwords and").waitFor();
      await page.getByLabel("New password").fill(next);
      await change.click();
      await page.getByText("Wrong password.").waitFor();
      await page.getByLabel("Current password").fill(PASSWORD);
      await change.click();
      await page.getByText("Your password is changed.").waitFor();

      for (
        const name of [
          ...["You", "Security and devices", "Storage", "Find"],
          ...["Appearance", "Your phone"],
        ]
      ) {
        await page.getByRole("link", { name, exact: true }).click();
        await page.getByRole("heading", { name, level: 2 }).waitFor();
        await page.locator(".settings-page .group").first().waitFor();
        await expectAccessible(page);
      }
      const rooms = page.getByRole("navigation", { name: "Settings" });
      assert.equal(await rooms.getByRole("link").count(), 6);
      // Pages that had an address of their own are where they went.
      for (
        const [before, after, shown] of [
          ["profile", "settings/you", "Your handle"],
          ["devices", "settings/security/devices", "Add a device"],
          ["recovery", "settings/security/words", "Make new words"],
          ["browser", "settings/security/browser", "Lock this browser"],
          ["record", "safety", "Account status"],
          ["about", "safety", "Your key's fingerprint"],
        ] as const
      ) {
        await page.goto(`${url}/#/settings/${before}`);
        await page.waitForURL(`${url}/#/${after}`);
        await page.getByText(shown).first().waitFor();
      }
      await page.getByText("Account status").click();
      await page.getByText("has not restricted it").waitFor();
      await expectAccessible(page);
      await page.goto(`${url}/#/settings/you`);
      await page.getByRole("link", { name: "Delete account" }).click();
      await page.getByLabel("Type “delete everything” to continue")
        .fill("delete everything");
      await page.getByRole("button", { name: "Delete account" }).click();
      await page.getByRole("button", { name: "Create an account" }).waitFor();
      await page.goto(`${url}/#/sign-in`);
      await giveCredentials(page, ADA, next);
      await page.getByText("Wrong email address or password.")
        .waitFor();
    });
  },
);

/** A field is there before it is filled. */
async function waitForValue(
  page: Page,
  label: string,
  value: string,
): Promise<void> {
  const field = page.getByLabel(label);
  await field.waitFor();
  await until(() => field.inputValue(), value);
}

/** Types into a field in the very moment in which it comes to be there. */
async function typeAtOnce(
  page: Page,
  label: string,
  text: string,
): Promise<void> {
  await page.evaluate(`new MutationObserver((_, observer) => {
    const field = [...document.querySelectorAll("label")]
      .find((one) => one.textContent === ${JSON.stringify(label)})?.control;
    if (!field) return;
    observer.disconnect();
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }).observe(document, { childList: true, subtree: true })`);
}

Deno.test({
  name: "a person signs in at an identity provider and comes back to the app",
  ignore: CHROMIUM === "",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    withProvider((provider) => {
      provider.people.set("ada", { email: ADA, email_verified: true });
      return withApp(async ({ url, visit }) => {
        await visit(async ({ page }) => {
          await page.goto(`${url}/#/sign-in`);
          // The person's part at the provider is played by hand.
          let back = "";
          await page.route(`${provider.issuer}/**`, async (route) => {
            const sent = await walkThrough(route.request().url(), "ada");
            const { code, state } = sent;
            back = `${url}/?${new URLSearchParams({ code, state })}`;
            await route.fulfill({ status: 303, headers: { location: back } });
          });
          await page.getByRole("button", {
            name: "Sign in with your organisation",
          }).click();
          await photosOf(page).waitFor();
          assert.notEqual(back, "");
          assert(!page.url().includes("state="), page.url());
          await page.goto(`${url}/#/settings/you`);
          await page.getByText(ADA).waitFor();

          // Without a password only words remove a PIN, so they come first.
          await page.goto(`${url}/#/hidden`);
          await page.getByRole("button", { name: "Lock with a PIN" }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByLabel("PIN", { exact: true }).fill("2580");
          await dialog.getByLabel("PIN again").fill("2580");
          await dialog.getByRole("button", { name: "Save" }).click();
          await dialog.getByText("Write down your 24 words first.").waitFor();
          await page.keyboard.press("Escape");
          await page.goto(`${url}/#/words`);
          await writeWordsDown(page);
          await photosOf(page).waitFor();
          await page.goto(`${url}/#/hidden`);
          await page.getByRole("button", { name: "Lock with a PIN" }).click();
          await dialog.getByLabel("PIN", { exact: true }).fill("2580");
          await dialog.getByLabel("PIN again").fill("2580");
          await dialog.getByRole("button", { name: "Save" }).click();
          await page.getByText("Hidden photos are locked.").waitFor();
          await page.getByRole("button", { name: "I forgot it" }).click();
          await dialog.getByText("If you lost your words").waitFor();
          await page.keyboard.press("Escape");

          // An address from an attacker opens no session.
          await page.goto("about:blank");
          await page.goto(back);
          await photosOf(page).waitFor();
          assert(!page.url().includes("state="), page.url());
        });
        await visit(async ({ page }) => {
          await page.goto(`${url}/?code=x&state=y`);
          await page.getByRole("button", { name: "Create an account" })
            .waitFor();
          assert(!page.url().includes("state="), page.url());
        });
      }, { ...provider.settings, OIDC_ALLOW_LOOPBACK_REDIRECT: "on" });
    }, { redirectUri: "http://127.0.0.1/" }),
});
