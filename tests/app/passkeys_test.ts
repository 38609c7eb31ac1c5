/**
 * Passkeys in the app, with Chromium's virtual authenticators
 * (protocol/authentication.md#passkeys). Their PRF opens the keys.
 *
 * @module
 */
import type { CDPSession, Page } from "playwright-core";
import { freePort } from "../../scripts/demo/server.ts";
import { expectAccessible } from "../support/axe.ts";
import { appStory, signUp } from "../support/web_app.ts";

const ADA = "ada@example.org";
/** Browsers offer no passkeys under a bare address. */
const PORT = freePort();
const URL_HERE = `http://localhost:${PORT}`;
const SETTINGS = {
  STRONGROOM_LISTEN: `127.0.0.1:${PORT}`,
  STRONGROOM_BASE_URL: URL_HERE,
};

/** What an authenticator holds, with the secrets. */
async function credentialsOf(cdp: CDPSession, authenticatorId: string) {
  const held = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
  return held.credentials;
}

/** Puts an authenticator at the page; resolves to what takes it away. */
async function authenticator(
  cdp: CDPSession,
  { hasPrf }: { readonly hasPrf: boolean },
) {
  const { authenticatorId } = await cdp.send(
    "WebAuthn.addVirtualAuthenticator",
    {
      options: {
        protocol: "ctap2",
        ctap2Version: "ctap2_1",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
        hasPrf,
      },
    },
  );
  return {
    id: authenticatorId,
    remove: () =>
      cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId }),
  };
}

/** With a browser phrase, hidden photos open with the passkey, too. */
async function opensHidden(page: Page) {
  const back = page.url();
  await page.goto(`${URL_HERE}/#/settings/browser`);
  const set = page.getByRole("button", { name: "Set a browser phrase" });
  await set.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Browser phrase").fill("seven quiet herons");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.goto(`${URL_HERE}/#/hidden`);
  await page.getByText("Hidden photos are locked.").waitFor();
  await page.getByRole("button", { name: "With a passkey" }).click();
  await page.getByRole("heading", { name: "Nothing is hidden" }).waitFor();
  await page.getByText("Open for five minutes.").waitFor();
  // What follows is about a browser without a phrase.
  await page.goto(`${URL_HERE}/#/settings/browser`);
  await page.getByRole("button", { name: "Remove it" }).click();
  await set.waitFor();
  await page.goto(back);
}

async function signOut(page: Page) {
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" })
    .click();
  await page.getByRole("button", { name: "Create an account" }).waitFor();
}

appStory(
  "a passkey with PRF signs in and opens the photos, one without signs in, and a removed one does neither",
  async ({ visit }) => {
    await visit(async ({ page, context }) => {
      const cdp = await context.newCDPSession(page);
      await cdp.send("WebAuthn.enable");
      const first = await authenticator(cdp, { hasPrf: true });
      await signUp(page, URL_HERE, ADA);
      await page.goto(`${URL_HERE}/#/settings/security`);
      const list = page.getByRole("region", { name: "Passkeys" });
      await list.getByText("You have no passkeys yet").waitFor();
      const add = list.getByRole("button", { name: "Add a passkey" });
      await add.click();
      await page.getByText("It opens your photos too").waitFor();
      await list.getByText("Signs in and opens your photos").waitFor();
      await opensHidden(page);
      await expectAccessible(page);
      await add.click();
      await list.getByText("has a passkey for you already").waitFor();
      await list.getByRole("button", { name: /^Rename/ }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Telephone");
      await dialog.getByLabel("Name").press("Enter");
      await list.getByText("Telephone", { exact: true }).waitFor();

      // Nothing is typed, and the photos are open.
      await signOut(page);
      await page.goto(`${URL_HERE}/#/sign-in`);
      const passkey = page.getByRole("button", {
        name: "Sign in with a passkey",
      });
      await passkey.waitFor();
      await expectAccessible(page);
      await passkey.click();
      await page.getByRole("heading", { name: "No photos yet" }).waitFor();

      // Removed from the account, it is still in its device, and known there.
      const known = await credentialsOf(cdp, first.id);
      await page.goto(`${URL_HERE}/#/settings/security`);
      await list.getByRole("button", { name: "Remove “Telephone”" }).click();
      await dialog.getByText("It does not sign you in any more").waitFor();
      await dialog.getByRole("button", { name: "Remove", exact: true }).click();
      await list.getByText("You have no passkeys yet").waitFor();

      await first.remove();
      const second = await authenticator(cdp, { hasPrf: false });
      await page.goto(`${URL_HERE}/#/settings/security`);
      await add.click();
      await list.getByText(/^Signs in; a new device still needs/).waitFor();
      await signOut(page);
      await page.goto(`${URL_HERE}/#/sign-in`);
      await passkey.click();
      await page.getByRole("button", { name: /^With your 24 words/ }).waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      // It leads away from here by itself.
      await page.getByRole("button", { name: "Create an account" }).waitFor();

      await second.remove();
      const third = await authenticator(cdp, { hasPrf: true });
      await page.goto(`${URL_HERE}/#/sign-in`);
      await passkey.click();
      await page.getByText("No passkey was used").waitFor();
      for (const credential of known) {
        await cdp.send("WebAuthn.addCredential", {
          authenticatorId: third.id,
          credential,
        });
      }
      await passkey.click();
      await page.getByText("This passkey does not sign in here").waitFor();
    });
  },
  SETTINGS,
);
