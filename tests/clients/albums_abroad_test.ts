/**
 * Albums of other servers through the library: what a host cannot do to a
 * member, what is kept alive while devices are off, and removals that are cut
 * off (protocol/albums-abroad.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  IdentityChanged,
  type Library,
  memoryStore,
  openLibrary,
  PHRASE_LABEL,
  recoverVault,
  type Row,
} from "../../src/library/mod.ts";
import {
  acceptAbroad,
  addContact,
  followAbroad,
  forgetContact,
  inviteAbroad,
  joinedAbroad,
  keepGiven,
  leaveAbroad,
  listContacts,
  makeCard,
  openAbroad,
  pickupLinkOf,
  readPickup,
  removeAbroad,
} from "../../src/library/abroad/abroad.ts";
import {
  signCard,
  verifyCard,
} from "../../src/client/documents/contact_card.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import { openAmk, signRoster } from "../../src/client/documents/roster.ts";
import { createClient } from "../../src/client/api/api.ts";
import { ConnectionError } from "../../src/client/api/transport.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { AlbumLeft } from "../../src/library/abroad/abroad_fault.ts";
import {
  abroadStore,
  clearAbroadStore,
} from "../../src/library/abroad/abroad_store.ts";
import { checkHostLog } from "../../src/library/abroad/host_log.ts";
import { openIndex } from "../../src/library/rows/asset_index.ts";
import { ORIGIN, seededRandom, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  libraryOn,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { restoreCapabilities } from "../support/storage.ts";
import { idOf } from "../support/album_cast.ts";
import { PHRASE } from "../support/new_devices.ts";
import {
  cardInBetween,
  type Cast,
  DAY,
  forgedPickup,
  HOME,
  keptAbroad,
  letIn,
  mintedOn,
  phoneOf,
  revokedOn,
  rosterOf,
  seen,
  take,
  withTwoServers,
} from "../support/abroad.ts";

Deno.test("a member abroad sees the album as it goes on, through new epochs, and nothing of it is in their library", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, deviceOf } = cast;
    const { albumId, id, owner, safetyNumber } = await letIn(cast);
    const own = [...bob.index.rows()].map((row) => row.id);
    assert.deepEqual(await seen(bob, id), {
      names: ["first"],
      paused: undefined,
    });
    assert.equal((await bob.people.known(owner)).safetyNumber, safetyNumber);

    // A person of the host adds, and is removed: then the key is another one.
    const eve = await beginLibrary(deviceOf(ORIGIN, "eve's"), "eve");
    await ada.albums.invite(albumId, idOf(eve), "contributor");
    await eve.sync();
    await take(eve, "of eve", albumId);
    await ada.sync();
    assert.deepEqual((await seen(bob, id)).names, ["first", "of eve"]);
    await ada.albums.remove(albumId, idOf(eve));
    await ada.albums.describe(albumId, { title: "Bornholm 2026" });
    await take(ada, "second", albumId);
    const album = await followAbroad(bob, id);
    assert.equal(album.title, "Bornholm 2026");
    assert.deepEqual((await seen(bob, id)).names, [
      "first",
      "of eve",
      "second",
    ]);
    assert.equal((await rosterOf(ada, albumId)).amk_epoch, 1);

    const [first] = ada.list().filter(({ metadata }) =>
      metadata?.name === "first.jpg"
    );
    await ada.vault.session.account.deleteAsset(first?.id ?? "");
    assert.deepEqual((await seen(bob, id)).names, ["of eve", "second"]);
    assert.deepEqual(bob.list(), []);
    assert.deepEqual([...bob.index.rows()].map((row) => row.id), own);

    await leaveAbroad(bob, id);
    assert.deepEqual(await joinedAbroad(bob), []);
    assert.deepEqual(await keptAbroad(bob), []);
  });
});

Deno.test("an album that was left stays left when its host answers late", async () => {
  const late = [
    { path: /\/roster$/, later: 0 },
    { path: /\/v1\/sync$/, later: 0 },
    { path: /\/refresh$/, later: DAY * 0.6 },
    // The device has the entry of another one's, and reads the pickup.
    { path: /\/s\//, later: 0, isNew: true },
  ];
  for (const { path, later, isNew = false } of late) {
    await withTwoServers(async (cast) => {
      const { bob, host, pass } = cast;
      const { id } = await letIn(cast);
      await seen(bob, id);
      pass(later);
      if (isNew) await clearAbroadStore(bob.store, id);
      let isLeft = false;
      host.intercept = async (request, pass) => {
        const answer = await pass(request);
        if (isLeft || !path.test(new URL(request.url).pathname)) return answer;
        isLeft = true;
        await leaveAbroad(bob, id);
        return answer;
      };
      await assert.rejects(followAbroad(bob, id), AlbumLeft, path.source);
      assert.ok(isLeft, path.source);
      assert.deepEqual(await joinedAbroad(bob), [], path.source);
      assert.deepEqual(await keptAbroad(bob), [], path.source);
    });
  }
});

Deno.test("an album that was left on one device is joined again by no other one", async () => {
  await withTwoServers(async (cast) => {
    const { bob, pass } = cast;
    const { id } = await letIn(cast);
    await seen(bob, id);
    const albums = inApp(bob);
    assert.deepEqual(await albums.open(), [id]);
    const phone = await phoneOf(cast);
    await leaveAbroad(phone, id);
    pass(DAY * 0.6);
    await albums.follow(id);
    assert.deepEqual(await albums.open(), []);
    await (await phone.abroad()).read({ again: true });
    assert.deepEqual(await joinedAbroad(phone), []);
  });
});

Deno.test("a device that follows its feed hears that another one left an album", async () => {
  await withTwoServers(async (cast) => {
    const { bob } = cast;
    const { id } = await letIn(cast);
    await bob.sync();
    assert.deepEqual(await joinedAbroad(bob), [id]);
    await leaveAbroad(await phoneOf(cast), id);
    await bob.sync();
    assert.deepEqual(await joinedAbroad(bob), []);
  });
});

Deno.test("a host that shows an older roster, another list of one number or another author's photo is not believed", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host } = cast;
    const { albumId, id } = await letIn(cast);
    await seen(bob, id);
    const before = await ada.vault.session.account.roster(albumId);
    await ada.albums.describe(albumId, { title: "Rügen" });
    const eve = await beginLibrary(cast.deviceOf(ORIGIN, "eve's"), "eve");
    const lie = (path: RegExp, body: (text: string) => BodyInit) => {
      host.intercept = async (request, pass) => {
        const answer = await pass(request);
        if (!path.test(new URL(request.url).pathname) || !answer.ok) {
          return answer;
        }
        const text = await answer.text();
        return new Response(body(text), {
          headers: { "Content-Type": answer.headers.get("Content-Type") ?? "" },
        });
      };
    };
    assert.equal((await seen(bob, id)).paused, undefined);
    lie(/roster$/, () => before);
    assert.match((await seen(bob, id)).paused ?? "", /older list of members/);

    await take(ada, "second", albumId);
    lie(/query$/, (text) => text.replaceAll(idOf(ada), idOf(eve)));
    assert.deepEqual((await seen(bob, id)).names, ["first"]);
  });
});

Deno.test("a list of members that is not the one in the host's public log pauses the album", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host, pass } = cast;
    const { albumId, id } = await letIn(cast);
    await host.app.advanceLogs();
    pass(2 * DAY);
    await host.app.advanceLogs();
    assert.equal((await seen(bob, id)).paused, undefined);

    // Ada's key signs another list of the next number, for Bob's eyes alone.
    const { vault: { identity, session } } = ada;
    const held = await rosterOf(ada, albumId);
    const other = await signRoster(identity.signer, {
      ...held,
      roster_version: held.roster_version + 1,
    });
    await ada.albums.describe(albumId, { title: "Rügen" });
    const honest = await session.account.roster(albumId);
    await host.app.advanceLogs();
    host.intercept = (request) =>
      request.url.endsWith("/roster")
        ? Promise.resolve(new Response(other))
        : undefined;
    assert.equal((await seen(bob, id)).paused, undefined);
    pass(DAY);
    assert.match((await seen(bob, id)).paused ?? "", /public log/);
    host.intercept = (request) =>
      request.url.endsWith("/roster")
        ? Promise.resolve(new Response(honest))
        : undefined;
    assert.match((await seen(bob, id)).paused ?? "", /of the same number/);
  });
});

Deno.test("a list of members that no one else can see pauses the album after a day, also where a clock was ahead, and no sooner where it was behind", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    await app.advanceLogs();
    const client = createClient({ baseUrl: ORIGIN, fetch: wire.fetch });
    const { keys } = await client.attestationKeys();
    const { platform } = deviceOf(wire, "bob's");
    const start = app.clock.now;
    let store = memoryStore();
    const look = (now: number) =>
      checkHostLog({
        client,
        platform: { ...platform, now: () => now },
        store,
      }, {
        albumId: "00000000-0000-7000-8000-000000000000",
        version: 2,
        sha256: "0".repeat(64),
        pinned: keys[0]?.keyId ?? "",
      });
    assert.equal(await look(start + 30 * DAY), undefined);
    assert.equal(await look(start), undefined);
    const refusal = /not in its server's public log/;
    await assert.rejects(look(start + DAY), refusal);
    // The clock began in 1970, and was then set.
    store = memoryStore();
    assert.equal(await look(2 * DAY), undefined);
    assert.equal(await look(start), undefined);
    assert.equal(await look(start + DAY - 1), undefined);
    await assert.rejects(look(start + DAY), refusal);
    // Who looks once a week is told the week after.
    store = memoryStore();
    for (const week of [0, 1]) {
      assert.equal(await look(start + 7 * week * DAY), undefined);
    }
    await assert.rejects(look(start + 14 * DAY), refusal);
  });
});

Deno.test("a public log that is gone is told, and the album goes on", async () => {
  await withTwoServers(async (cast) => {
    const { bob, host, pass } = cast;
    const { id } = await letIn(cast);
    await host.app.advanceLogs();
    assert.equal((await followAbroad(bob, id)).doubt, undefined);
    pass(2 * DAY);
    host.app = await host.app.reopen({
      STRONGROOM_FEDERATION: "on",
      STRONGROOM_LOGS: "off",
    });
    const { doubt, paused } = await followAbroad(bob, id);
    assert.match(doubt ?? "", /no longer shows its public log/);
    assert.equal(paused, undefined);
    // A server that answers with nonsense pauses it, and nothing else.
    host.intercept = () => Promise.resolve(new Response("?", { status: 418 }));
    const album = await followAbroad(bob, id);
    assert.match(album.paused?.text ?? "", /answers with an error/);
    assert.equal(album.rows.length, 1);
  });
});

/** What of the albums in the app these tests use: its modules want a browser. */
interface InApp {
  open(): Promise<readonly string[]>;
  follow(id: string): Promise<void>;
  followDue(): Promise<void>;
  card(
    id: string,
  ): Promise<{ readonly count: number; readonly stopped?: string }>;
}

