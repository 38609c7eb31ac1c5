/**
 * What a connection is worth, as the app judges it, which address links get, and
 * what is said where the account is no more.
 *
 * @module
 */
import assert from "node:assert/strict";
import { connectionOf, isOwnNetwork } from "../../src/web/app/connection.ts";
import { withLiar } from "../support/intercepting_server.ts";
import {
  addPhotos,
  appStory,
  samplePhotos,
  signUp,
} from "../support/web_app.ts";

Deno.test("addresses of a home are told from those of the public network", () => {
  for (
    const own of [
      "localhost",
      "127.0.0.1",
      "10.1.2.3",
      "172.16.0.9",
      "172.31.255.1",
      "192.168.178.20",
      "169.254.3.4",
      "100.64.0.7",
      "[::1]",
      "[fd00::5]",
      "[fe80::1]",
      "nas",
      "nas.local",
      "photos.home.arpa",
      "NAS.fritz.box",
      "photos.lan.",
    ]
  ) assert(isOwnNetwork(own), own);
  for (
    const other of [
      "photos.example.org",
      "8.8.8.8",
      "172.32.0.1",
      "172.15.0.1",
      "192.169.0.1",
      "100.128.0.1",
      "10.example.org",
      "192.168.0.1.example.org",
      "[2001:db8::1]",
      "notlocal.org",
    ]
  ) assert(!isOwnNetwork(other), other);
});

Deno.test("https is safe wherever it is, and plain http on this very machine", () => {
  const at = (protocol: string, hostname: string, isSecure: boolean) =>
    connectionOf({ protocol, hostname }, isSecure);
  assert.equal(at("https:", "photos.example.org", true), "safe");
  assert.equal(at("http:", "127.0.0.1", true), "safe");
  assert.equal(at("http:", "192.168.1.2", false), "home");
  assert.equal(at("http:", "photos.example.org", false), "public");
});

appStory(
  "links and codes use the page's address, whatever the server says, until a person confirms another",
  async ({ url: server, visit }) => {
    const evil = "https://evil.example";
    await withLiar(server, evil, async (url) => {
      await visit(async ({ page }) => {
        await signUp(page, url, "ada@example.org");
        const ask = async () => {
          await page.goto(`${url}/#/sharing/requests`);
          await page.getByRole("button", { name: "Ask for photos" }).first()
            .click();
          await page.getByLabel("What you are asking for, and who you are")
            .fill(
              "Photos",
            );
          await page.getByRole("button", { name: "Create link" }).click();
          const link = await page.getByLabel("Link", { exact: true })
            .inputValue();
          const notice = page.getByText("Use that address in links");
          return { link, notice };
        };
        const before = await ask();
        assert(before.link.startsWith(`${url}/u/`), before.link);
        await page.getByText(`others reach it at ${evil}`).waitFor();
        await before.notice.waitFor();
        await page.getByText("only on this computer").first().waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Close" })
          .first().click();
        const device = async (origin: string) => {
          await page.goto(`${url}/#/settings/devices`);
          await page.getByRole("button", { name: "Add a device" }).click();
          await page.getByText(origin, { exact: true }).waitFor();
          await page.getByRole("dialog").getByRole("button", { name: "Close" })
            .first().click();
        };
        await device(url);

        // Settings tell both; the person decides once, and for all links.
        await page.goto(`${url}/#/safety`);
        await page.locator("summary").filter({
          hasText: "Address of your links",
        }).click();
        const group = page.getByRole("region", {
          name: "Address of your links",
        });
        await group.getByText(url, { exact: true }).waitFor();
        await group.getByRole("button", { name: `Use ${evil}` }).click();
        await group.getByText("Confirmed by you").waitFor();
        await device(evil);
        const after = await ask();
        assert(after.link.startsWith(`${evil}/u/`), after.link);
        assert.equal(await after.notice.count(), 0);
      });
    });
  },
);

appStory(
  "a browser whose account was deleted says so, and shows no error of its own",
  async ({ url, operator, visit }) => {
    await visit(async ({ page, complaints }) => {
      await signUp(page, url, "ada@example.org");
      await addPhotos(page, samplePhotos().slice(0, 2));
      await operator("account", "delete", "ada@example.org", "--yes");
      await page.reload();
      await page.getByText("or its session expired").waitFor();
      assert.deepEqual(complaints.filter((one) => /open/.test(one)), []);
    });
  },
);
