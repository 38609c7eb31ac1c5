/**
 * Albums with people of other servers in the app, in a browser that two servers
 * of their own origins are open to, one of them or none.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  acceptAbroad,
  addContact,
  askOwner,
  followAbroad,
  inviteAbroad,
  knock,
  makeCard,
  pickupLinkOf,
  readMailbox,
  readPickup,
  removeAbroad,
} from "../../src/library/abroad/abroad.ts";
import { makeAuthority } from "../support/certificates.ts";
import { expectAccessible } from "../support/axe.ts";
import {
  CHROMIUM,
  sharedChromium,
  type VisitorOptions,
} from "../support/browser.ts";
import { expectDone } from "../support/ended.ts";
import { pictureOf } from "../support/pictures.ts";
import { runProcess, serveHere, withDataDir } from "../support/program.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
  sample,
} from "../support/web_people.ts";

const browser = sharedChromium();

interface Server {
  readonly url: string;
  readonly host: string;
  /** Pins another server, as the operator does. */
  readonly pin: (other: Server) => Promise<void>;
  readonly stop: () => Promise<unknown>;
}

/** What a server with a certificate has, and those who know its authority. */
interface Tls {
  readonly settings: Readonly<Record<string, string>>;
  readonly client: Deno.HttpClient;
}

/** Certificates that the test makes. */
async function makeTls(folder: string): Promise<Tls> {
  const authority = await makeAuthority(folder);
  const files = { cert: `${folder}/tls.pem`, key: `${folder}/tls.key` };
  await authority.issue("both", files);
  return {
    settings: {
      STRONGROOM_TLS_CERT: files.cert,
      STRONGROOM_TLS_KEY: files.key,
    },
    client: Deno.createHttpClient({ caCerts: [authority.pem] }),
  };
}

async function startServer(dataDir: string, tls?: Tls): Promise<Server> {
  const given = {
    STRONGROOM_DATA_DIR: dataDir,
    STRONGROOM_ARGON2_MEMORY_KIB: "8",
    STRONGROOM_FEDERATION: "on",
  };
  const { url, stop } = await serveHere({ ...given, ...tls?.settings });
  const own = tls === undefined ? {} : { client: tls.client };
  return {
    url,
    host: new URL(url).host,
    stop,
    async pin(other) {
      const info = await fetch(
        `${other.url}/.well-known/service/server-info`,
        own,
      );
      const { server_id, signing_key } = await info.json();
      expectDone(
        await runProcess(["peer", "pin", server_id, signing_key], given),
      );
    },
  };
}

/** A story of two servers; passed over where there is no browser. */
function twoServers(
  name: string,
  test: (story: {
    readonly host: Server;
    readonly home: Server;
    readonly visit: (
      test: (page: Page) => Promise<void>,
      options?: VisitorOptions,
    ) => Promise<void>;
    readonly person: (server: Server, name: string) => Promise<Photographer>;
  }) => Promise<void>,
  { isTls = false } = {},
): void {
  Deno.test({
    name,
    ignore: CHROMIUM === "",
    // The driver keeps its pipes to the browser for a moment.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () =>
      withDataDir(async (folder) => {
        const servers: Server[] = [];
        const tls = isTls ? await makeTls(folder) : undefined;
        try {
          servers.push(await startServer(`${folder}/host`, tls));
          servers.push(await startServer(`${folder}/home`, tls));
          const [host, home] = servers;
          assert(host !== undefined && home !== undefined);
          await test({
            host,
            home,
            visit: (visit, options) =>
              browser.visit(({ page }) => visit(page), {
                ...options,
                believesAnyCertificate: isTls,
              }),
            person: ({ url }, name) => photographer(url, name, tls?.client),
          });
        } finally {
          for (const { stop } of servers) await stop();
          tls?.client.close();
        }
      }),
  });
}

/** Ada's album at the host, with two photos. */
async function albumOf({ library }: Photographer): Promise<string> {
  const { id } = await library.albums.create({ title: "Bornholm" });
  for (const name of ["cat.jpg", "coffee.jpg"]) {
    await library.take(await sample(name), { albumId: id });
  }
  return id;
}