const IN_APP = new URL(
  "../../src/web/workers/abroad/abroad_albums.ts",
  import.meta.url,
);
const { AbroadAlbums }: {
  AbroadAlbums: new (
    library: Library,
    line: { readonly isBlocked: () => boolean },
    changed: () => void,
  ) => InApp;
} = await import(IN_APP.href);

const inApp = (library: Library) =>
  new AbroadAlbums(library, { isBlocked: () => false }, () => {});

Deno.test("an album whose host answers with nonsense keeps no other one shut, and is asked later", async () => {
  await withTwoServers(async (cast) => {
    const { bob, host, pass } = cast;
    const [one, two] = [await letIn(cast), await letIn(cast)];
    let isNonsense = true;
    let asked = 0;
    const { opaqueId } = pickupLinkOf(one.link);
    host.intercept = (request) => {
      if (!new URL(request.url).pathname.includes(opaqueId)) return undefined;
      asked += 1;
      return isNonsense
        ? Promise.resolve(new Response("?", { status: 418 }))
        : undefined;
    };
    const albums = inApp(bob);
    const ids = await albums.open();
    assert.deepEqual([...ids].sort(), [one.id, two.id].sort());
    await albums.followDue();
    assert.equal((await albums.card(one.id)).stopped, "error");
    assert.deepEqual(
      await albums.card(two.id).then(({ count, stopped }) => [count, stopped]),
      [1, undefined],
    );
    const before = asked;
    await albums.open();
    await albums.followDue();
    assert.equal(asked, before);
    isNonsense = false;
    pass(60_000);
    await albums.followDue();
    assert.ok(asked > before);
    assert.equal((await albums.card(one.id)).count, 1);
  });
});

