/**
 * The contact card of someone on another server
 * (protocol/albums-abroad.md#contact-card): the keys to which an album's owner
 * seals, signed by the identity that is in it. A link carries it in the index
 * of a share; the same bytes are a file or a text to paste.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes } from "../../core/bytes.ts";
import { isServerId } from "../../core/origin.ts";
import { isEd25519PublicKey } from "../../crypto/ed25519_strict.ts";
import { signEnvelope } from "../../crypto/envelope.ts";
import type { HybridBackend, HybridSigner } from "../../crypto/hybrid.ts";
import { opaqueId } from "../../wire/fields.ts";
import {
  anyBytes,
  assertUtc,
  checked,
  DocumentError,
  instant,
  textBetween,
  uuid,
} from "./fields.ts";
import { assertSigned, openDocument } from "./signed.ts";
import { isSealingKey } from "./suite.ts";

/** The card's type and signing domain. */
const CARD_TYPE = "service-contact-card/v1";

/** Most bytes of a card. */
const CARD_MAX_BYTES = 16 * 1024;
/** A card is good for at most this many days. */
export const CARD_MAX_DAYS = 90;

const DAY_MS = 86_400_000;
const IDENTITY_KEY_BYTES = 1_984;
const ED25519_BYTES = 32;

/** Exactly so many bytes. */
export function exactly(length: number) {
  return anyBytes.check(
    z.refine((bytes) => bytes.length === length, `not ${length} bytes`),
  );
}

/** The id of a server: its canonical origin. */
export const serverId = z.string().check(
  z.refine(isServerId, "not a server's canonical origin"),
);

/** A hybrid identity key whose Ed25519 half is a point that signs. */
export const identityKey = exactly(IDENTITY_KEY_BYTES).check(
  z.refine(
    (bytes) => isEd25519PublicKey(bytes.slice(0, ED25519_BYTES)),
    "no identity key",
  ),
);

const cardSchema = z.strictObject({
  type: z.literal(CARD_TYPE),
  card_id: exactly(16),
  server_id: serverId,
  user_id: uuid,
  identity_key: identityKey,
  sealing_key: anyBytes.check(z.refine(isSealingKey, "no sealing key")),
  /** An upload link of theirs, for a knock. */
  box: z.exactOptional(
    z.strictObject({ opaque_id: opaqueId, fingerprint: exactly(32) }),
  ),
  name: z.exactOptional(textBetween(1, 128)),
  made_at: instant,
  expires_at: instant,
});

/** The fields of a card; the type is added when it is signed. */
export interface ContactCard {
  /** 16 random bytes: a secret of whoever made it and whoever saw it. */
  readonly card_id: Uint8Array;
  readonly server_id: string;
  readonly user_id: string;
  /** 1,984 bytes. */
  readonly identity_key: Uint8Array;
  /** X-Wing public key, 1,216 bytes. */
  readonly sealing_key: Uint8Array;
  readonly box?: {
    readonly opaque_id: string;
    readonly fingerprint: Uint8Array;
  };
  /** What they call themselves, 1 to 128 characters. */
  readonly name?: string;
  /** RFC 3339, UTC, `Z`; at most 90 days apart. */
  readonly made_at: string;
  readonly expires_at: string;
}

/** Signs a card. Throws a DocumentError for fields out of bounds. */
export async function signCard(
  signer: HybridSigner,
  card: ContactCard,
): Promise<Bytes> {
  const payload = checked(
    cardSchema,
    { ...card, type: CARD_TYPE },
    "contact card",
  );
  assertTimes(payload);
  return await signEnvelope(signer, { ...payload });
}

/**
 * Reads a card and verifies that the identity in it signed it. Whether it has
 * expired is the caller's to see. Throws a DocumentError.
 */
export async function verifyCard(
  bytes: Uint8Array,
  backend?: HybridBackend,
): Promise<ContactCard> {
  if (bytes.length > CARD_MAX_BYTES) {
    throw new DocumentError("contact card: too large");
  }
  const opened = openDocument(bytes, "contact card");
  const { type: _type, ...card } = checked(
    cardSchema,
    opened.payload,
    "contact card",
  );
  assertTimes(card);
  await assertSigned(
    opened,
    "contact card",
    CARD_TYPE,
    card.identity_key,
    backend,
  );
  return card;
}

/** How albums name the person of a card. */
export function memberOf(
  { user_id, server_id }: Pick<ContactCard, "user_id" | "server_id">,
): string {
  return `${user_id}@${server_id}`;
}

function assertTimes({ made_at, expires_at }: ContactCard): void {
  assertUtc("contact card", made_at, expires_at);
  const lasts = Date.parse(expires_at) - Date.parse(made_at);
  if (lasts > 0 && lasts <= CARD_MAX_DAYS * DAY_MS) return;
  throw new DocumentError("contact card: more than 90 days");
}
