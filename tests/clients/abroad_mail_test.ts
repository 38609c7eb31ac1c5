/**
 * Knocks and replies between people of two servers
 * (protocol/albums-abroad.md#knock, #replies).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  acceptAbroad,
  addContact,
  askOwner,
  declineAbroad,
  invitationsAbroad,
  inviteAbroad,
  joinedAbroad,
  keepGiven,
  knock,
  leaveAbroad,
  makeCard,
  putAskAway,
  readMailbox,
  readPickup,
  removeAbroad,
  withdrawCard,
} from "../../src/library/abroad/abroad.ts";
import { sendMail } from "../../src/library/abroad/mail.ts";
import {
  type Knock,
  KNOCK_MIME,
  type Reply,
  REPLY_MIME,
  signKnock,
  signReply,
} from "../../src/client/documents/abroad_mail.ts";
import { verifyCard } from "../../src/client/documents/contact_card.ts";
import { MINUTE_MS } from "../../src/core/time.ts";
import { toHex } from "../../src/core/bytes.ts";
import { type Library, openLibrary } from "../../src/library/mod.ts";
import {
  type Cast,
  DAY,
  HOME,
  letIn,
  phoneOf,
  rosterOf,
  seen,
  take,
  withTwoServers,
} from "../support/abroad.ts";
import { ORIGIN } from "../support/app.ts";
import { idOf } from "../support/album_cast.ts";
import { beginLibrary, type Interceptor } from "../support/library.ts";
import { forgeGuestFile } from "../support/library_sharing.ts";

const NOTHING = { invited: [], left: [], asked: [] };

/** What a program does when its feed told of a guest's file. */
const heard = (library: Library) => readMailbox(library, { heard: true });

const membersOf = async (library: Library, albumId: string) =>
  (await rosterOf(library, albumId)).members.map(({ member }) => member);

/** Ada lets Bob in, and knocks. */
async function knocked({ ada, bob }: Cast) {
  const { id: albumId } = await ada.albums.create({ title: "Bornholm" });
  await take(ada, "first", albumId);
  const made = await makeCard(bob, { name: "Bob" });
  const { member } = await addContact(ada, made.link);
  await inviteAbroad(ada, albumId, member);
  assert.equal(await knock(ada, albumId, member), true);
  const id = `${albumId}@${ORIGIN}`;
  return { albumId, member, id, card: await verifyCard(made.card) };
}

const boxOf = (library: Library) => library.vault.session.account.uploadLinks();

Deno.test("a person who was let in finds the invitation on each of their devices, and accepts it without its link", async () => {
  await withTwoServers(async (cast) => {
    const { bob } = cast;
    const { id } = await knocked(cast);
    const phone = await phoneOf(cast);
    assert.deepEqual(await heard(bob), { ...NOTHING, invited: [id] });
    assert.deepEqual(await joinedAbroad(bob), []);
    // It was read, and is gone from the link.
    assert.deepEqual(await heard(phone), NOTHING);
    const [invitation] = await invitationsAbroad(phone);
    assert.ok(invitation !== undefined);
    assert.equal(invitation.id, id);
    await acceptAbroad(phone, await readPickup(phone, invitation.link));
    assert.deepEqual((await seen(phone, id)).names, ["first"]);
    assert.deepEqual(await invitationsAbroad(phone), []);
    await bob.sync();
    assert.deepEqual(await invitationsAbroad(bob), []);
    assert.deepEqual(await joinedAbroad(bob), [id]);
  });
});

Deno.test("neither the links for knocks and replies nor what comes by them is among the person's own", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob } = cast;
    await knocked(cast);
    for (const library of [ada, bob]) {
      assert.equal((await boxOf(library)).length, 1);
      assert.deepEqual(await library.inbox(), []);
      assert.deepEqual(await library.requests(), []);
    }
    const { url } = await bob.request({
      expiresAt: new Date(bob.vault.session.platform.now() + DAY).toISOString(),
      maxBytes: 1_000_000,
      maxFiles: 5,
    });
    assert.deepEqual((await bob.requests()).map((one) => one.url), [url]);
  });
});

Deno.test("an account with no such links asks nothing for them", async () => {
  await withTwoServers(async ({ bob, bobsDevice, home }) => {
    await readMailbox(bob, { heard: false });
    // As the next command does.
    const next = await openLibrary(bob.vault, bobsDevice.store);
    home.sent.length = 0;
    assert.deepEqual(await readMailbox(next, { heard: false }), NOTHING);
    assert.deepEqual(home.sent, []);
  });
});