Deno.test("whatever fails while an album is followed, the others are followed and it is asked later", async () => {
  await withTwoServers(async (cast) => {
    const { bob, host } = cast;
    const [one, two] = [await letIn(cast), await letIn(cast)];
    const albums = inApp(bob);
    await albums.open();
    const write = bob.store.write;
    let failed = 0;
    bob.store.write = (changes) => {
      const isOf = changes.some(({ key }) =>
        key.startsWith("abroad/") && key.includes(one.albumId)
      );
      if (!isOf) return write(changes);
      failed += 1;
      return Promise.reject(new Error("the disk is full"));
    };
    await albums.followDue();
    assert.equal(failed, 1);
    assert.equal((await albums.card(one.id)).stopped, "away");
    assert.equal((await albums.card(two.id)).count, 1);
    host.sent.length = 0;
    await albums.followDue();
    assert.deepEqual(host.sent, []);
  });
});

/** A host that shows Bob what it likes in place of an album's feed. */
function invent(
  { host }: Cast,
  { albumId, entries, blobs = 1 }: {
    readonly albumId: string;
    /** Photos in each page of the feed. */
    readonly entries: number;
    readonly blobs?: number;
  },
) {
  const told = { pages: 0 };
  const uuid = (n: number) =>
    `01930b6e-7a30-7c3a-8a8e-${n.toString(16).padStart(12, "0")}`;
  const hash = "0".repeat(64);
  const at = "2026-11-01T00:00:00Z";
  host.intercept = async (request, pass) => {
    const { pathname, searchParams } = new URL(request.url);
    const isBobs = (request.headers.get("Authorization") ?? "")
      .split(".").length === 3;
    if (!isBobs) return await pass(request);
    if (pathname === "/v1/sync") {
      const after = Number(searchParams.get("after"));
      const next = after + Math.max(entries, 1);
      told.pages += 1;
      return Response.json({
        feed_epoch: "invented",
        entries: Array.from({ length: Math.max(entries, 1) }, (_, n) => ({
          sync_seq: after + n + 1,
          action: entries === 0 ? "roster" : "create",
          ...(entries === 0 ? {} : { asset_id: uuid(after + n + 1) }),
          at,
        })),
        next_after: next,
        more: true,
      });
    }
    if (pathname !== "/v1/assets/query") return await pass(request);
    const { asset_ids }: { asset_ids: readonly string[] } = await request
      .json();
    return Response.json({
      assets: asset_ids.map((asset_id) => ({
        asset_id,
        album_id: albumId,
        owner: uuid(0),
        state: "live",
        chain_head: hash,
        sync_seq: 1,
        blobs: Array.from(
          { length: blobs },
          () => ({ hash, role: "metadata", size: 3 }),
        ),
        created_at: at,
        updated_at: at,
        metadata: "AAAA",
        provenance: null,
      })),
    });
  };
  return told;
}

Deno.test("a host that makes up photos, lists of blobs or a feed without an end pauses its album, and fills no device", async () => {
  await withTwoServers(async (cast) => {
    const { bob } = cast;
    const { albumId, id } = await letIn(cast);
    await seen(bob, id);
    const rows = async () => (await openIndex(abroadStore(bob.store, id))).size;

    invent(cast, { albumId, entries: 1, blobs: 1_001 });
    assert.match((await seen(bob, id)).paused ?? "", /more than an album/);
    assert.equal(await rows(), 1);

    const photos = invent(cast, { albumId, entries: 500 });
    assert.match((await seen(bob, id)).paused ?? "", /more than an album/);
    assert.match((await seen(bob, id)).paused ?? "", /more than an album/);
    assert.equal(await rows(), 1_001);
    assert.equal(photos.pages, 4);

    const feed = invent(cast, { albumId, entries: 0 });
    assert.match((await seen(bob, id)).paused ?? "", /without an end/);
    assert.equal(feed.pages, 1_000);
  });
});

Deno.test("a token that ran out while the device was off is renewed without the owner, and a grant that ends soon is given again", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, pass } = cast;
    const { albumId, id } = await letIn(cast);
    await seen(bob, id);
    pass(12 * DAY);
    assert.equal((await seen(bob, id)).paused, undefined);
    // Within a token's life it is refreshed once half of that is over.
    pass(DAY * 0.6);
    const { joined } = await bob.abroad();
    const before = joined.get(id)?.token;
    assert.equal((await seen(bob, id)).paused, undefined);
    assert.notEqual(joined.get(id)?.token, before);

    assert.equal(await keepGiven(ada), 0);
    pass(50 * DAY);
    assert.equal(await keepGiven(ada), 1);
    assert.equal(await keepGiven(ada), 0);
    const { given } = await ada.abroad();
    const [entry] = given.list();
    assert.equal(entry?.[1].seq, 2);
    // The grant of before is revoked: the pickup has the new one.
    await take(ada, "second", albumId);
    assert.deepEqual(await seen(bob, id), {
      names: ["first", "second"],
      paused: undefined,
    });
    assert.equal(joined.get(id)?.jti, entry?.[1].jti);
  });
});

