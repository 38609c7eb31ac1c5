/**
 * Vectors of albums across servers: a contact card, grants, a grant sealed to
 * the member, a knock and a reply.
 *
 * @module
 */
import { toBase64, toHex } from "../../src/core/bytes.ts";
import { portableBackend } from "../../src/crypto/hybrid_portable.ts";
import {
  type AlbumGrant,
  sealGrant,
  signGrant,
} from "../../src/client/documents/album_grant.ts";
import {
  signKnock,
  signReply,
} from "../../src/client/documents/abroad_mail.ts";
import {
  buildAbroadLink,
  encodeAbroadIndex,
} from "../../src/client/documents/abroad_links.ts";
import {
  type ContactCard,
  memberOf,
  signCard,
} from "../../src/client/documents/contact_card.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import {
  MASTER_KEY,
  OPAQUE_ID,
  randomOf,
  secretOf,
  SERVER_ID,
  sharedSecretOf,
  SIGNED_AT,
  USER_ID,
} from "./seeds.ts";

const HOME = "https://bob.example";
const BOB_ID = "01930b6e-7a30-7c3a-8a8e-3f2d9c4b5a61";

/** Card, grant, sealed grant. */
export async function abroadVectors() {
  const ada = await openIdentity(MASTER_KEY, undefined, portableBackend);
  const bob = await openIdentity(
    secretOf("master key of bob"),
    undefined,
    portableBackend,
  );
  const cardId = secretOf("card").slice(0, 16);
  const card: ContactCard = {
    card_id: cardId,
    server_id: HOME,
    user_id: BOB_ID,
    identity_key: bob.signer.publicKey,
    sealing_key: await bob.sealing.publicKey(),
    box: { opaque_id: OPAQUE_ID, fingerprint: secretOf("box") },
    name: "Bob",
    made_at: SIGNED_AT,
    expires_at: "2026-10-08T12:00:00.000Z",
  };
  const member = memberOf(card);
  const common = {
    member,
    card_id: cardId,
    server_id: SERVER_ID,
    album_id: ada.albumId(2),
    owner: USER_ID,
    owner_key: ada.signer.publicKey,
    owner_name: "Ada",
    roster_version: 2,
    amk_epoch: 0,
    roster: secretOf("roster"),
    keys: [toHex(secretOf("attestation key"))],
    signed_at: SIGNED_AT,
  };
  const live: AlbumGrant = {
    ...common,
    seq: 1,
    state: "live",
    grant: {
      token: "e30.e30.AA",
      jti: "01930b6e-7a30-7c3a-8a8e-3f2d9c4b5a62",
      renewal: secretOf("renewal"),
      expires_at: "2026-10-02T12:00:00.000Z",
      not_after: "2026-12-29T12:00:00.000Z",
      scope: "read",
      min_protocol_version: "2026-10-01",
    },
    reply: {
      opaque_id: OPAQUE_ID,
      fingerprint: secretOf("reply"),
      expires_at: "2026-12-29T12:00:00.000Z",
    },
    log: ["strongroom.example/keys", 7, secretOf("root")],
  };
  const grant = await signGrant(ada.signer, live);
  const ended = await signGrant(ada.signer, {
    ...common,
    seq: 2,
    state: "ended",
  });
  const moved = await signGrant(ada.signer, {
    ...common,
    seq: 3,
    state: "moved",
    successor: {
      server_id: "https://photos.ada.example",
      pickup: { opaque_id: OPAQUE_ID, secret: secretOf("next pickup") },
    },
  });
  const sealed = await sealGrant(
    grant,
    card.sealing_key,
    { member, opaqueId: OPAQUE_ID },
    randomOf("grant coins"),
  );
  const knock = await signKnock(ada.signer, {
    to: member,
    from: `${USER_ID}@${SERVER_ID}`,
    from_key: ada.signer.publicKey,
    card_id: cardId,
    server_id: SERVER_ID,
    opaque_id: OPAQUE_ID,
    secret: secretOf("pickup link"),
    sent_at: SIGNED_AT,
  });
  const reply = await signReply(bob.signer, {
    to: `${USER_ID}@${SERVER_ID}`,
    from: member,
    seq: 3,
    kind: "ask",
    album_id: common.album_id,
    text: "May I see them again?",
    sent_at: SIGNED_AT,
  });
  const cbor = await signCard(bob.signer, card);
  const texts = {
    n: 1,
    title: "For your strongroom",
    message: "Open this link in your own strongroom.",
  };
  return {
    member,
    card: toBase64(cbor),
    sealing_secret: toHex(bob.sealing.secretKey),
    owner_key: toBase64(ada.signer.publicKey),
    grants: [grant, ended, moved].map((one) => toBase64(one)),
    opaque_id: OPAQUE_ID,
    sealed: toBase64(sealed),
    shared_secret: sharedSecretOf(sealed, bob.sealing.secretKey),
    knock: toBase64(knock),
    reply: toBase64(reply),
    links: {
      contact: buildAbroadLink({
        kind: "contact",
        serverId: HOME,
        opaqueId: OPAQUE_ID,
        secret: new Uint8Array(secretOf("contact link")),
      }),
      pickup: buildAbroadLink({
        kind: "pickup",
        serverId: SERVER_ID,
        opaqueId: OPAQUE_ID,
        secret: new Uint8Array(secretOf("pickup link")),
      }),
    },
    indexes: {
      contact: toBase64(encodeAbroadIndex("contact", cbor, texts)),
      pickup: toBase64(encodeAbroadIndex("pickup", sealed, texts)),
    },
  };
}