Deno.test("the mailbox is asked for when the feed told of a file, and once a day", async () => {
  await withTwoServers(async (cast) => {
    const { bob, home, pass } = cast;
    const { id } = await knocked(cast);
    const asks = () =>
      home.sent.filter((one) => one === "GET /v1/upload-links").length;
    const idle = () => readMailbox(bob, { heard: false });
    const before = asks();
    assert.deepEqual((await idle()).invited, [id]);
    await idle();
    assert.equal(asks(), before + 1);
    await heard(bob);
    assert.equal(asks(), before + 2);
    pass(DAY + 1);
    // The session's token has run out, too.
    await bob.sync();
    await idle();
    await idle();
    assert.equal(asks(), before + 3);
  });
});

/** Sends a knock of anyone who has seen Bob's card. */
async function sendKnock(
  by: Library,
  { box }: Awaited<ReturnType<typeof verifyCard>>,
  told: Knock,
): Promise<void> {
  const { vault: { session: { platform }, identity } } = by;
  assert.ok(box !== undefined);
  const bytes = await signKnock(identity.signer, told);
  await sendMail(platform, HOME, box, { mime: KNOCK_MIME, bytes });
}

Deno.test("a knock that says something else than the invitation it leads to is dropped, and so is a stranger's file", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, deviceOf, home } = cast;
    const { id, member, card } = await knocked(cast);
    await heard(bob);
    await declineAll(bob);
    const [, given] = (await ada.abroad()).given.list()[0] ?? [];
    assert.ok(given !== undefined);
    const eve = await beginLibrary(deviceOf(ORIGIN, "eve's"), "eve");
    const { publicKey } = ada.vault.identity.signer;
    const told: Knock = {
      to: member,
      from: `${idOf(ada)}@${ORIGIN}`,
      from_key: publicKey,
      card_id: card.card_id,
      server_id: ORIGIN,
      opaque_id: given.pickup.opaque_id,
      secret: given.pickup.secret,
      sent_at: "2026-11-01T00:00:00Z",
    };
    const eves = { from_key: eve.vault.identity.signer.publicKey };
    const wrong: readonly (readonly [Library, Partial<Knock>])[] = [
      [ada, { to: member.replace(HOME, "https://eve.example") }],
      [ada, { card_id: new Uint8Array(16) }],
      [ada, { from: `${idOf(eve)}@${ORIGIN}` }],
      [ada, { secret: new Uint8Array(32) }],
      [ada, { opaque_id: "0".repeat(32) }],
      [ada, { server_id: HOME, from: `${idOf(ada)}@${HOME}` }],
      [ada, {
        server_id: "http://eve.example",
        from: `${idOf(ada)}@http://eve.example`,
      }],
      // Eve found the link of the pickup, and knocks as herself and as Ada.
      [eve, { ...eves, from: `${idOf(eve)}@${ORIGIN}` }],
      [eve, eves],
    ];
    for (const [by, over] of wrong) {
      await sendKnock(by, card, { ...told, ...over });
    }
    const box = { origin: HOME, opaqueId: card.box?.opaque_id ?? "" };
    for (
      const file of [
        { name: "a.jpg", mime: KNOCK_MIME, bytes: new Uint8Array(100_000) },
        { name: "b.jpg", mime: "image/jpeg", bytes: new Uint8Array(10) },
      ]
    ) await forgeGuestFile(eve.vault.session.platform, box, file);
    home.sent.length = 0;
    assert.deepEqual(await heard(bob), NOTHING);
    assert.deepEqual(await invitationsAbroad(bob), []);
    const deleted = home.sent.filter((one) => one.startsWith("DELETE "));
    assert.equal(deleted.length, wrong.length + 2);
    // What a stranger sent was not read at all.
    const read = home.sent.filter((one) => one.endsWith("/blob"));
    assert.equal(read.length, wrong.length);
    // The true one is still an invitation.
    await sendKnock(ada, card, told);
    assert.deepEqual((await heard(bob)).invited, [id]);
  });
});

async function declineAll(bob: Library): Promise<void> {
  const slot = await bob.abroad();
  for (const { id } of await invitationsAbroad(bob)) {
    await slot.invited.put(id, undefined);
  }
}

