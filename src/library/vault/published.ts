/**
 * What the devices of an account published: the sealed state slot `published`.
 * Each device notes a directory or a roster there before it publishes it, so
 * that an entry of the keys log that is not noted was made by someone else
 * (protocol/client-cryptography.md#what-the-devices-published).
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { ApiProblem } from "../../client/api/api.ts";
import {
  hash,
  textBetween,
  utcInstant,
} from "../../client/documents/fields.ts";
import type { Identity } from "../../client/documents/identity.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import { persist } from "../../client/api/send.ts";
import { openSlot, sealSlot } from "../../client/documents/state.ts";
import { inOrder, mergeRest, mergeSection, orderOf } from "../base/merging.ts";
import { isOfEverything } from "../base/faults.ts";
import { primitivesOf } from "../base/platform.ts";
import type { Session } from "./session.ts";

/** The state slot. */
const PUBLISHED_SLOT = "published";

/** A document that a device published. */
export interface PublishedDocument {
  [key: string]: unknown;
  /** `directory`, `roster`, or a word of a newer program. */
  what: string;
  at: string;
  /** The device; undefined for what was there before devices noted it. */
  by?: string | undefined;
}

/** The content of the slot. */
export interface Published {
  [key: string]: unknown;
  v: 1;
  /** By their SHA-256 in hex. */
  documents: Record<string, PublishedDocument>;
}

/** The shape of a document that was published. */
export const documentSchema: z.ZodMiniType<PublishedDocument> = z.looseObject({
  what: textBetween(1, 64),
  at: utcInstant,
  by: z.optional(textBetween(1, 128)),
});

const publishedSchema: z.ZodMiniType<Published> = z.looseObject({
  v: z.literal(1),
  documents: z._default(
    z.record(hash, documentSchema),
    {},
  ),
});

/** What seals the slot. */
interface Signing {
  readonly session: Session;
  readonly identity: Identity;
}

const MOST_TRIES = 8;

/**
 * What stands in the slot; empty where there is nothing. Throws a StreamError
 * for what no device of this account wrote.
 */
export async function readPublished(of: Signing): Promise<Published> {
  return (await held(of)).value;
}

/** Changes the slot; what two devices add both stays. */
export async function changePublished(
  of: Signing,
  change: (before: Published) => Published,
): Promise<Published> {
  const { account, platform } = of.session;
  for (let tries = 1;; tries++) {
    const { value, etag } = await held(of);
    const next = change(value);
    if (next === value) return value;
    const bytes = await sealSlot(
      encodeJson(publishedSchema, next, "published documents"),
      of.identity.stateKey(PUBLISHED_SLOT),
      platform.random,
      primitivesOf(platform),
    );
    try {
      await account.putSlot(PUBLISHED_SLOT, bytes, etag);
      return next;
    } catch (error) {
      const isOvertaken = error instanceof ApiProblem &&
        error.code === "error.state.version_conflict";
      if (!isOvertaken || tries === MOST_TRIES) throw error;
    }
  }
}

/**
 * Notes a document that this device is about to publish. It is published even
 * where the slot cannot be written: then an alarm tells of it, as it should
 * where a server hides what stands in the slot.
 */
export async function notePublishing(
  of: Signing,
  what: "directory" | "roster",
  bytes: Bytes,
): Promise<void> {
  const { device, platform } = of.session;
  const document: PublishedDocument = {
    what,
    at: toRfc3339(platform.now()),
    by: device.device_id,
  };
  try {
    await changePublished(
      of,
      (before) => withDocuments(before, { [sha256Hex(bytes)]: document }),
    );
  } catch (error) {
    if (isOfEverything(error)) throw error;
  }
}

/** Adds documents to those of a slot; what is noted stays as it is. */
export function withDocuments(
  before: Published,
  documents: Record<string, PublishedDocument>,
): Published {
  const isKnown = Object.keys(documents)
    .every((sha256) => Object.hasOwn(before.documents, sha256));
  if (isKnown) return before;
  return {
    ...before,
    documents: mergeSection(before.documents, documents, mergeDocument),
  };
}

function mergeDocument(
  a: PublishedDocument,
  b: PublishedDocument,
): PublishedDocument {
  const [first] = inOrder(a, b, (one) => orderOf(one.at, one.by ?? ""));
  return { ...mergeRest(a, b, {}), ...first };
}

async function held(
  { session, identity }: Signing,
): Promise<{ readonly value: Published; readonly etag: string | null }> {
  const { account, platform } = session;
  try {
    const { bytes, etag } = await persist(
      account,
      () => account.slot(PUBLISHED_SLOT),
      {},
    );
    const plain = await openSlot(
      bytes,
      identity.stateKey(PUBLISHED_SLOT),
      primitivesOf(platform),
    );
    const value = decodeJson(publishedSchema, plain, "published documents");
    return { value, etag };
  } catch (error) {
    const isNone = error instanceof ApiProblem &&
      error.code === "error.state.not_found";
    if (!isNone) throw error;
    return { value: { v: 1, documents: {} }, etag: null };
  }
}
