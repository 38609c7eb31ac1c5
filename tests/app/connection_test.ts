/**
 * What a connection is worth, as the app judges it, which address links get, and
 * what is said where the account is no more.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  connectionOf,
  isOwnNetwork,
  publicOrigin,
} from "../../src/web/app/connection.ts";
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

Deno.test("links are of the address that the server tells, unless only this computer reaches it", () => {
  const here = "http://127.0.0.1:8470";
  assert.equal(
    publicOrigin(here, "https://photos.example"),
    "https://photos.example",
  );
  assert.equal(
    publicOrigin(here, "http://192.168.1.20:8470"),
    "http://192.168.1.20:8470",
  );
  // What it tells where the operator set nothing.
  for (const own of [here, "http://photos.lan:8470"]) {
    for (const told of [here, "http://localhost:8470", "http://[::1]:8470"]) {
      assert.equal(publicOrigin(own, told), own);
    }
  }
  const safe = "https://photos.example";
  for (const told of ["http://photos.example", "javascript:1", "", "photos"]) {
    assert.equal(publicOrigin(safe, told), safe);
  }
});

appStory(
  "links and codes are of the server's public address, and one that opens only here is warned of",
  async ({ url, visit }) => {
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      const ask = async () => {
        await page.goto(`${url}/#/sharing/requests`);
        await page.getByRole("button", { name: "Ask for photos" }).first()
          .click();
        await page.getByLabel("What you ask for, and who you are").fill(
          "Photos",
        );
        await page.getByRole("button", { name: "Create link" }).click();
        return await page.getByLabel("Link", { exact: true }).inputValue();
      };
      assert.match(await ask(), /^https:\/\/photos\.example\.org\/u\//);
      assert.equal(await page.getByText("only on this computer").count(), 0);
      await page.getByRole("dialog").getByRole("button", { name: "Close" })
        .first().click();
      await page.goto(`${url}/#/settings/devices`);
      await page.getByRole("button", { name: "Add a device" }).click();
      await page.getByText("https://photos.example.org", { exact: true })
        .waitFor();
    });
  },
  { STRONGROOM_BASE_URL: "https://photos.example.org" },
);

appStory(
  "a browser whose account was deleted says so, and shows no error of its own",
  async ({ url, operator, visit }) => {
    await visit(async ({ page, complaints }) => {
      await signUp(page, url, "ada@example.org");
      await addPhotos(page, samplePhotos().slice(0, 2));
      await operator("account", "delete", "ada@example.org", "--yes");
      await page.reload();
      await page.getByText("it no longer exists").waitFor();
      assert.deepEqual(complaints.filter((one) => /open/.test(one)), []);
    });
  },
);