Deno.test("of many knocks eight are followed at once, and one whose server does not answer waits", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host, pass } = cast;
    const { id, card } = await knocked(cast);
    const { publicKey } = ada.vault.identity.signer;
    for (let n = 0; n < 9; n++) {
      await sendKnock(ada, card, {
        to: `${idOf(bob)}@${HOME}`,
        from: `${idOf(ada)}@${ORIGIN}`,
        from_key: publicKey,
        card_id: card.card_id,
        server_id: ORIGIN,
        opaque_id: `${n}`.padStart(32, "0"),
        secret: new Uint8Array(32),
        sent_at: "2026-11-01T00:00:00Z",
      });
    }
    host.sent.length = 0;
    host.intercept = ({ url }) =>
      url.includes("/s/000")
        ? Promise.reject(new TypeError("it is off"))
        : undefined;
    assert.deepEqual(await heard(bob), NOTHING);
    const asked = new Set(host.sent.filter((one) => one.includes("/s/")));
    assert.equal(asked.size, 8);
    // An hour later it goes on with the others, without news in the feed.
    assert.deepEqual(await readMailbox(bob, { heard: false }), NOTHING);
    pass(DAY / 24 + 1);
    const { invited } = await readMailbox(bob, { heard: false });
    assert.deepEqual(invited, [id]);
  });
});

Deno.test("knocks whose servers say nothing hold up a program for 30 seconds together", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host, pass, patience } = cast;
    const { id, card } = await knocked(cast);
    for (const n of [1, 2, 3]) {
      await sendKnock(ada, card, {
        to: `${idOf(bob)}@${HOME}`,
        from: `${idOf(ada)}@${ORIGIN}`,
        from_key: ada.vault.identity.signer.publicKey,
        card_id: card.card_id,
        server_id: ORIGIN,
        opaque_id: `${n}`.padStart(32, "0"),
        secret: new Uint8Array(32),
        sent_at: "2026-11-01T00:00:00Z",
      });
    }
    const asked: string[] = [];
    host.intercept = ({ url }) => {
      if (!url.includes("/s/0")) return undefined;
      asked.push(url);
      for (const { ms, end } of patience.waits) if (ms === 30_000) end();
      return new Promise(() => {});
    };
    assert.deepEqual(await heard(bob), NOTHING);
    assert.equal(asked.length, 1);
    // The next ones come first the next time.
    for (const count of [2, 3]) {
      pass(DAY / 24 + 1);
      assert.deepEqual(await readMailbox(bob, { heard: false }), NOTHING);
      assert.equal(new Set(asked).size, count);
    }
    pass(DAY / 24 + 1);
    const { invited } = await readMailbox(bob, { heard: false });
    assert.deepEqual(invited, [id]);
  });
});

/**
 * Ada invites Bob by the second of two cards that he reads; by the first come
 * knocks whose server says nothing. `asked` has what was asked of it.
 */
async function knockedBySecond(cast: Cast, silent: number) {
  const { ada, bob, host, patience } = cast;
  const made = [];
  for (const name of ["Bob", "Robert"]) {
    const { card, link } = await makeCard(bob, { name });
    made.push({ link, card: await verifyCard(card) });
  }
  const order = (await bob.abroad()).cards.list().map(([id]) => id);
  const [first, second] = made.toSorted((a, b) =>
    order.indexOf(toHex(a.card.card_id)) - order.indexOf(toHex(b.card.card_id))
  );
  assert(first !== undefined && second !== undefined && order.length === 2);
  const { id: albumId } = await ada.albums.create({ title: "Bornholm" });
  const { member } = await addContact(ada, second.link);
  await inviteAbroad(ada, albumId, member);
  assert.equal(await knock(ada, albumId, member), true);
  for (let n = 0; n < silent; n++) {
    await sendKnock(ada, first.card, {
      to: `${idOf(bob)}@${HOME}`,
      from: `${idOf(ada)}@${ORIGIN}`,
      from_key: ada.vault.identity.signer.publicKey,
      card_id: first.card.card_id,
      server_id: ORIGIN,
      opaque_id: `${n}`.padStart(32, "0"),
      secret: new Uint8Array(32),
      sent_at: "2026-11-01T00:00:00Z",
    });
  }
  const asked: string[] = [];
  const pass = (passes: (ms: number) => boolean) => {
    for (const { ms, end } of patience.waits) if (passes(ms)) end();
  };
  const shareMs = 30_000 / Math.min(8, silent + 1);
  host.intercept = ({ url }) => {
    if (!url.includes("/s/0")) return undefined;
    asked.push(url);
    // As many shares as there are in it are all of the time.
    const isAll = asked.length * shareMs >= 30_000 ||
      patience.waits.every(({ ms }) => ms !== shareMs);
    pass((ms) => ms === (isAll ? 30_000 : shareMs));
    return new Promise(() => {});
  };
  return { id: `${albumId}@${ORIGIN}`, asked };
}

