/**
 * Reading a signed upgrade intent (protocol/albums.md#upgrade-ceremony).
 *
 * @module
 */
import { z } from "zod";
import { type AlbumId, type IntentId, isUuid } from "../../core/ids.ts";
import { parseProtocolDate, type ProtocolDate } from "../../core/protocol.ts";
import { parseRfc3339, SECOND_MS } from "../../core/time.ts";
import {
  EnvelopeError,
  type OpenedEnvelope,
  openEnvelope,
} from "../../crypto/envelope.ts";
import { More } from "../../wire/more.ts";

export const INTENT_TYPE = "service-upgrade-intent/v1";

const Payload = z.strictObject({
  type: z.literal(INTENT_TYPE),
  album_id: z.string().refine((text) => isUuid<AlbumId>(text)),
  intent_id: z.string().refine((text) => isUuid<IntentId>(text)),
  to_protocol_version: z.string(),
  successor_album_id: z.string().refine((text) => isUuid<AlbumId>(text)),
  window_seconds: z.int().min(60).max(86_400),
  signed_at: z.string().refine((text) => parseRfc3339(text) !== undefined),
  more: More.optional(),
});

export interface UpgradeIntent {
  readonly opened: OpenedEnvelope;
  readonly albumId: AlbumId;
  readonly intentId: IntentId;
  readonly toProtocol: ProtocolDate;
  readonly successorId: AlbumId;
  readonly windowMs: number;
}

/** Why bytes are no intent; for the log. */
export class IntentFault extends Error {
  override readonly name = "IntentFault";
}

/** Reads an intent's bytes; throws an {@link IntentFault} for anything else. */
export function readIntent(bytes: Uint8Array): UpgradeIntent {
  const opened = open(bytes);
  const parsed = Payload.safeParse(opened.payload);
  if (!parsed.success) throw new IntentFault(z.prettifyError(parsed.error));
  const { data } = parsed;
  const toProtocol = parseProtocolDate(data.to_protocol_version);
  if (toProtocol === undefined) throw new IntentFault("no protocol date");
  return {
    opened,
    albumId: data.album_id,
    intentId: data.intent_id,
    toProtocol,
    successorId: data.successor_album_id,
    windowMs: data.window_seconds * SECOND_MS,
  };
}

function open(bytes: Uint8Array): OpenedEnvelope {
  try {
    return openEnvelope(bytes, { maxItems: 1_000 });
  } catch (cause) {
    if (!(cause instanceof EnvelopeError)) throw cause;
    throw new IntentFault(cause.message, { cause });
  }
}