/** Reports the photo that is shown, to the operator of the own server. */
async function reportsIt(page: Page, host: Server): Promise<void> {
  await page.locator(".lightbox").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Report" }).click();
  const dialog = page.getByRole("dialog", { name: "Report" });
  await dialog.getByText(`operator of ${host.host}`).waitFor();
  await dialog.getByLabel("Reason").fill("It isn't hers");
  const command = await dialog.locator("code").innerText();
  const hex = /--asset-hash '[0-9a-f]{64}'/;
  assert.match(command, /^strongroom report send --to 'https?:.* --user '/);
  assert.match(command, hex);
  assert.ok(command.includes(`--to '${host.url}'`));
  assert.ok(command.endsWith("--reason 'It isn'\\''t hers'"));
  await expectAccessible(page);
  await pictureOf(page, "abroad_report");
  await dialog.getByRole("button", { name: "Copy" }).click();
  await dialog.waitFor({ state: "detached" });
}

const link = (page: Page) => page.getByLabel("Link", { exact: true });

twoServers(
  "Bob accepts an invitation in the app once his server's operator pinned the other one, and sees the album without it",
  async ({ host, home, visit, person }) => {
    const ada = await person(host, "ada");
    const bob = await person(home, "bob");
    assert.match(host.url, /^https:/);
    const albumId = await albumOf(ada);
    await visit(async (page) => {
      await openPhotos(page, home.url, bob);
      await page.goto(`${home.url}/#/settings/contact`);
      await page.getByLabel("Your name on the card").fill("Bob");
      await pictureOf(page, "abroad_card");
      await page.getByRole("button", { name: "Make a card" }).click();
      const card = await link(page).inputValue();
      await pictureOf(page, "abroad_card_made");
      await expectAccessible(page);
      const { member, safetyNumber } = await addContact(ada.library, card);
      const pickup = await inviteAbroad(ada.library, albumId, member);

      await page.goto(`${home.url}/#/albums`);
      await page.getByRole("button", { name: /^Accept an invitation/ }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Invitation link").fill(pickup);
      await dialog.getByRole("button", { name: "Open" }).click();
      await dialog.getByText(
        `Your server does not let its web app talk to ${host.host}`,
      ).waitFor();
      await pictureOf(page, "abroad_not_pinned");

      await home.pin(host);
      await dialog.getByRole("button", { name: "Open" }).click();
      await dialog.getByText(`on ${host.host} lets you into an album`)
        .waitFor();
      const shown = await dialog.getByRole("group", { name: "Safety number" })
        .innerText();
      assert.equal(shown.split(/\s+/).join(" ").trim(), safetyNumber);
      await pictureOf(page, "abroad_invitation");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Accept" }).click();

      await page.getByRole("heading", { name: "Bornholm" }).waitFor();
      await page.locator(".tile img").nth(1).waitFor();
      await page.getByText(`on ${host.host}`).first().waitFor();
      await pictureOf(page, "abroad_album");
      await expectAccessible(page);
      await page.locator(".tile > a").first().click();
      await page.locator(".lightbox img").first().waitFor();
      await reportsIt(page, host);
      await page.getByRole("button", { name: "Copy to my library" }).click();
      await page.getByText("Copied to your library: 1").waitFor();
      await page.goto(`${home.url}/#/albums`);
      await page.getByRole("heading", { name: "On other servers" }).waitFor();
      await pictureOf(page, "abroad_albums");

      // What was seen is there without the other server.
      await host.stop();
      await page.reload();
      await page.getByRole("link", { name: /^Bornholm/ }).click();
      await page.getByText(`${host.host} does not answer`).waitFor();
      await page.locator(".tile img").nth(1).waitFor();
      await pictureOf(page, "abroad_away");
      // It is in the library: a copy, with nothing of the other server's.
      await page.goto(`${home.url}/#/photos`);
      await page.locator(".tile img").first().waitFor();
      assert.equal(await page.locator(".tile").count(), 1);
    });
  },
  { isTls: true },
);

twoServers(
  "Ada lets a person of another server into an album in the app, compares, and takes them out again",
  async ({ host, home, visit }) => {
    const ada = await photographer(host.url, "ada");
    const bob = await photographer(home.url, "bob");
    const albumId = await albumOf(ada);
    const card = await makeCard(bob.library, { name: "Bob" });
    await host.pin(home);
    await visit(async (page) => {
      await openPhotos(page, host.url, ada);
      await page.goto(`${host.url}/#/album/${albumId}`);
      await page.getByRole("button", { name: "Invite" }).click();
      await page.getByRole("button", { name: "Someone on another server" })
        .click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Contact card").fill(card.link);
      await pictureOf(page, "abroad_someone");
      await dialog.getByRole("button", { name: "Read the card" }).click();
      const number = dialog.getByRole("group", { name: "Safety number" });
      await number.waitFor();
      await pictureOf(page, "abroad_compare");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "They are the same" }).click();
      await dialog.getByLabel("Small pictures only").check();
      await dialog.getByRole("button", { name: "Let Bob in" }).click();
      const pickup = await link(page).inputValue();
      await dialog.getByText("Bob finds the invitation").waitFor();
      await pictureOf(page, "abroad_pickup");
      const { invited } = await readMailbox(bob.library, { heard: true });
      assert.equal(invited.length, 1);

      const read = await readPickup(bob.library, pickupLinkOf(pickup));
      await acceptAbroad(bob.library, read);
      const album = await followAbroad(bob.library, read.id);
      assert.equal(album.rows.length, 2);
      assert.ok(album.isSmall);

      await dialog.getByRole("button", { name: "Done" }).click();
      await dialog.getByText(`on ${home.host}`).waitFor();
      await pictureOf(page, "abroad_people");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "More: Bob" }).click();
      await dialog.getByRole("menuitem", { name: "Invitation link" }).click();
      assert.equal(await link(page).inputValue(), pickup);
      await dialog.getByRole("button", { name: "Done" }).click();
      await dialog.getByRole("button", { name: "More: Bob" }).click();
      await dialog.getByRole("menuitem", { name: "Remove from album" }).click();
      await page.getByRole("dialog").last()
        .getByRole("button", { name: "Remove from album" }).click();
      // Once all of its steps are done.
      await page.getByText("Bob can no longer see new photos").waitFor();
      await dialog.getByText(`on ${home.host}`).waitFor({ state: "detached" });
      const { paused } = await followAbroad(bob.library, read.id);
      assert.equal(paused?.reason, "ended");

      await askOwner(bob.library, read.id, { text: "Was that a mistake?" });
      await dialog.getByText(`Bob on ${home.host} asks to see this album again`)
        .waitFor();
      await dialog.getByText("Was that a mistake?").waitFor();
      await pictureOf(page, "abroad_asks");
      await expectAccessible(page);
      await bob.library.sync();
      await dialog.getByRole("button", { name: "Let Bob in" }).click();
      await dialog.getByText(`on ${home.host} ·`).waitFor();
      // All of it is done once his server has the knock.
      let isTold = false;
      for (let turn = 0; !isTold && turn < 4; turn++) {
        isTold = (await bob.library.sync({ wait: 30 })).contributions;
      }
      assert.ok(isTold);
      const again = await followAbroad(bob.library, read.id);
      assert.equal(again.paused, undefined);
    });
  },
);