Deno.test("a knock whose server says nothing has only its share of the 30 seconds, and keeps no other card's waiting", async () => {
  await withTwoServers(async (cast) => {
    const { id, asked } = await knockedBySecond(cast, 2);
    assert.deepEqual((await heard(cast.bob)).invited, [id]);
    assert.equal(new Set(asked).size, 2);
  });
});

Deno.test("after knocks by one card took the 30 seconds another card's come first", async () => {
  await withTwoServers(async (cast) => {
    const { bob, pass } = cast;
    const { id, asked } = await knockedBySecond(cast, 8);
    assert.deepEqual(await heard(bob), NOTHING);
    assert.equal(new Set(asked).size, 8);
    pass(DAY / 24 + 1);
    const { invited } = await readMailbox(bob, { heard: false });
    assert.deepEqual(invited, [id]);
  });
});

Deno.test("who finds a card knocks 64 times, and again once that was read", async () => {
  await withTwoServers(async (cast) => {
    const { bob, deviceOf, pass } = cast;
    const card = await verifyCard((await makeCard(bob)).card);
    const eve = await beginLibrary(deviceOf(ORIGIN, "eve's"), "eve");
    const { platform } = eve.vault.session;
    const knock = async () => {
      assert.ok(card.box !== undefined);
      const bytes = new Uint8Array(platform.random(32));
      await sendMail(platform, HOME, card.box, { mime: KNOCK_MIME, bytes });
    };
    // Whatever code another server gives.
    const refused = { name: "ApiProblem", status: 422, code: "refused" };
    for (let n = 0; n < 64; n++) await knock();
    await assert.rejects(knock(), refused);
    assert.deepEqual(await heard(bob), NOTHING);
    pass(MINUTE_MS);
    for (let n = 0; n < 64; n++) await knock();
    await assert.rejects(knock(), refused);
  });
});

Deno.test("with twenty invitations by a card that wait for the person a further knock waits, and is not lost", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, pass } = cast;
    const { id, card } = await knocked(cast);
    const slot = await bob.abroad();
    const card_id = toHex(card.card_id);
    const pickup = { opaque_id: "0".repeat(32), secret: new Uint8Array(32) };
    const invitedBy = (n: number) => `${n}@https://eve.example`;
    for (let n = 0; n < 20; n++) {
      const owner = idOf(ada);
      await slot.invited.put(invitedBy(n), { owner, pickup, card_id });
    }
    assert.deepEqual(await heard(bob), NOTHING);
    await slot.invited.put(invitedBy(0), undefined);
    pass(DAY / 24 + 1);
    const { invited } = await readMailbox(bob, { heard: false });
    assert.deepEqual(invited, [id]);
  });
});

Deno.test("a knock whose server breaks off waits, and one whose server shows no keys is dropped", async () => {
  await withTwoServers(async (cast) => {
    const { bob, host, pass } = cast;
    const { id } = await knocked(cast);
    host.intercept = async (request, pass) => {
      const answer = await pass(request);
      if (!request.url.includes("/blob/")) return answer;
      await answer.body?.cancel();
      const cut = new ReadableStream({
        pull: (controller) => controller.error(new TypeError("it broke off")),
      });
      return new Response(cut, { headers: answer.headers });
    };
    assert.deepEqual(await heard(bob), NOTHING);
    host.intercept = undefined;
    pass(DAY / 24 + 1);
    const { invited } = await readMailbox(bob, { heard: false });
    assert.deepEqual(invited, [id]);
  });
  await withTwoServers(async (cast) => {
    const { bob, home, host } = cast;
    await knocked(cast);
    host.intercept = showingNoKeys;
    assert.deepEqual(await heard(bob), NOTHING);
    assert.ok(home.sent.some((one) => one.startsWith("DELETE ")));
    assert.deepEqual(await invitationsAbroad(bob), []);
  });
});

