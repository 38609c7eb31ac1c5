/**
 * The documents by which people of two servers meet: contact card, grant,
 * knock and reply
 * (protocol/albums-abroad.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { equalBytes } from "../../src/core/bytes.ts";
import {
  verifyKnock,
  verifyReply,
} from "../../src/client/documents/abroad_mail.ts";
import {
  openGrant,
  signGrant,
  verifyGrant,
} from "../../src/client/documents/album_grant.ts";
import {
  assertEncrypted,
  decodeAbroadIndex,
  parseAbroadLink,
} from "../../src/client/documents/abroad_links.ts";
import {
  memberOf,
  signCard,
  verifyCard,
} from "../../src/client/documents/contact_card.ts";
import { decodeShareIndex } from "../../src/client/documents/share.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import { openEnvelope, signEnvelope } from "../../src/crypto/envelope.ts";
import { secretOf } from "../../scripts/vectors/seeds.ts";
import {
  backends,
  base64,
  flipped,
  hex,
  PRIMITIVES,
} from "../support/vectors.ts";
import vectors from "./abroad.json" with { type: "json" };

const CARD = base64(vectors.card);
const [LIVE, ENDED, MOVED] = vectors.grants.map(base64);
const SEALED = base64(vectors.sealed);
const OF = { member: vectors.member, opaqueId: vectors.opaque_id };
const refused = { name: "DocumentError" };

const bob = () => openIdentity(new Uint8Array(secretOf("master key of bob")));

Deno.test("a card verifies under the identity in it, in every backend", async () => {
  for (const backend of await backends()) {
    const card = await verifyCard(CARD, backend);
    assert.equal(memberOf(card), vectors.member);
    assert.equal(card.name, "Bob");
    await assert.rejects(verifyCard(flipped(CARD, 60), backend), refused);
  }
});

Deno.test("a card with another key, for longer than 90 days, of no server or with a bad key is refused", async () => {
  const { signer } = await bob();
  const { payload } = openEnvelope(CARD);
  const card = await verifyCard(CARD);
  const bad = {
    "an unknown key": { more: 1 },
    "91 days": { expires_at: "2026-12-31T12:00:00.000Z" },
    "no days": { expires_at: card.made_at },
    "no origin": { server_id: "https://bob.example/" },
    "no user": { user_id: "bob" },
    "no sealing key": { sealing_key: new Uint8Array(1_216).fill(255) },
    "no point": { identity_key: new Uint8Array(1_984) },
    "no name": { name: "" },
    "another zone": { made_at: "2026-10-01T14:00:00+02:00" },
  };
  for (const [what, over] of Object.entries(bad)) {
    const type = "service-contact-card/v1";
    const bytes = await signEnvelope(signer, { ...payload, ...over, type });
    await assert.rejects(verifyCard(bytes), refused, what);
  }
  const ada = await openIdentity(new Uint8Array(secretOf("somebody else")));
  await assert.rejects(
    verifyCard(await signCard(ada.signer, card)),
    /not signed/,
  );
});

Deno.test("a sealed grant opens for its member and its pickup alone", async () => {
  for (const primitives of PRIMITIVES) {
    const secret = hex(vectors.sealing_secret);
    assert.deepEqual(await openGrant(SEALED, secret, OF, primitives), LIVE);
    for (
      const other of [
        { ...OF, member: OF.member.replace("bob", "eve") },
        { ...OF, opaqueId: "0".repeat(32) },
      ]
    ) {
      assert.equal(
        await openGrant(SEALED, secret, other, primitives),
        undefined,
      );
    }
  }
});

Deno.test("a grant has a token exactly while it is live", async () => {
  assert.ok(LIVE !== undefined && ENDED !== undefined);
  const live = await verifyGrant(LIVE);
  const ended = await verifyGrant(ENDED);
  assert.deepEqual(
    [live.seq, live.state, ended.seq, ended.state],
    [1, "live", 2, "ended"],
  );
  assert.ok(equalBytes(live.owner_key, base64(vectors.owner_key)));
  const { successor } = await verifyGrant(MOVED ?? LIVE);
  assert.equal(successor?.server_id, "https://photos.ada.example");
  assert.equal(successor?.pickup.secret.length, 32);
  const { signer } = await bob();
  const { grant: _, ...bare } = live;
  await assert.rejects(signGrant(signer, bare), refused);
  await assert.rejects(signGrant(signer, { ...live, state: "ended" }), refused);
  await assert.rejects(signGrant(signer, { ...bare, state: "moved" }), refused);
  const { payload } = openEnvelope(LIVE);
  const type = "service-album-grant/v1";
  const more = await signEnvelope(signer, { ...payload, more: 1, type });
  await assert.rejects(verifyGrant(more), refused);
  // Its own key has to have signed it.
  await assert.rejects(
    verifyGrant(await signGrant(signer, ended)),
    /not signed/,
  );
});

Deno.test("links are read as they are made, and an older program shows an empty share", () => {
  const { contact, pickup } = vectors.links;
  assert.equal(parseAbroadLink(contact)?.serverId, "https://bob.example");
  assert.equal(parseAbroadLink(` ${pickup}\n`)?.kind, "pickup");
  for (
    const text of [
      "",
      contact.slice(0, -1),
      contact.replace("#/contact", "#/other"),
      contact.replace("/#", "/app#"),
      contact.replace("https:", "ftp:"),
      vectors.member,
    ]
  ) assert.equal(parseAbroadLink(text), undefined, text);
  assert.throws(() => parseAbroadLink("https://bob.example/#~2"), {
    name: "NewerDocumentError",
  });
  for (const kind of ["contact", "pickup"] as const) {
    const index = base64(vectors.indexes[kind]);
    const share = decodeShareIndex(index);
    assert.deepEqual(share.items, []);
    assert.equal(share.title, "For your strongroom");
    const carried = decodeAbroadIndex(kind, index);
    assert.deepEqual(carried, kind === "contact" ? CARD : SEALED);
    const other = kind === "contact" ? "pickup" : "contact";
    assert.throws(() => decodeAbroadIndex(other, index), refused);
  }
});

Deno.test("a program with an encrypted server reads no link that is not encrypted", () => {
  const own = "https://photos.example";
  assertEncrypted("https://bob.example", own);
  assertEncrypted("http://127.0.0.1:8470", own);
  assertEncrypted("http://bob.example", "http://192.0.2.7");
  assert.throws(() => assertEncrypted("http://bob.example", own), refused);
});

Deno.test("a knock verifies under the key in it, and a reply under the member's alone", async () => {
  const [knocked, replied] = [base64(vectors.knock), base64(vectors.reply)];
  const { identity_key: member } = await verifyCard(CARD);
  for (const backend of await backends()) {
    const knock = await verifyKnock(knocked, backend);
    assert.equal(knock.to, vectors.member);
    assert.ok(equalBytes(knock.from_key, base64(vectors.owner_key)));
    const link = parseAbroadLink(vectors.links.pickup);
    assert.deepEqual(knock.secret, link?.secret);
    const reply = await verifyReply(replied, member, backend);
    assert.deepEqual(
      [reply.from, reply.to, reply.kind],
      [vectors.member, knock.from, "ask"],
    );
    await assert.rejects(verifyKnock(flipped(knocked, 60), backend), refused);
    await assert.rejects(
      verifyReply(replied, knock.from_key, backend),
      /not signed/,
    );
  }
});

Deno.test("a knock or a reply with another key or a value out of bounds is refused", async () => {
  const { signer } = await bob();
  const member = signer.publicKey;
  const knock = openEnvelope(base64(vectors.knock)).payload;
  const reply = openEnvelope(base64(vectors.reply)).payload;
  const bad = {
    "an unknown key": { more: 1 },
    "nobody": { from: "" },
    "another zone": { sent_at: "2026-10-01T14:00:00+02:00" },
  };
  const badKnocks = {
    ...bad,
    "a short secret": { secret: new Uint8Array(31) },
    "no origin": { server_id: "https://a.example/" },
    "no link": { opaque_id: "../v1" },
    "no point": { from_key: new Uint8Array(1_984) },
  };
  for (const [what, over] of Object.entries(badKnocks)) {
    const bytes = await signEnvelope(signer, {
      ...{ ...knock, from_key: member, ...over },
      type: "service-knock/v1",
    });
    await assert.rejects(verifyKnock(bytes), refused, what);
  }
  const badReplies = {
    ...bad,
    "another kind": { kind: "add" },
    "no number": { seq: 0 },
    "a long text": { text: "x".repeat(501) },
    "no album": { album_id: "bornholm" },
  };
  for (const [what, over] of Object.entries(badReplies)) {
    const bytes = await signEnvelope(signer, {
      ...{ ...reply, ...over },
      type: "service-reply/v1",
    });
    await assert.rejects(verifyReply(bytes, member), refused, what);
  }
  // A grant is no knock, however well it is signed.
  const ada = base64(vectors.owner_key);
  await assert.rejects(verifyReply(LIVE ?? CARD, ada), refused);
  await assert.rejects(verifyKnock(new Uint8Array(16_385)), /too large/);
});