Deno.test("a removal that is cut off after any of its steps goes on at the next start", async () => {
  const steps = ["DELETE", "PUT", "PATCH"] as const;
  for (const step of steps) {
    await withTwoServers(async (cast) => {
      const { ada, bob, host } = cast;
      const { albumId, member, id } = await letIn(cast);
      await seen(bob, id);
      const old = (await bob.abroad()).joined.get(id)?.token ?? "";
      const cut = {
        DELETE: /\/capabilities\//,
        PUT: /\/roster$/,
        PATCH: /\/shares\//,
      }[step];
      host.intercept = async (request, pass) => {
        const isIt = request.method === step &&
          cut.test(new URL(request.url).pathname);
        // It was done, and the program ends before it hears of that.
        const answer = await pass(request);
        if (!isIt) return answer;
        await answer.body?.cancel();
        throw new TypeError("the program was killed");
      };
      await assert.rejects(removeAbroad(ada, albumId, member), step);
      host.intercept = undefined;
      await ada.sync();
      await keepGiven(ada);
      const [given] = (await ada.abroad()).given.list();
      assert.equal(given?.[1].ended, true, step);
      assert.equal(given?.[1].journal, undefined, step);
      const roster = await rosterOf(ada, albumId);
      assert.equal(
        roster.members.some((one) => one.member === member),
        false,
        step,
      );
      assert.equal((await seen(bob, id)).paused, "its owner ended it", step);
      // Put back on the roster, the old token reads nothing.
      await ada.albums.invite(albumId, member, "viewer");
      const response = await host.fetch(`${ORIGIN}/v1/sync`, {
        headers: {
          Authorization: `Bearer ${old}`,
          "X-Service-Protocol": "2026-11-01",
        },
      });
      assert.equal(response.status, 401, step);
    });
  }
});

Deno.test("a removed person is let in again through the same pickup, also after they left", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob } = cast;
    const { albumId, member, link, id } = await letIn(cast);
    await seen(bob, id);
    await removeAbroad(ada, albumId, member);
    assert.equal((await seen(bob, id)).paused, "its owner ended it");
    assert.equal(await keepGiven(ada), 0);
    assert.equal(await inviteAbroad(ada, albumId, member), link);
    await take(ada, "second", albumId);
    assert.deepEqual(await seen(bob, id), {
      names: ["first", "second"],
      paused: undefined,
    });
    await leaveAbroad(bob, id);
    await removeAbroad(ada, albumId, member);
    const again = await inviteAbroad(ada, albumId, member);
    await acceptAbroad(bob, await readPickup(bob, pickupLinkOf(again)));
    assert.deepEqual((await seen(bob, id)).names, ["first", "second"]);
  });
});

Deno.test("a pickup of before is not believed", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host, pass } = cast;
    const { link, id } = await letIn(cast);
    await seen(bob, id);
    const of = pickupLinkOf(link);
    const path = `/s/${of.opaqueId}`;
    const held = await host.fetch(`${ORIGIN}${path}`, {
      headers: { Accept: "application/json" },
    });
    const shown = await held.json();
    const blob = await host.fetch(
      `${ORIGIN}${path}/blob/${shown.metadata_hash}`,
      {},
    );
    pass(65 * DAY);
    await keepGiven(ada);
    await readPickup(bob, of);
    await seen(bob, id);
    host.intercept = (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === path) return Promise.resolve(Response.json(shown));
      if (pathname.startsWith(`${path}/blob/`)) {
        return Promise.resolve(blob);
      }
      return undefined;
    };
    await assert.rejects(readPickup(bob, of), /older invitation/);
  });
});

Deno.test("a card that has expired, of one's own server, or with another identity is refused, and another sealing key for ever", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, pass, deviceOf } = cast;
    const made = await makeCard(bob, { name: "Bob", days: 1 });
    const eve = await beginLibrary(deviceOf(ORIGIN, "eve's"), "eve");
    const own = await makeCard(eve);
    await assert.rejects(addContact(ada, own.card), /your own server/);
    const { member } = await addContact(ada, made.card);
    const card = await verifyCard(made.card);
    const other = await openIdentity(seededRandom("others")(32).slice());
    const { signer } = bob.vault.identity;
    const swapped = await signCard(signer, {
      ...card,
      sealing_key: await other.sealing.publicKey(),
    });
    await assert.rejects(addContact(ada, swapped), /another key/);
    const changed = await signCard(other.signer, {
      ...card,
      identity_key: other.signer.publicKey,
      sealing_key: await other.sealing.publicKey(),
    });
    await assert.rejects(addContact(ada, changed), (error) => {
      assert.ok(error instanceof IdentityChanged);
      assert.equal(error.shown, other.signer.keyId);
      return true;
    });
    const [contact] = await listContacts(ada);
    assert.equal(contact?.member, member);
    await addContact(ada, changed, { believes: other.signer.keyId });
    await forgetContact(ada, member);
    assert.deepEqual(await listContacts(ada), []);
    // Not even now that both cards are forgotten.
    await assert.rejects(addContact(ada, swapped), /another key/);
    pass(DAY + 11 * 60_000);
    await assert.rejects(addContact(ada, made.card), /expired/);
  });
});

Deno.test("a second device of the owner's removes a person whose card the first one read", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, deviceOf } = cast;
    const { albumId, member, id } = await letIn(cast);
    const phone = deviceOf(ORIGIN, "ada's phone");
    const other = await libraryOn(phone, ada, "ada");
    await other.sync();
    await other.albums.describe(albumId, { title: "Rügen" });
    assert.equal((await followAbroad(bob, id)).title, "Rügen");
    await removeAbroad(other, albumId, member);
    assert.equal((await seen(bob, id)).paused, "its owner ended it");
  });
});