Deno.test("a server that asks to wait holds up none who follow a knock to it", async () => {
  await withTwoServers(async (cast) => {
    const { bob, host } = cast;
    await knocked(cast);
    host.sent.length = 0;
    host.intercept = () =>
      Promise.resolve(
        new Response(null, { status: 429, headers: { "Retry-After": "100" } }),
      );
    assert.deepEqual(await heard(bob), NOTHING);
    assert.equal(host.sent.length, 1);
  });
});

const showingNoKeys: Interceptor = (request) =>
  request.url.endsWith("/attestation-keys")
    ? Promise.resolve(Response.json({ keys: "none" }))
    : undefined;

Deno.test("an invitation is declined, and a knock is not sent, although the other server shows no keys", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host, home } = cast;
    const { albumId, member } = await knocked(cast);
    await heard(bob);
    const [invitation] = await invitationsAbroad(bob);
    assert.ok(invitation !== undefined);
    host.intercept = showingNoKeys;
    await declineAbroad(bob, invitation);
    assert.deepEqual(await invitationsAbroad(bob), []);
    home.intercept = showingNoKeys;
    host.intercept = undefined;
    assert.equal(await knock(ada, albumId, member), false);
  });
});

Deno.test("a withdrawn card takes no knock, and without one the link is handed over", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, home } = cast;
    const { id: albumId } = await ada.albums.create({ title: "Bornholm" });
    const made = await makeCard(bob);
    const { member } = await addContact(ada, made.link);
    await inviteAbroad(ada, albumId, member);
    home.intercept = () => Promise.reject(new TypeError("it is off"));
    assert.equal(await knock(ada, albumId, member), false);
    home.intercept = undefined;
    const [cardId = ""] = (await bob.abroad()).cards.list()[0] ?? [];
    await withdrawCard(bob, cardId);
    assert.deepEqual(await boxOf(bob), []);
    assert.equal(await knock(ada, albumId, member), false);
  });
});

Deno.test("the owner's programs take a person who declines or leaves off the list", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob } = cast;
    const { albumId, member, id } = await knocked(cast);
    const of = { albumId, member };
    await heard(bob);
    const [invitation] = await invitationsAbroad(bob);
    assert.ok(invitation !== undefined);
    await declineAbroad(bob, invitation);
    assert.deepEqual(await invitationsAbroad(bob), []);
    assert.deepEqual(await heard(ada), { ...NOTHING, left: [of] });
    assert.ok(!(await membersOf(ada, albumId)).includes(member));

    // Let in again, they accept and leave.
    await inviteAbroad(ada, albumId, member);
    await knock(ada, albumId, member);
    await heard(bob);
    const [again] = await invitationsAbroad(bob);
    assert.ok(again !== undefined);
    await acceptAbroad(bob, await readPickup(bob, again.link));
    assert.deepEqual(await heard(ada), NOTHING);
    assert.ok((await membersOf(ada, albumId)).includes(member));
    assert.equal(await leaveAbroad(bob, id), true);
    assert.deepEqual(await heard(ada), { ...NOTHING, left: [of] });
    assert.ok(!(await membersOf(ada, albumId)).includes(member));
    assert.equal((await rosterOf(ada, albumId)).amk_epoch, 2);
    assert.deepEqual(await heard(ada), NOTHING);
  });
});

Deno.test("an album is left although its server does not answer", async () => {
  await withTwoServers(async (cast) => {
    const { bob, host } = cast;
    const { id } = await letIn(cast);
    host.intercept = () => Promise.reject(new TypeError("it is off"));
    assert.equal(await leaveAbroad(bob, id), false);
    assert.deepEqual(await joinedAbroad(bob), []);
  });
});