twoServers(
  "an album that ended says so with one button, and its link opened at its own server leads to the person's own one",
  async ({ host, home, visit }) => {
    const ada = await photographer(host.url, "ada");
    const bob = await photographer(home.url, "bob");
    const albumId = await albumOf(ada);
    await home.pin(host);
    const { link: card } = await makeCard(bob.library, { name: "Bob" });
    const { member } = await addContact(ada.library, card);
    const pickup = await inviteAbroad(ada.library, albumId, member);
    assert.equal(await knock(ada.library, albumId, member), true);
    await visit(async (page) => {
      await openPhotos(page, home.url, bob);
      await page.goto(`${home.url}/#/albums`);
      const invitation = page.getByText(
        `on ${host.host} lets you into an album`,
      );
      await invitation.waitFor();
      await pictureOf(page, "abroad_invited");
      await expectAccessible(page);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("dialog").getByRole("group", {
        name: "Safety number",
      }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Decline" }).click();
      await invitation.waitFor({ state: "detached" });
      // As a person who got it by mail opens it.
      await page.goto(pickup);
      await page.getByRole("heading", { name: "For your own strongroom" })
        .waitFor();
      await pictureOf(page, "abroad_elsewhere");
      await expectAccessible(page);
      await page.getByLabel("Address of your server").fill(home.url);
      await page.getByRole("button", { name: "Open there" }).click();
      await page.getByRole("button", { name: "Accept" }).click();
      await page.locator(".tile img").nth(1).waitFor();

      await removeAbroad(ada.library, albumId, member);
      await page.goto(`${home.url}/#/albums`);
      await page.getByRole("link", { name: /^Bornholm/ }).click();
      await page.getByText("The owner ended your access").waitFor();
      await page.locator(".tile img").nth(1).waitFor();
      await pictureOf(page, "abroad_ended");
      await page.getByRole("button", { name: "Ask the owner" }).click();
      await page.getByText("The owner is asked").waitFor();
      const { asked } = await readMailbox(ada.library, { heard: true });
      assert.deepEqual(asked, [{ albumId, member }]);
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Leave album" }).click();
      await page.getByRole("dialog").getByRole("button", {
        name: "Leave album",
      })
        .click();
      await page.getByText("You left “Bornholm”").waitFor();
    });
  },
);
