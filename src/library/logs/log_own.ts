/**
 * What the keys log says of this account: each entry has to be of a document
 * that one of its devices published.
 *
 * @module
 */
import { sha256Hex } from "../../crypto/sha256.ts";
import { verifyDirectory } from "../../client/documents/directory.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { verifyRoster } from "../../client/documents/roster.ts";
import { persist } from "../../client/api/send.ts";
import { ApiProblem } from "../../client/api/transport.ts";
import type { OwnEntry } from "./log_state.ts";
import { entryOf } from "../base/merging.ts";
import { directoryOf } from "../vault/naming.ts";
import {
  changePublished,
  type Published,
  type PublishedDocument,
  readPublished,
  withDocuments,
} from "../vault/published.ts";
import type { Session } from "../vault/session.ts";
import type { LogCheck } from "./log_check.ts";

/** One of the account's entries in the keys log. */
export interface OwnPublication extends OwnEntry {
  /** The device and the time, as that device noted them. */
  readonly by: string | undefined;
  readonly at: string | undefined;
  /** Whether a device of this account published it. */
  readonly isOurs: boolean;
}

const WHATS = {
  directory: "list of devices",
  roster: "list of an album's members",
} as const;

/** Compares the account's entries with what its devices noted. */
export async function checkOwnEntries(
  check: LogCheck,
): Promise<readonly OwnPublication[]> {
  const { vault } = check.context;
  const entries = check.state.keys?.own ?? [];
  let published = await readPublished(vault);
  // A server that was set back has lost what was noted since.
  const held = check.state.published;
  if (withDocuments(published, held) !== published) {
    published = await changePublished(
      vault,
      (before) => withDocuments(before, held),
    );
  }
  const unknown = () =>
    entries.filter(({ sha256 }) => !Object.hasOwn(published.documents, sha256));
  published = await takeUp(check, published, unknown());
  check.state = { ...check.state, published: published.documents };
  for (const { what, version, index, sha256 } of unknown()) {
    check.tell(
      "not_ours",
      sha256,
      `entry ${index} of ${check.state.keys?.origin ?? "the keys log"}: a ` +
        `${WHATS[what]} (version ${version}) that none of your devices ` +
        "published",
    );
  }
  return entries.map((entry) => {
    const noted = entryOf(published.documents, entry.sha256);
    return {
      ...entry,
      by: noted?.by,
      at: noted?.at,
      isOurs: noted !== undefined,
    };
  });
}

/**
 * Takes up what this account signed and no device noted, such as its first
 * directory and the roster of its library. A server cannot make these. A
 * device that may know less than the others takes up nothing.
 */
async function takeUp(
  check: LogCheck,
  published: Published,
  entries: readonly OwnEntry[],
): Promise<Published> {
  const { vault, trust } = check.context;
  const { session, identity } = vault;
  const maySay = trust.status === "whole" &&
    check.record.begun_at !== undefined;
  if (!maySay || entries.length === 0) return published;
  const documents: Record<string, PublishedDocument> = {};
  const key = identity.signer.publicKey;
  const { hybrid } = session.platform;
  const bytes = await directoryOf(session);
  if (bytes !== undefined) {
    const sha256 = sha256Hex(bytes);
    const isNamed = entries.some((one) => one.sha256 === sha256);
    const verified = isNamed
      ? await unlessRefused(
        verifyDirectory(bytes, key, session.userId, hybrid),
      )
      : undefined;
    if (verified !== undefined) {
      const { devices, signed_at: at } = verified;
      const by = devices.at(-1)?.device_id;
      documents[sha256] = {
        what: "directory",
        at,
        ...by === undefined ? {} : { by },
      };
    }
  }
  if (entries.some(({ what }) => what === "roster")) {
    const roster = await ownRoster(session, vault.libraryAlbumId);
    const sha256 = roster === undefined ? "" : sha256Hex(roster);
    const isNamed = entries.some((one) => one.sha256 === sha256);
    const verified = roster !== undefined && isNamed
      ? await unlessRefused(verifyRoster(roster, key, hybrid))
      : undefined;
    if (verified !== undefined) {
      documents[sha256] = { what: "roster", at: verified.signed_at };
    }
  }
  if (Object.keys(documents).length === 0) return published;
  return await changePublished(
    vault,
    (before) => withDocuments(before, documents),
  );
}

/** A document; undefined if this account did not sign it. */
async function unlessRefused<T>(verified: Promise<T>): Promise<T | undefined> {
  try {
    return await verified;
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** The roster of an own album as the server shows it. */
async function ownRoster({ account }: Session, albumId: string) {
  try {
    return await persist(account, () => account.roster(albumId), {});
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  }
}