Deno.test("a member whose grant is gone asks once a day, and the owner's program gives another one", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, pass } = cast;
    const { albumId, id } = await letIn(cast);
    await seen(bob, id);
    const given = async () => (await ada.abroad()).given.list()[0]?.[1];
    const { account } = ada.vault.session;
    await account.revokeCapability(albumId, (await given())?.jti ?? "");
    assert.equal(
      (await seen(bob, id)).paused,
      "your access was taken back",
    );
    await askOwner(bob, id, { text: "May I see them again?" });
    await assert.rejects(askOwner(bob, id), { fault: "asked" });
    assert.deepEqual(await heard(ada), NOTHING);
    assert.equal((await given())?.seq, 2);
    await take(ada, "second", albumId);
    assert.deepEqual(await seen(bob, id), {
      names: ["first", "second"],
      paused: undefined,
    });
    // However often they ask, it is given once a day.
    await replyAs(bob, { id, seq: Date.parse("2030-01-01"), kind: "ask" });
    assert.deepEqual(await heard(ada), NOTHING);
    assert.equal((await given())?.seq, 2);
    // What came too early counts the next day, and then no more.
    pass(DAY);
    await readMailbox(ada, { heard: false });
    assert.equal((await given())?.seq, 3);
    pass(DAY);
    await readMailbox(ada, { heard: false });
    assert.equal((await given())?.seq, 3);
  });
});

Deno.test("a removed person can ask, gets nothing before the owner decides, and the owner can dismiss the question", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob } = cast;
    const { albumId, member, id } = await letIn(cast);
    await seen(bob, id);
    await removeAbroad(ada, albumId, member);
    assert.equal((await seen(bob, id)).paused, "its owner ended it");
    await askOwner(bob, id, { text: "Was that on purpose?" });
    const asked = { albumId, member, text: "Was that on purpose?" };
    assert.deepEqual(await heard(ada), { ...NOTHING, asked: [asked] });
    assert.deepEqual(await membersOf(ada, albumId), [idOf(ada)]);
    const [, given] = (await ada.abroad()).given.list()[0] ?? [];
    assert.equal(given?.reply?.text, asked.text);
    await putAskAway(ada, { albumId, member });
    const [, away] = (await ada.abroad()).given.list()[0] ?? [];
    assert.equal(away?.reply?.text, undefined);
    assert.equal(away?.reply?.asked_at, given?.reply?.asked_at);
    await inviteAbroad(ada, albumId, member);
    assert.deepEqual((await seen(bob, id)).names, ["first"]);
    const [, anew] = (await ada.abroad()).given.list()[0] ?? [];
    assert.equal(anew?.reply?.text, undefined);
    assert.notEqual(anew?.reply?.opaque_id, given?.reply?.opaque_id);
  });
});

Deno.test("what members and removed people asked for before the link for replies ended is read later", async () => {
  for (const isIn of [true, false]) {
    await withTwoServers(async (cast) => {
      const { ada, bob, pass } = cast;
      const { albumId, member, id } = await letIn(cast);
      await seen(bob, id);
      if (!isIn) await removeAbroad(ada, albumId, member);
      pass(88 * DAY);
      await bob.sync();
      if (isIn) await leaveAbroad(bob, id);
      else await askOwner(bob, id, { text: "May I see it again?" });
      pass(8 * DAY);
      await ada.sync();
      if (isIn) await keepGiven(ada);
      const { left, asked } = await readMailbox(ada, { heard: false });
      assert.equal(left.length, isIn ? 1 : 0);
      assert.equal(asked[0]?.text, isIn ? undefined : "May I see it again?");
    });
  }
});

/** Sends a reply as a member's program would, with what is said of it. */
async function replyAs(
  by: Library,
  { id, ...over }: Partial<Reply> & { readonly id: string },
): Promise<void> {
  const { vault: { session: { platform }, identity } } = by;
  const [albumId = "", serverId = ""] = id.split("@");
  const joined = (await by.abroad()).joined.get(id);
  assert.ok(joined?.reply !== undefined);
  const bytes = await signReply(identity.signer, {
    to: `${joined.owner}@${serverId}`,
    from: joined.member,
    seq: 9,
    kind: "left",
    album_id: albumId,
    sent_at: "2026-11-01T00:00:00Z",
    ...over,
  });
  await sendMail(platform, serverId, joined.reply, { mime: REPLY_MIME, bytes });
}