Deno.test("an attacker in between is out of every album once the person's other identity is decided", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host } = cast;
    const { forged, sealing } = await cardInBetween(bob);
    const { id: albumId } = await ada.albums.create({ title: "Bornholm" });
    await take(ada, "first", albumId);
    const minted = mintedOn(host);
    const { member } = await addContact(ada, forged);
    const old = await inviteAbroad(ada, albumId, member);
    const before = await rosterOf(ada, albumId);

    const real = (await makeCard(bob)).card;
    const { signer } = bob.vault.identity;
    await assert.rejects(addContact(ada, real), IdentityChanged);
    await addContact(ada, real, { believes: signer.keyId });

    assert.deepEqual(await revokedOn(ada), minted.slice(0, 1));
    const after = await rosterOf(ada, albumId);
    assert.equal(after.amk_epoch, before.amk_epoch + 1);
    const entry = after.members.find((one) => one.member === member);
    assert.ok(entry !== undefined);
    const opened = await openAmk(entry.wrapped_amk, sealing.secretKey, {
      albumId,
      amkEpoch: after.amk_epoch,
      member,
    });
    assert.equal(opened, undefined);
    await assert.rejects(
      ada.vault.session.client.viewShare(pickupLinkOf(old).opaqueId),
      { code: "error.share.not_found" },
    );
    const link = await inviteAbroad(ada, albumId, member);
    assert.notEqual(link, old);
    assert.equal(minted.length, 2);
    const read = await readPickup(bob, pickupLinkOf(link));
    await acceptAbroad(bob, read);
    assert.deepEqual((await seen(bob, read.id)).names, ["first"]);
  });
});

Deno.test("a decision for another identity that is cut off after any of its steps goes on at the next start", async () => {
  const steps = {
    DELETE: /\/capabilities\//,
    PUT: /\/roster$/,
    POST: /\/capabilities$/,
  } as const;
  for (const [step, cut] of Object.entries(steps)) {
    await withTwoServers(async ({ ada, bob, host }) => {
      const { forged } = await cardInBetween(bob);
      const { id: albumId } = await ada.albums.create({ title: "Bornholm" });
      const { member } = await addContact(ada, forged);
      await inviteAbroad(ada, albumId, member);
      const [, held] = (await ada.abroad()).given.list()[0] ?? [];
      const real = (await makeCard(bob)).card;
      host.intercept = async (request, pass) => {
        const isIt = request.method === step &&
          cut.test(new URL(request.url).pathname);
        const answer = await pass(request);
        if (!isIt) return answer;
        await answer.body?.cancel();
        throw new TypeError("the program was killed");
      };
      const believes = bob.vault.identity.signer.keyId;
      await assert.rejects(addContact(ada, real, { believes }), step);
      host.intercept = undefined;
      await ada.sync();
      assert.equal(await keepGiven(ada), 1, step);
      assert.equal(await keepGiven(ada), 0, step);
      assert.ok((await revokedOn(ada)).includes(held?.jti ?? ""), step);
      assert.equal((await rosterOf(ada, albumId)).amk_epoch, 1, step);
      const link = await inviteAbroad(ada, albumId, member);
      const read = await readPickup(bob, pickupLinkOf(link));
      await acceptAbroad(bob, read);
      assert.equal((await seen(bob, read.id)).paused, undefined, step);
    });
  }
});

Deno.test("of two devices that mint at once neither forgets a grant that lives", async () => {
  await withTwoServers(async (cast) => {
    const { ada, host, deviceOf, pass: passTime } = cast;
    const minted = mintedOn(host);
    const watch = host.intercept;
    await ada.sync();
    const { albumId, member } = await letIn(cast);
    const phone = deviceOf(ORIGIN, "ada's phone");
    const other = await libraryOn(phone, ada, "ada");
    await other.sync();
    await (await other.abroad()).read();
    passTime(60 * DAY);
    // What the phone read is of before.
    assert.equal(await keepGiven(ada), 1);
    assert.equal(await keepGiven(other), 0);

    passTime(65 * DAY);
    let isFirst = true;
    host.intercept = async (request, pass) => {
      const isMint = request.method === "POST" &&
        /\/capabilities$/.test(new URL(request.url).pathname);
      if (isMint && isFirst) {
        isFirst = false;
        assert.equal(await keepGiven(ada), 1);
      }
      return await watch?.(request, pass) ?? await pass(request);
    };
    await assert.rejects(keepGiven(other), /another device/);
    await removeAbroad(ada, albumId, member);
    const revoked = await revokedOn(ada);
    for (const jti of minted.slice(-2)) assert.ok(revoked.includes(jti));
    assert.equal(minted.length, 4);
  });
});

Deno.test("grants that a restored server ended are given again, and one that fails keeps no other from it", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host } = cast;
    const one = await letIn(cast);
    const two = await letIn(cast);
    assert.equal(await keepGiven(ada), 0);
    await restoreCapabilities(host.app, host.app.clock.now);
    await ada.sync();
    const { given } = await ada.abroad();
    const [[first] = [""]] = given.list();
    host.intercept = (request) =>
      request.method === "POST" &&
        request.url.endsWith(`${first.split("/")[0]}/capabilities`)
        ? Promise.resolve(Response.json({}, { status: 400 }))
        : undefined;
    await assert.rejects(keepGiven(ada), (error) => {
      assert.ok(error instanceof Error);
      assert.ok(error.message.startsWith(first), error.message);
      return true;
    });
    assert.deepEqual(given.list().map(([, { seq }]) => seq), [1, 2]);
    host.intercept = undefined;
    assert.equal(await keepGiven(ada), 1);
    assert.equal(await keepGiven(ada), 0);
    for (const { id } of [one, two]) {
      assert.deepEqual(await seen(bob, id), {
        names: ["first"],
        paused: undefined,
      });
    }
  });
});

Deno.test("a grant that was revoked while it was being written is minted again", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host, pass } = cast;
    const { albumId, id } = await letIn(cast);
    await seen(bob, id);
    pass(65 * DAY);
    host.intercept = (request) => {
      if (request.method !== "PATCH") return undefined;
      throw new TypeError("the program was killed");
    };
    await assert.rejects(keepGiven(ada));
    host.intercept = undefined;
    const { given } = await ada.abroad();
    const [, held] = given.list()[0] ?? [];
    assert.equal(held?.journal?.what, "writing");
    const { account } = ada.vault.session;
    await account.revokeCapability(albumId, held?.jti ?? "");
    assert.equal(await keepGiven(ada), 1);
    assert.equal((await seen(bob, id)).paused, undefined);
  });
});

