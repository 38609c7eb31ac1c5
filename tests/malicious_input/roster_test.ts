/**
 * What is no roster: signed by another person, of another thing, or not the
 * canonical CBOR of one. Each is 422 `error.roster.invalid` and leaves no
 * trace.
 *
 * @module
 */
import assert from "node:assert/strict";
import { concatBytes } from "../../src/core/bytes.ts";
import { type CborValue, encodeCanonical } from "../../src/core/cbor.ts";
import { verifyRoster } from "../../src/client/documents/roster.ts";
import { type HybridSigner } from "../../src/crypto/hybrid.ts";
import { ORIGIN } from "../support/app.ts";
import {
  expectRoster,
  publishRoster,
  putRoster,
  rosterBytes,
  withAlbum,
} from "../support/albums.ts";
import { expectJson } from "../support/expect.ts";
import { ciphertext, registerPerson, uuidOf } from "../support/people.ts";

import {
  fieldsOf,
  mapOf,
  ROSTER,
  signedRaw,
  withRefusals,
} from "../support/bad_rosters.ts";

const WRAPPED = new Uint8Array([1, 2, 3]);

Deno.test("a roster is signed by its owner's anchor, with both halves", async () => {
  await withRefusals(async (refused, ada, albumId, app) => {
    const eve = await registerPerson(app, "eve");
    const good = (signer: HybridSigner) =>
      rosterBytes(ada, albumId, 1, [], {}, signer);
    await refused("another account's anchor", await good(eve.signer));
    const fields = Object.entries(fieldsOf(ada, albumId));
    const payload = mapOf(fields);
    const mine = await ada.signer.sign(ROSTER, payload);
    const hers = await eve.signer.sign(ROSTER, payload);
    const envelope = (signature: Uint8Array) =>
      encodeCanonical({ payload, signature });
    const halves = (left: Uint8Array, right: Uint8Array) =>
      envelope(concatBytes(left.slice(0, 64), right.slice(64)));
    const none = new Uint8Array(mine.length);
    for (
      const [what, bytes] of [
        ["only Ed25519 is hers", halves(mine, hers)],
        ["only ML-DSA is hers", halves(hers, mine)],
        ["no ML-DSA", halves(mine, none)],
        ["no Ed25519", halves(none, mine)],
        ["neither", envelope(none)],
        ["an empty signature", envelope(new Uint8Array())],
        ["Ed25519 alone", envelope(mine.slice(0, 64))],
        ["ML-DSA alone", envelope(mine.slice(64))],
        [
          "halves the other way round",
          envelope(
            concatBytes(mine.slice(64), mine.slice(0, 64)),
          ),
        ],
        ["a byte less", envelope(mine.slice(0, -1))],
        ["a byte more", envelope(concatBytes(mine, new Uint8Array(1)))],
        [
          "of another roster",
          envelope(
            await ada.signer.sign(
              ROSTER,
              mapOf(Object.entries(fieldsOf(ada, uuidOf("another")))),
            ),
          ),
        ],
        ["without a domain", envelope(await ada.signer.sign(" ", payload))],
      ] as [string, Uint8Array][]
    ) await refused(what, bytes);
    for (
      const domain of [
        "service-device-directory/v1",
        "service-upgrade-intent/v1",
        "service-album-roster/v2",
        "service-album-roster/v1 ",
      ]
    ) {
      await refused(domain, await signedRaw(ada.signer, payload, domain));
      await refused(
        `of type ${domain}`,
        await rosterBytes(ada, albumId, 1, [], { type: domain }),
      );
    }
  });
});

Deno.test("a roster's album and owner are those of the path and the caller", async () => {
  await withRefusals(async (refused, ada, albumId, app) => {
    const eve = await registerPerson(app, "eve");
    for (
      const over of [
        { album_id: uuidOf("another") },
        { album_id: albumId.toUpperCase() },
        { album_id: "" },
        { owner: eve.userId },
        { owner: ada.userId.toUpperCase() },
        { owner: `${ada.userId}@${ORIGIN}` },
        { owner: ada.address },
      ]
    ) {
      await refused(
        JSON.stringify(over),
        await rosterBytes(ada, albumId, 1, [], over),
      );
    }
  });
});

Deno.test("a member is a user id, or one at the server id of a peer", async () => {
  await withRefusals(async (refused, ada, albumId) => {
    const id = uuidOf("member");
    const refusedMembers = async (...members: string[]) =>
      await refused(
        JSON.stringify(members),
        await rosterBytes(
          ada,
          albumId,
          1,
          members.map((member) => ({ member })),
        ),
      );
    for (
      const member of [
        "",
        "bob",
        "bob@example.org",
        id.toUpperCase(),
        id.replaceAll("-", ""),
        ` ${id}`,
        `${id}\n`,
        `${id}\u0000`,
        `{${id}}`,
        `${id}@`,
        `@https://peer.example`,
        `${id}@peer.example`,
        `${id}@https://peer.example/`,
        `${id}@https://peer.example/path`,
        `${id}@https://peer.example?`,
        `${id}@https://peer.example#`,
        `${id}@https://peer.example:443`,
        `${id}@http://peer.example:80`,
        `${id}@HTTPS://peer.example`,
        `${id}@https://PEER.example`,
        `${id}@https://user@peer.example`,
        `${id}@@https://peer.example`,
        `${id}@${id}@https://peer.example`,
        `${id}@https://peer.exa\u0000mple`,
        `${id}@https://peer.exa\nmple`,
        `${id}@https://peer.example\t`,
        `${id}@ https://peer.example`,
        `${id}@https://pe\u00adr.example`,
        `${id}@https://b\u00fccher.example`,
        `${id}@ftp://peer.example`,
        `${id}@blob:https://peer.example`,
        `${id}@null`,
        `${id}@https://`,
        `${id}@https://${"a.".repeat(200)}example`,
        `${id.toUpperCase()}@https://peer.example`,
        // One of this server has one name, and that is without the server.
        `${id}@${ORIGIN}`,
      ]
    ) await refusedMembers(member);
    await refusedMembers(id, id);
    await refusedMembers(id, uuidOf("between"), id);
    const peer = `${id}@https://peer.example`;
    await refusedMembers(peer, id, peer);
    await refusedMembers(ada.userId, ada.userId);
  });
});