Deno.test("a reply counts if the member signed it for this owner and this album, and none twice", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, deviceOf } = cast;
    const { albumId, member, id } = await letIn(cast);
    await heard(ada);
    const seq = Date.parse("2030-01-01");
    const joined = (await bob.abroad()).joined.get(id);
    const eve = await beginLibrary(deviceOf(HOME, "eve's"), "eve");
    assert.ok(joined !== undefined);
    await (await eve.abroad()).joined.put(id, joined);
    await replyAs(eve, { id, seq });
    await replyAs(bob, { id, seq, from: `${idOf(eve)}@${HOME}` });
    await replyAs(bob, { id, seq, to: `${idOf(eve)}@${ORIGIN}` });
    await replyAs(bob, { id, seq, album_id: bob.vault.libraryAlbumId });
    // Below the one that told of accepting.
    await replyAs(bob, { id, seq: 1 });
    assert.deepEqual(await heard(ada), NOTHING);
    assert.ok((await membersOf(ada, albumId)).includes(member));
    // The newest counts, and says that they are in it.
    await replyAs(bob, { id, seq });
    await replyAs(bob, { id, seq: seq + 1, kind: "accepted" });
    assert.deepEqual(await heard(ada), NOTHING);
    assert.ok((await membersOf(ada, albumId)).includes(member));
    await replyAs(bob, { id, seq: seq + 2 });
    assert.equal((await heard(ada)).left.length, 1);
  });
});

Deno.test("the link for replies is replaced before it ends, and the member finds the next one", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, pass } = cast;
    const { id } = await letIn(cast);
    const [before] = await boxOf(ada);
    // A grant that was asked for ends after the link.
    pass(40 * DAY);
    await seen(bob, id);
    await askOwner(bob, id);
    await heard(ada);
    assert.deepEqual((await boxOf(ada)).length, 1);
    pass(20 * DAY);
    await keepGiven(ada);
    const after = await boxOf(ada);
    assert.equal(after.length, 1);
    assert.notEqual(after[0]?.opaque_id, before?.opaque_id);
    await seen(bob, id);
    const { joined } = await bob.abroad();
    assert.equal(joined.get(id)?.reply?.opaque_id, after[0]?.opaque_id);
    assert.equal(await leaveAbroad(bob, id), true);
    assert.equal((await heard(ada)).left.length, 1);
  });
});

Deno.test("a person who left is taken off the list although the link for replies was due to be replaced", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, pass } = cast;
    const { albumId, member, id } = await letIn(cast);
    await heard(ada);
    pass(61 * DAY);
    assert.equal(await leaveAbroad(bob, id), true);
    await keepGiven(ada);
    assert.deepEqual((await heard(ada)).left, [{ albumId, member }]);
  });
});

Deno.test("no link for knocks or replies shows in the inbox, also one that was withdrawn or replaced", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, host, pass } = cast;
    await knocked(cast);
    const [cardId = ""] = (await bob.abroad()).cards.list()[0] ?? [];
    await withdrawCard(bob, cardId);
    assert.deepEqual(await bob.inbox(), []);
    assert.deepEqual(await bob.requests(), []);

    await letIn(cast);
    await heard(ada);
    pass(61 * DAY);
    await ada.sync();
    host.intercept = (request) =>
      request.method === "DELETE" && request.url.includes("/upload-links/")
        ? Promise.reject(new TypeError("it was cut off"))
        : undefined;
    await assert.rejects(keepGiven(ada));
    host.intercept = undefined;
    assert.deepEqual(await ada.requests(), []);
    await keepGiven(ada);
    assert.deepEqual(await ada.requests(), []);
    assert.equal((await boxOf(ada)).length, 2);
  });
});

Deno.test("what a reply asks for is done although the program was cut off before it deleted the reply", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, adasDevice, host } = cast;
    const { albumId, member, id } = await letIn(cast);
    await leaveAbroad(bob, id);
    let isCut = false;
    host.intercept = async (request, pass) => {
      const answer = await pass(request);
      if (isCut || !/\/roster$/.test(new URL(request.url).pathname)) {
        return answer;
      }
      if (request.method !== "PUT") return answer;
      isCut = true;
      await answer.body?.cancel();
      throw new TypeError("the program was killed");
    };
    await assert.rejects(heard(ada), { name: "ConnectionError" });
    const next = await openLibrary(ada.vault, adasDevice.store);
    await next.sync();
    await readMailbox(next, { heard: false });
    await keepGiven(next);
    assert.ok(isCut);
    assert.ok(!(await membersOf(next, albumId)).includes(member));
    const [, given] = (await next.abroad()).given.list()[0] ?? [];
    assert.equal(given?.ended, true);
  });
});