Deno.test("a stranger's invitation takes over no album that was joined, nor what is remembered of it", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, deviceOf } = cast;
    const { albumId, id } = await letIn(cast);
    await seen(bob, id);
    const eve = await beginLibrary(deviceOf(ORIGIN, "eve's"), "eve");
    const theirs = await forgedPickup(cast, eve, { albumId, owner: idOf(eve) });
    await assert.rejects(readPickup(bob, theirs), /belongs to someone else/);
    const link = await forgedPickup(cast, eve, { albumId, owner: idOf(ada) });
    await assert.rejects(readPickup(bob, link), IdentityChanged);
    await ada.albums.describe(albumId, { title: "Rügen" });
    assert.equal((await seen(bob, id)).paused, undefined);
  });
});

Deno.test("an album that an attacker in between pretended to own is its owner's once their identity was decided", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, deviceOf } = cast;
    const { id: albumId } = await ada.albums.create({ title: "Bornholm" });
    await take(ada, "first", albumId);
    const eve = await beginLibrary(deviceOf(ORIGIN, "eve's"), "eve");
    const link = await forgedPickup(cast, eve, { albumId, owner: idOf(ada) });
    const forged = await readPickup(bob, link);
    await acceptAbroad(bob, forged);
    assert.match((await seen(bob, forged.id)).paused ?? "", /./);

    const { member } = await addContact(ada, (await makeCard(bob)).link);
    const invitation = pickupLinkOf(await inviteAbroad(ada, albumId, member));
    await assert.rejects(readPickup(bob, invitation), IdentityChanged);
    const { keyId: believes } = ada.vault.identity.signer;
    await addContact(bob, (await makeCard(ada)).card, { believes });
    await acceptAbroad(bob, await readPickup(bob, invitation));
    assert.deepEqual(await seen(bob, forged.id), {
      names: ["first"],
      paused: undefined,
    });
  });
});

Deno.test("the protocol date of an album abroad is the newest that both speak, also after an update", async () => {
  await withTwoServers(async (cast) => {
    const { bob, host } = cast;
    const dates = new Set<string | null>();
    const speaking = (max: string) => {
      dates.clear();
      host.intercept = async (request, pass) => {
        const { pathname } = new URL(request.url);
        if (/\/roster$/.test(pathname) && request.method === "GET") {
          dates.add(request.headers.get("X-Service-Protocol"));
        }
        const answer = await pass(request);
        if (!/server-info/.test(pathname)) return answer;
        const info = await answer.json();
        return Response.json({
          ...info,
          protocol_version: { ...info.protocol_version, max },
        });
      };
    };
    const { id } = await letIn(cast);
    speaking("2026-06-01");
    await seen(bob, id);
    assert.deepEqual([...dates], ["2026-06-01"]);
    speaking("2026-11-01");
    await seen(bob, id);
    assert.deepEqual([...dates], ["2026-11-01"]);
  });
});

Deno.test("a host that shows more than 64 attestation keys or former ids is refused before any is verified", async () => {
  await withTwoServers(async (cast) => {
    const { bob, host } = cast;
    const { link } = await letIn(cast);
    const show = (change: (record: Record<string, unknown[]>) => unknown) => {
      host.intercept = async (request, pass) => {
        const answer = await pass(request);
        if (!/attestation-keys/.test(request.url)) return answer;
        return Response.json(change(await answer.json()));
      };
    };
    show(({ keys = [], ...record }) => ({
      ...record,
      keys: Array.from({ length: 65 }, () => keys[0]),
    }));
    await assert.rejects(readPickup(bob, pickupLinkOf(link)), /too many keys/);
    show((record) => ({
      ...record,
      server_ids: Array.from(
        { length: 65 },
        (_, n) => ({ server_id: `https://${n}.example` }),
      ),
    }));
    await assert.rejects(readPickup(bob, pickupLinkOf(link)), /too many keys/);
  });
});

Deno.test("access that was taken back is told as that, also long after the first token", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, pass } = cast;
    const { albumId, id } = await letIn(cast);
    await seen(bob, id);
    pass(3 * DAY);
    assert.equal((await seen(bob, id)).paused, undefined);
    const [, given] = (await ada.abroad()).given.list()[0] ?? [];
    const { account } = ada.vault.session;
    await account.revokeCapability(albumId, given?.jti ?? "");
    assert.equal((await seen(bob, id)).paused, "your access was taken back");
  });
});

Deno.test("a host that says nothing keeps a program from nothing else", async () => {
  await withTwoServers(async (cast) => {
    const { bob, host, patience } = cast;
    const { id } = await letIn(cast);
    await seen(bob, id);
    patience.isOver = true;
    host.intercept = () => new Promise(() => {});
    await assert.rejects(followAbroad(bob, id), ConnectionError);
    // Nor one that begins an answer and says no more.
    patience.isOver = false;
    const begun = new ReadableStream({
      pull: () => {
        patience.isOver = true;
      },
    }, { highWaterMark: 0 });
    const headers = { "Content-Type": "application/json" };
    host.intercept = () => Promise.resolve(new Response(begun, { headers }));
    await assert.rejects(followAbroad(bob, id), ConnectionError);
  });
});

Deno.test("the identity of an author that the owner names takes the place of one that the host showed first", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host, deviceOf } = cast;
    const { albumId, id } = await letIn(cast);
    const eve = await beginLibrary(deviceOf(ORIGIN, "eve's"), "eve");
    await ada.albums.invite(albumId, idOf(eve), "contributor");
    await eve.sync();
    await take(eve, "of eve", albumId);
    await ada.sync();
    await ada.albums.remove(albumId, idOf(eve));
    // No roster names her any more, and the host shows another key for her.
    const { signer } = await openIdentity(seededRandom("shown")(32).slice());
    let isShown = false;
    host.intercept = (request) => {
      if (!/users\/lookup$/.test(request.url)) return undefined;
      isShown = true;
      return Promise.resolve(Response.json({
        user_id: idOf(eve),
        identity_key: toBase64(signer.publicKey),
      }));
    };
    assert.deepEqual((await seen(bob, id)).names, ["first"]);
    assert.ok(isShown);
    host.intercept = undefined;
    await ada.albums.invite(albumId, idOf(eve), "contributor");
    await eve.sync();
    await take(eve, "more of eve", albumId);
    assert.ok((await seen(bob, id)).names.includes("more of eve"));
  });
});