Deno.test("one user id at two servers is two members", async () => {
  await withAlbum(async (app, ada, _bob, albumId) => {
    const id = uuidOf("member");
    const members = [
      id,
      `${id}@https://peer.example`,
      `${id}@http://peer.example`,
      `${id}@https://peer.example:8443`,
      `${id}@https://xn--bcher-kva.example`,
      `${id}@http://[::1]:8080`,
    ].map((member) => ({ member }));
    const held = await publishRoster(app, ada, albumId, 1, members);
    assert.equal(held.member_count, members.length);
  });
});

const SEALED_MAX_BYTES = 64 * 1024;

Deno.test("a roster may carry sealed history and info of 64 KiB each", async () => {
  await withAlbum(async (app, ada, _bob, albumId) => {
    const sealed = new Uint8Array(SEALED_MAX_BYTES).fill(7);
    const over = {
      amk_commitment: new Uint8Array(32),
      sealed_history: sealed,
      sealed_info: sealed,
    };
    const bytes = await rosterBytes(ada, albumId, 1, [], over);
    await expectJson(await putRoster(app, ada, albumId, bytes), 200);
    await expectRoster(app, ada, albumId, bytes);
    const read = await verifyRoster(bytes, ada.signer.publicKey);
    assert.deepEqual(read.sealed_history, sealed);
    assert.deepEqual(read.sealed_info, sealed);
  });
});

Deno.test("what a roster carries sealed is bytes, and no more than that", async () => {
  await withRefusals(async (refused, ada, albumId) => {
    for (const key of ["sealed_history", "sealed_info"]) {
      const wrong = [null, "sealed", 7, new Uint8Array(SEALED_MAX_BYTES + 1)];
      for (const value of wrong) {
        await refused(
          `${key}: ${typeof value}`,
          await rosterBytes(ada, albumId, 1, [], { [key]: value }),
        );
      }
    }
  });
});

Deno.test("a roster has its keys, each of its type, and no other", async () => {
  await withRefusals(async (refused, ada, albumId) => {
    const member = uuidOf("member");
    const one = { member, role: "viewer", wrapped_amk: WRAPPED };
    const wrong: Record<string, readonly CborValue[]> = {
      type: [null, 1, "", new TextEncoder().encode(ROSTER)],
      album_id: [null, 1, new TextEncoder().encode(albumId), [albumId]],
      owner: [null, 1, [ada.userId]],
      roster_version: [0, -1, null, "1", true, [1], new Uint8Array([1])],
      amk_epoch: [-1, null, "0", false, []],
      signed_at: [
        null,
        0,
        "",
        "yesterday",
        "2026-11-21",
        "2026-11-31T12:00:00Z",
        "2026-11-21T12:00:00",
      ],
      members: [
        null,
        {},
        "",
        [null],
        [member],
        [[one]],
        [{}],
        [{ member, role: "viewer" }],
        [{ member, wrapped_amk: WRAPPED }],
        [{ role: "viewer", wrapped_amk: WRAPPED }],
        [{ ...one, more: 1 }],
        [{ ...one, member: 1 }],
        [{ ...one, member: [member] }],
        [{ ...one, role: "owner" }],
        [{ ...one, role: "VIEWER" }],
        [{ ...one, role: "" }],
        [{ ...one, role: null }],
        [{ ...one, wrapped_amk: "AQID" }],
        [{ ...one, wrapped_amk: null }],
        [{ ...one, wrapped_amk: [1, 2, 3] }],
        [{ ...one, sealed_to: new Uint8Array(31) }],
        [{ ...one, sealed_to: "" }],
        [one, { ...one, member: uuidOf("other"), role: "admin" }],
      ],
      amk_commitment: [null, "", new Uint8Array(31), new Uint8Array(33)],
      more: [null, 1, "more"],
      __proto__x: [{}],
      constructor: ["x"],
    };
    const fields = Object.entries(fieldsOf(ada, albumId));
    const canonical = (entries: readonly (readonly [string, Uint8Array])[]) =>
      mapOf(
        entries.toSorted(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)),
      );
    for (const [key, values] of Object.entries(wrong)) {
      const others = fields.filter(([name]) => name !== key);
      for (const value of values) {
        const payload = canonical([...others, [key, encodeCanonical(value)]]);
        await refused(
          `${key}: ${JSON.stringify(value)}`,
          await signedRaw(ada.signer, payload),
        );
      }
      if (others.length === fields.length) continue;
      await refused(
        `no ${key}`,
        await signedRaw(ada.signer, canonical(others)),
      );
    }
    for (const payload of [[], "", 0, null, [1, 2], "payload"]) {
      await refused(
        `payload ${JSON.stringify(payload)}`,
        await signedRaw(ada.signer, encodeCanonical(payload)),
      );
    }
    // The control: in this order and nothing else they are a roster.
    assert.deepEqual(canonical(fields), mapOf(fields));
  });
});

Deno.test("the wrapped key of a member is any bytes", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const wrapped_amk = ciphertext("wrapped", 70_000);
    const members = [{ member: bob.userId, wrapped_amk }];
    const bytes = await rosterBytes(ada, albumId, 1, members);
    await expectJson(await putRoster(app, ada, albumId, bytes), 200);
  });
});
