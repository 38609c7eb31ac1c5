/**
 * The operator's page in the app (accounts-and-moderation/operators-page.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { Secret } from "otpauth";
import type { Page } from "playwright-core";
import { totpCode } from "../../src/crypto/totp.ts";
import { makeRequest } from "../support/app.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { expectEmpty, expectJson, type Json } from "../support/expect.ts";
import { appStory, nightStory, PASSWORD, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer } from "../support/web_people.ts";

/** Where pictures of the screens go, for whoever wants to look at them. */
const PICTURES = Deno.env.get("TEST_PICTURES");

/** Gives an account a second factor; returns the code of some steps from now. */
async function secondFactor(url: string, address: string) {
  const send = async (path: string, json: Json, token?: string) =>
    await fetch(makeRequest(
      "POST",
      path,
      { json, ...token === undefined ? {} : { token } },
      url,
    ));
  const { access_token: token } = await expectJson(
    await send("/v1/auth/login", { address, password: PASSWORD }),
    200,
  );
  const { secret } = await expectJson(
    await send("/v1/auth/totp/enroll", {}, token),
    200,
  );
  const bytes = new Uint8Array(Secret.fromBase32(secret).buffer);
  const code = (steps: number) => totpCode(bytes, Date.now() + steps * 30_000);
  await expectEmpty(
    await send("/v1/auth/totp/verify-enrollment", { code: code(0) }, token),
    204,
  );
  return code;
}

/** Suspends Bob and ends that, signs him out, and makes him a link. */
async function managesBob(
  page: Page,
  picture: (name: string) => Promise<void>,
): Promise<void> {
  const dialog = page.getByRole("dialog");
  const open = async () => {
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Manage bob@example.org" }).click();
  };
  const press = (name: string) =>
    dialog.getByRole("button", { name, exact: true }).click();
  const row = page.locator("li", { hasText: "bob@example.org" });
  await open();
  await dialog.getByLabel("Reason").fill("a lost phone");
  await press("Suspend");
  await row.getByText("suspended", { exact: true }).waitFor();
  await open();
  await picture("suspended");
  await press("End the suspension");
  await row.getByText("suspended", { exact: true })
    .waitFor({ state: "detached" });
  await open();
  await press("Sign out everywhere");
  await page.getByText(/device(s are| is) signed out/).waitFor();
  await open();
  await dialog.getByText("strongroom account set-password bob@example.org")
    .waitFor();
  await picture("forgotten");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content = 0, screen = 0] = await page.evaluate<number[]>(
    "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(" +
      "document.documentElement)",
  );
  assert(content <= screen, `${content} px on ${screen}`);
}

for (
  const [where, options] of [
    ["on a desk", { viewport: { width: 1280, height: 800 } }],
    ["on a phone", PHONE],
  ] as const
) {
  const story = where === "on a desk" ? appStory : nightStory;
  story(
    `an operator looks after the server and its people, ${where}`,
    async ({ url, visit, operator }) => {
      const ada = await photographer(url, "ada");
      await photographer(url, "bob");
      // While nothing else writes: here the command is in the same process.
      await operator("account", "operator", ada.address, "on");
      await visit(async (visitor) => {
        const { page } = visitor;
        const picture = async (name: string) => {
          await expectAccessible(page);
          if (PICTURES === undefined) return;
          const width = page.viewportSize()?.width;
          await page.screenshot({
            path: `${PICTURES}/${name}-${width}.png`,
            fullPage: true,
          });
        };
        await openPhotos(page, url, ada);
        await page.goto(`${url}/#/settings`);
        const entry = page.getByRole("link", { name: "Run the server" });
        await entry.click();
        await page.getByText("needs a second factor")
          .waitFor();
        const code = await secondFactor(url, ada.address);
        await page.reload();
        await page.getByLabel("Password", { exact: true })
          .fill(PASSWORD);
        await page.getByLabel("Code from").fill(code(1));
        await picture("present");
        await page.keyboard.press("Enter");
        await page.getByText("bob@example.org").waitFor();
        await picture("overview");

        await page.getByRole("button", {
          name: "Manage bob@example.org",
        }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Storage for this")
          .fill("50");
        await picture("manage");
        await page.keyboard.press("Enter");
        await page.getByText(/ of [\d.]+ G\w+ stored/).waitFor();

        await managesBob(page, picture);

        await page.getByRole("button", { name: "Invite" })
          .click();
        await page.getByLabel("Storage for the account").fill("2,5");
        await page.keyboard.press("Enter");
        const link = page.locator(".made-link");
        await link.waitFor();
        assert.match(await link.innerText(), /\/#\/invited\/[\w-]{22}$/);
        await page.locator("dialog svg, dialog canvas").first().waitFor();
        await picture("invited");
        await page.keyboard.press("Escape");
        await page.getByText(/^Until .*, 2\.5\sGiB$/).waitFor();
        await page.getByRole("button", {
          name: "Withdraw the",
        }).click();
        await page.getByText("No open invitations")
          .waitFor();
        await page.evaluate(
          `localStorage.setItem("strongroom.language", "de"); location.reload()`,
        );
        await page.getByRole("heading", { name: "Zustand des Servers" })
          .waitFor();
        await page.getByRole("button", { name: "Verwalten: bob@example.org" })
          .click();
        await page.getByRole("button", { name: "Überall abmelden" }).waitFor();
        await picture("in-german");
        await expectNoSidewaysScroll(page);
        expectQuiet(visitor, url);
      }, options);
      const log = await operator("operator", "log");
      assert.match(log, /ada@example\.org {2}quota {2}bob@example\.org/);
      assert.match(log, /ada@example\.org {2}uninvite/);
      for (const act of ["suspend", "reinstate", "sign-out"]) {
        const line = new RegExp(`ada@example\\.org {2}${act} {2}bob@example`);
        assert.match(log, line);
      }
    },
  );
}