Deno.test("a photo that the host took away does not come back as an older version", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host } = cast;
    const { id } = await letIn(cast);
    const [photo] = ada.list();
    const caption = (text: string) =>
      ada.amend(photo?.id ?? "", { about: { caption: text } });
    let shown = "";
    const showing = (answer: (honest: string) => string) => {
      host.intercept = async (request, pass) => {
        const honest = await pass(request);
        if (!/assets\/query$/.test(request.url) || !honest.ok) return honest;
        const text = await honest.text();
        const asked = request.headers.get("Authorization") ?? "";
        // A capability is a JWT, and Ada's token is not.
        const isBobs = asked.split(".").length === 3;
        return new Response(isBobs ? answer(text) : text, {
          headers: { "Content-Type": "application/json" },
        });
      };
    };
    showing((honest) => shown = honest);
    assert.deepEqual((await seen(bob, id)).names, ["first"]);
    const older = shown;
    await caption("two");
    assert.deepEqual((await seen(bob, id)).names, ["first"]);
    await caption("three");
    showing(() => JSON.stringify({ ...JSON.parse(older), assets: [] }));
    assert.deepEqual((await seen(bob, id)).names, []);
    await caption("four");
    showing(() => older);
    assert.deepEqual((await seen(bob, id)).names, []);
    await caption("five");
    host.intercept = undefined;
    const { rows } = await followAbroad(bob, id);
    assert.equal(rows[0]?.metadata?.caption, "five");
  });
});

Deno.test("a roster that a grant alone names is not remembered as one that was read", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob } = cast;
    const { albumId, id } = await letIn(cast);
    await seen(bob, id);
    const told = { albumId, owner: idOf(ada) };
    const pickup = await forgedPickup(cast, ada, told);
    await acceptAbroad(bob, await readPickup(bob, pickup));
    const { [ORIGIN]: server } = bob.trust.record.abroad ?? {};
    const record = server?.albums[albumId];
    assert.equal(record?.told_version, 1_000);
    assert.equal(
      record.roster_version,
      (await rosterOf(ada, albumId))
        .roster_version,
    );
  });
});

Deno.test("a host's refusals say nothing of the account's session, and it does not judge the program's build", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host } = cast;
    const { albumId, link, id } = await letIn(cast);
    const album = await openAbroad(bob, id);
    assert.equal(await album.follow(), undefined);
    const { rows: [row], reading } = album.shown();
    const refuse = (code: string) => {
      host.intercept = () =>
        Promise.resolve(
          Response.json({ type: "about:blank", status: 401, code }, {
            status: 401,
            headers: { "Content-Type": "application/problem+json" },
          }),
        );
    };
    refuse("error.auth.session_token_invalid");
    const other = { name: "ApiProblem", status: 401, code: "refused" };
    await assert.rejects(readPickup(bob, pickupLinkOf(link)), other);
    await assert.rejects(wholeOf(reading.read(row?.id ?? "")), other);
    // What its refusals may say still counts.
    refuse("error.album.member_not_on_roster");
    assert.equal((await album.follow())?.reason, "error");

    host.intercept = async (request, pass) => {
      const answer = await pass(request);
      const headers = new Headers(answer.headers);
      headers.set("X-Service-Min-Client-Build", "999999999");
      return new Response(answer.body, { status: answer.status, headers });
    };
    await readPickup(bob, pickupLinkOf(link));
    assert.equal(await album.follow(), undefined);
    host.intercept = undefined;
    await take(ada, "second", albumId);
    assert.deepEqual((await seen(bob, id)).names, ["first", "second"]);
  });
});

Deno.test("no invitation is signed or handed out with an address that the own server only claims, and a removal ends its link", async () => {
  await withTwoServers(async (cast) => {
    const { ada, host, pass } = cast;
    const { albumId, member, link } = await letIn(cast);
    const { id: other } = await ada.albums.create({ title: "Other" });
    const liesFrom = (count: number) => {
      let asked = 0;
      host.intercept = async (request, pass) => {
        const answer = await pass(request);
        if (!/server-info/.test(request.url) || asked++ < count) return answer;
        const server_id = "https://eve.example";
        return Response.json({ ...await answer.json(), server_id });
      };
    };
    const address = { name: "AbroadError", fault: "address" };
    liesFrom(0);
    await assert.rejects(inviteAbroad(ada, other, member), address);
    assert.deepEqual((await rosterOf(ada, other)).members.length, 1);
    // Of an address that it claims only later neither link nor grant is made.
    for (const count of [1, 2]) {
      liesFrom(count);
      await assert.rejects(inviteAbroad(ada, other, member), address);
    }
    pass(65 * DAY);
    liesFrom(0);
    await assert.rejects(keepGiven(ada), /calls itself https:\/\/eve/);
    await removeAbroad(ada, albumId, member);
    const [, held] = (await ada.abroad()).given.list()
      .find(([id]) => id.startsWith(albumId)) ?? [];
    assert.equal(held?.ended, true);
    host.intercept = undefined;
    await assert.rejects(
      ada.vault.session.client.viewShare(pickupLinkOf(link).opaqueId),
      { code: "error.share.not_found" },
    );
  });
});

