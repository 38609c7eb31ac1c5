/**
 * What people of two servers send each other through upload links
 * (protocol/albums-abroad.md#knock, #replies): an album's owner tells a new
 * member where the invitation is, and the member answers. Each is a guest's
 * file whose plaintext is a signed envelope.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes } from "../../core/bytes.ts";
import { signEnvelope } from "../../crypto/envelope.ts";
import type { HybridBackend, HybridSigner } from "../../crypto/hybrid.ts";
import { opaqueId } from "../../wire/fields.ts";
import { exactly, identityKey, serverId } from "./contact_card.ts";
import {
  assertUtc,
  checked,
  DocumentError,
  instant,
  textBetween,
  uuid,
} from "./fields.ts";
import { assertSigned, openDocument } from "./signed.ts";
import { KEY_BYTES } from "./suite.ts";

const KNOCK_TYPE = "service-knock/v1";
const REPLY_TYPE = "service-reply/v1";

/** The media types by which programs know these files. */
export const KNOCK_MIME = "application/vnd.strongroom.knock";
export const REPLY_MIME = "application/vnd.strongroom.reply";

/** Most bytes of a knock or a reply. */
export const MAIL_MAX_BYTES: number = 16 * 1024;
/** Most characters of what a member asks for. */
const ASK_MAX_CHARS = 500;

/** `<user_id>@<server_id>`. */
const member = textBetween(1, 300);

const knockSchema = z.strictObject({
  type: z.literal(KNOCK_TYPE),
  to: member,
  from: member,
  from_key: identityKey,
  card_id: exactly(16),
  server_id: serverId,
  opaque_id: opaqueId,
  secret: exactly(KEY_BYTES),
  sent_at: instant,
});

const replySchema = z.strictObject({
  type: z.literal(REPLY_TYPE),
  to: member,
  from: member,
  seq: z.int().check(z.gte(1)),
  kind: z.enum(["accepted", "declined", "left", "ask"]),
  album_id: uuid,
  text: z.exactOptional(textBetween(1, ASK_MAX_CHARS)),
  sent_at: instant,
});

/** The fields of a knock; the type is added when it is signed. */
export interface Knock {
  /** The member and the owner, `<user_id>@<server_id>`. */
  readonly to: string;
  readonly from: string;
  /** The owner's identity key, 1,984 bytes. */
  readonly from_key: Uint8Array;
  /** The card that the invitation answers. */
  readonly card_id: Uint8Array;
  /** The pickup, on the owner's server. */
  readonly server_id: string;
  readonly opaque_id: string;
  readonly secret: Uint8Array;
  readonly sent_at: string;
}

/** The fields of a reply; the type is added when it is signed. */
export interface Reply {
  /** The owner and the member, `<user_id>@<server_id>`. */
  readonly to: string;
  readonly from: string;
  /** Above that of the reply before. */
  readonly seq: number;
  readonly kind: "accepted" | "declined" | "left" | "ask";
  readonly album_id: string;
  /** 1 to 500 characters. */
  readonly text?: string;
  readonly sent_at: string;
}

/** Signs a knock. Throws a DocumentError for fields out of bounds. */
export async function signKnock(
  signer: HybridSigner,
  knock: Knock,
): Promise<Bytes> {
  const payload = checked(knockSchema, { ...knock, type: KNOCK_TYPE }, "knock");
  assertUtc("knock", payload.sent_at);
  return await signEnvelope(signer, { ...payload });
}

/**
 * Reads a knock and verifies that the key in it signed it; whose that is the
 * invitation says. Throws a DocumentError.
 */
export async function verifyKnock(
  bytes: Uint8Array,
  backend?: HybridBackend,
): Promise<Knock> {
  const opened = openedMail(bytes, "knock");
  const { type, ...knock } = checked(knockSchema, opened.payload, "knock");
  assertUtc("knock", knock.sent_at);
  await assertSigned(opened, "knock", type, knock.from_key, backend);
  return knock;
}

/** Signs a reply. Throws a DocumentError for fields out of bounds. */
export async function signReply(
  signer: HybridSigner,
  reply: Reply,
): Promise<Bytes> {
  const payload = checked(replySchema, { ...reply, type: REPLY_TYPE }, "reply");
  assertUtc("reply", payload.sent_at);
  return await signEnvelope(signer, { ...payload });
}

/**
 * Reads a reply and verifies that this identity key signed it. Throws a
 * DocumentError.
 */
export async function verifyReply(
  bytes: Uint8Array,
  identity: Uint8Array,
  backend?: HybridBackend,
): Promise<Reply> {
  const opened = openedMail(bytes, "reply");
  const { type, ...reply } = checked(replySchema, opened.payload, "reply");
  assertUtc("reply", reply.sent_at);
  await assertSigned(opened, "reply", type, identity, backend);
  return reply;
}

function openedMail(bytes: Uint8Array, what: string) {
  if (bytes.length <= MAIL_MAX_BYTES) return openDocument(bytes, what);
  throw new DocumentError(`${what}: too large`);
}
