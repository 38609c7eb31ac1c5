/**
 * The account's own upload links.
 *
 * @module
 */
import type { UploadLinkEntry } from "../../wire/answers/own_links.ts";
import { createGuest } from "../links.ts";
import { newShare } from "../new_share.ts";
import type { KeptLink } from "../state.ts";
import {
  buildUploadLink,
  recipientFingerprint,
  wrapFingerprint,
} from "../upload_link.ts";
import { inParallel } from "./parallel.ts";
import type { Origins } from "./origins.ts";
import { clientOptions, passphraseOptions } from "./platform.ts";
import type { Vault } from "./vault.ts";

/** A link to make, by which others can send files. */
export interface NewRequest {
  /** RFC 3339, at most 90 days ahead. */
  readonly expiresAt: string;
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** If given, the link works only with it. */
  readonly passphrase?: string;
  /** Who asks and what for; it is in the link and not at the server. */
  readonly note?: string;
  /** It is for the person's own devices; see `accept_mine.ts`. */
  readonly mine?: boolean;
}

/** The link that was made. */
export interface MadeRequest {
  readonly opaqueId: string;
  readonly url: string;
}

/** One of the account's upload links. */
export interface OwnRequest extends UploadLinkEntry {
  readonly url: string;
  readonly note: string | undefined;
  /** What comes by it is accepted without asking. */
  readonly isMine: boolean;
}

/** What making upload links works with. */
export interface RequestContext {
  readonly vault: Vault;
  readonly origins: Origins;
}

/** Makes an upload link whose key only this account has. */
export async function makeRequest(
  { vault, origins }: RequestContext,
  request: NewRequest,
): Promise<MadeRequest> {
  const { session, identity } = vault;
  const { platform, account } = session;
  const { opaqueId } = newShare(platform.random);
  const recipientKey = await identity.uploadLinkKeys(opaqueId)
    .publicKey();
  const fingerprint = recipientFingerprint(recipientKey);
  const { passphrase, expiresAt, maxBytes, maxFiles, note } = request;
  await account.issueUploadLink({
    opaqueId,
    recipientKey,
    expiresAt,
    maxBytes,
    maxFiles,
    ...(passphrase === undefined ? {} : {
      wrappedSecret: await wrapFingerprint(
        passphrase,
        fingerprint,
        platform.random,
        passphraseOptions(platform),
      ),
    }),
  });
  const url = buildUploadLink({
    origin: origins.links,
    opaqueId,
    ...(passphrase === undefined ? { fingerprint } : {}),
    ...(note === undefined ? {} : { note }),
  });
  return { opaqueId, url };
}

/**
 * The account's upload links, each with its URL to hand out again; `keptOf`
 * returns what the account's programs keep of a link.
 */
export async function ownRequests(
  { vault, origins }: RequestContext,
  keptOf: (opaqueId: string) => KeptLink | undefined,
): Promise<readonly OwnRequest[]> {
  const { account, server, platform } = vault.session;
  const origin = origins.links;
  const entries = await account.uploadLinks();
  return await inParallel(entries, 4, async (entry) => {
    const opaqueId = entry.opaque_id;
    const publicKey = await vault.identity.uploadLinkKeys(opaqueId)
      .publicKey();
    const fingerprint = recipientFingerprint(publicKey);
    const guest = createGuest(clientOptions(platform, server), opaqueId);
    // The URL of a link with a passphrase must not contain the fingerprint.
    const isOpen = await guest.viewLink()
      .then((view) => !view.passphrase_protected, () => false);
    const kept = keptOf(opaqueId);
    // A link may be kept for its mark alone.
    const note = kept?.title === "" ? undefined : kept?.title;
    const url = buildUploadLink({
      origin,
      opaqueId,
      ...(isOpen ? { fingerprint } : {}),
      ...(note === undefined ? {} : { note }),
    });
    return { ...entry, url, note, isMine: kept?.mine === true };
  });
}