Deno.test("a device to which its server hides what the others know of people trusts no new person of another server", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, home, deviceOf } = cast;
    const adasCard = (await makeCard(ada)).card;
    const { albumId, member, owner } = await letIn(cast);
    const { id: other } = await ada.albums.create({ title: "Other" });
    const link = pickupLinkOf(await inviteAbroad(ada, other, member));
    await bob.vault.escrow({ label: PHRASE_LABEL, passphrase: PHRASE });
    await bob.sync();
    home.intercept = (request, pass) => {
      if (request.method !== "GET" || !/state\/trust$/.test(request.url)) {
        return undefined;
      }
      const absent = new URL("/v1/state/nothing", request.url);
      return pass(new Request(absent, request));
    };
    const device = deviceOf(HOME, "bob's tablet");
    const vault = await recoverVault(await enter(device, "bob"), PHRASE);
    const tablet = await openLibrary(vault, device.store);
    await tablet.sync();
    assert.equal(tablet.trust.status, "behind");
    const withheld = { name: "AbroadError", fault: "withheld" };
    await assert.rejects(addContact(tablet, adasCard), withheld);
    await assert.rejects(readPickup(tablet, link), withheld);
    await assert.rejects(
      openAbroad(tablet, `${albumId}@${ORIGIN}`),
      withheld,
    );
    // What was read elsewhere is not accepted here either.
    const read = await readPickup(bob, link);
    await assert.rejects(acceptAbroad(tablet, read), withheld);
    assert.deepEqual(tablet.trust.record.people, {});
    home.intercept = undefined;
    await tablet.trust.read();
    await acceptAbroad(tablet, await readPickup(tablet, link));
    assert.equal((await addContact(tablet, adasCard)).member, owner);
  });
});

/** The web app's modules. They themselves want the types of a browser. */
const workerOf = (path: string) =>
  import(new URL(`../../src/web/workers/${path}`, import.meta.url).href);

interface AbroadCalls {
  linkAgain(albumId: string, member: string): Promise<string>;
  copy(ids: readonly string[]): Promise<number>;
}

/** The web app over a library, as far as albums of other servers need it. */
async function appOf(library: Library) {
  const { AbroadAlbums } = await workerOf("abroad/abroad_albums.ts");
  const { abroadCalls } = await workerOf("abroad/abroad_calls.ts");
  const { followAbroad } = await workerOf("library/checks.ts");
  const changed = () => {};
  const albums = new AbroadAlbums(library, { isBlocked: () => false }, changed);
  const context = {
    ...{ changed, opened: () => library },
    abroadAlbums: () => Promise.resolve(albums),
  };
  const calls: AbroadCalls = abroadCalls(context);
  return {
    calls,
    round: (): Promise<void> => followAbroad(context, false),
    rows: (id: string): readonly Row[] => albums.rows(id),
  };
}

Deno.test("the link of a person whom another device removed is not shown again, and lets no one in", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, deviceOf } = cast;
    const { albumId, member, link, id } = await letIn(cast);
    const phone = deviceOf(ORIGIN, "ada's phone");
    const other = await libraryOn(phone, ada, "ada");
    const { calls } = await appOf(ada);
    assert.equal(await calls.linkAgain(albumId, member), link);

    await other.sync();
    await removeAbroad(other, albumId, member);
    const ended = { name: "AbroadError", fault: "ended" };
    // Neither before this device has heard of it nor after.
    await assert.rejects(calls.linkAgain(albumId, member), ended);
    await ada.sync();
    await assert.rejects(calls.linkAgain(albumId, member), ended);
    const { members } = await rosterOf(ada, albumId);
    assert.ok(!members.some((one) => one.member === member));
    assert.equal((await seen(bob, id)).paused, "its owner ended it");
  });
});

Deno.test("a copy of another person's photo has what describes it, and nothing that is its owner's alone", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob } = cast;
    const { albumId, id } = await letIn(cast);
    const [row] = ada.list().filter(({ album }) => album === albumId);
    const described = {
      caption: "At the gate",
      keywords: ["sea"],
      taken_at: "2026-05-01T12:00:00Z",
      place: { latitude: 55.1, longitude: 14.9 },
    };
    await ada.amend(row?.id ?? "", {
      about: {
        ...described,
        favourite: true,
        hidden: true,
        archived: true,
        edited_of: row?.id,
        link: "a link",
        fragment: new Uint8Array(32),
      },
    });
    const app = await appOf(bob);
    await app.round();
    const shown = app.rows(id);
    assert.equal(shown[0]?.metadata?.hidden, true);
    assert.equal(await app.calls.copy(shown.map((one) => one.id)), 1);
    const [copied] = [...bob.index.rows()].filter(({ metadata }) =>
      metadata?.name === "first.jpg"
    );
    const { metadata } = copied ?? {};
    assert.deepEqual(
      new Set(Object.keys(metadata ?? {})),
      new Set([
        ...Object.keys(described),
        ...["name", "mime", "size", "sha256", "derivatives"],
      ]),
    );
    assert.deepEqual({ ...metadata, ...described }, metadata);
  });
});

Deno.test("a grant that cannot be kept alive keeps no album from being followed, and is tried again after an hour", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host, pass } = cast;
    await letIn(cast);
    const { id: albumId } = await bob.albums.create({ title: "Rügen" });
    const { member } = await addContact(bob, (await makeCard(ada)).link);
    const link = await inviteAbroad(bob, albumId, member);
    const read = await readPickup(ada, pickupLinkOf(link));
    await acceptAbroad(ada, read);
    const app = await appOf(ada);
    await app.round();
    assert.equal(app.rows(read.id).length, 0);

    pass(65 * DAY);
    let minting = 0;
    host.intercept = (request) => {
      if (!/\/capabilities$/.test(new URL(request.url).pathname)) {
        return undefined;
      }
      if (request.method === "POST") minting++;
      return Promise.resolve(Response.json({}, { status: 400 }));
    };
    await keepGiven(bob);
    await take(bob, "by bob", albumId);
    await assert.rejects(app.round(), /status 400/);
    assert.equal(app.rows(read.id).length, 1);
    await app.round();
    assert.equal(minting, 1);
    host.intercept = undefined;
    pass(DAY / 24);
    await app.round();
    const [, held] = (await ada.abroad()).given.list()[0] ?? [];
    assert.equal(held?.seq, 2);
  });
});
