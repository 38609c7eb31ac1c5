/**
 * The account's own upload links.
 *
 * @module
 */
import type { UploadLinkEntry } from "../../wire/answers/own_links.ts";
import { ApiProblem } from "../../client/api/api.ts";
import type { LinkCalls } from "../../client/api/link_calls.ts";
import { readTime } from "../../core/time.ts";
import { newShare } from "../../client/documents/new_share.ts";
import type { KeptLink } from "../../client/documents/state.ts";
import {
  buildUploadLink,
  recipientFingerprint,
  wrapGate,
} from "../../client/documents/upload_link.ts";
import { inParallel } from "../base/parallel.ts";
import type { LinkNote } from "./link_notes.ts";
import type { Origins } from "../trust/origins.ts";
import type { AbroadSlot } from "../trust/abroad_state.ts";
import { passphraseOptions } from "../base/platform.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { Vault } from "../vault/vault.ts";

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
  /**
   * It is the half of a link both ways: the list that what comes by it is for,
   * as a link follows one.
   */
  readonly into?: string;
  /** With `into`: it is for what viewers of an album say; `viewer_links.ts`. */
  readonly viewers?: boolean;
}

/** The link that was made. */
export interface MadeRequest {
  readonly opaqueId: string;
  readonly url: string;
}

/** One of the account's upload links. */
export interface OwnRequest extends UploadLinkEntry {
  readonly url: string;
  /** Whether the account's own record says that a passphrase protects it. */
  readonly hasPassphrase: boolean;
  readonly note: string | undefined;
  /** What comes by it is accepted without asking. */
  readonly isMine: boolean;
  /** The list that what comes by it is for. */
  readonly into: string | undefined;
}

/** What making upload links works with. */
interface RequestContext {
  readonly vault: Vault;
  readonly origins: Origins;
}

/**
 * Makes an upload link whose key only this account has. `noteLink` keeps what
 * the account's programs have to know of it, before the server knows the link.
 */
export async function makeRequest(
  { vault, origins }: RequestContext,
  request: NewRequest,
  noteLink: (opaqueId: string, note: LinkNote) => Promise<unknown>,
): Promise<MadeRequest> {
  const { session, identity } = vault;
  const { platform, account } = session;
  const { opaqueId } = newShare(platform.random);
  const recipientKey = await identity.uploadLinkKeys(opaqueId)
    .publicKey();
  const fingerprint = recipientFingerprint(recipientKey);
  const { passphrase, expiresAt, maxBytes, maxFiles, ...noted } = request;
  const { note, mine, into, viewers } = noted;
  await noteLink(opaqueId, {
    ...(note === undefined ? {} : { title: note }),
    ...(mine === true ? { mine } : {}),
    ...(into === undefined ? {} : { into }),
    ...(viewers === true ? { viewers } : {}),
    passphrase: passphrase !== undefined,
  });
  await account.issueUploadLink({
    opaqueId,
    recipientKey,
    expiresAt,
    maxBytes,
    maxFiles,
    ...(passphrase === undefined ? {} : {
      wrappedSecret: await wrapGate(
        passphrase,
        { opaqueId, gate: identity.uploadLinkGate(opaqueId) },
        platform.random,
        passphraseOptions(platform),
      ),
    }),
  });
  const url = buildUploadLink({
    origin: origins.links,
    opaqueId,
    fingerprint,
    ...gateInLink(vault, opaqueId, passphrase !== undefined),
    ...(note === undefined ? {} : { note }),
  });
  return { opaqueId, url };
}

/**
 * The account's upload links that bring photos: others are for what programs of
 * two servers tell each other, and for what viewers of albums say.
 */
export async function photoLinks(
  { vault, state }: Pick<RequestContext, "vault"> & {
    readonly state: Pick<SharedState, "held">;
  },
  abroad: () => Promise<AbroadSlot>,
): Promise<readonly UploadLinkEntry[]> {
  const links = await vault.session.account.uploadLinks();
  if (links.length === 0) return links;
  const slot = await abroad();
  await slot.read();
  const boxes = slot.boxes();
  return links.filter(({ opaque_id: id }) =>
    !boxes.has(id) && state.held.links[id]?.viewers !== true
  );
}

/**
 * The account's upload links, each with its URL to hand out again; `keptOf`
 * returns what the account's programs keep of a link.
 */
export async function ownRequests(
  { vault, origins }: RequestContext,
  entries: readonly UploadLinkEntry[],
  keptOf: (opaqueId: string) => KeptLink | undefined,
): Promise<readonly OwnRequest[]> {
  const origin = origins.links;
  return await inParallel(entries, 4, async (entry) => {
    const opaqueId = entry.opaque_id;
    const publicKey = await vault.identity.uploadLinkKeys(opaqueId)
      .publicKey();
    const fingerprint = recipientFingerprint(publicKey);
    const kept = keptOf(opaqueId);
    // A link may be kept for its mark alone.
    const note = kept?.title === "" ? undefined : kept?.title;
    const into = kept?.into;
    const hasPassphrase = kept?.passphrase === true;
    const url = buildUploadLink({
      origin,
      opaqueId,
      fingerprint,
      ...gateInLink(vault, opaqueId, hasPassphrase),
      ...(note === undefined ? {} : { note }),
    });
    const isMine = kept?.mine === true;
    return { ...entry, url, note, isMine, into, hasPassphrase };
  });
}

/** The gate that an address carries: behind a passphrase it is at the server. */
function gateInLink(
  { identity }: Vault,
  opaqueId: string,
  hasPassphrase: boolean,
): { readonly gate?: Uint8Array } {
  return hasPassphrase ? {} : { gate: identity.uploadLinkGate(opaqueId) };
}

/** The account's upload links that the server has, by their ids. */
export async function uploadLinksOf(
  account: Pick<LinkCalls, "uploadLinks">,
): Promise<ReadonlyMap<string, UploadLinkEntry>> {
  const links = await account.uploadLinks();
  return new Map(links.map((one) => [one.opaque_id, one]));
}

/** Ends the upload half of a link; one that has ended is fine. */
export async function endAdding(
  account: Pick<LinkCalls, "revokeUploadLink">,
  adds: string,
): Promise<void> {
  try {
    await account.revokeUploadLink(adds);
  } catch (error) {
    const isGone = error instanceof ApiProblem && error.status === 404;
    if (!isGone) throw error;
  }
}

/**
 * Ends the upload half of a link that is to end before it: the end of an upload
 * link cannot be moved.
 */
export async function endAddingBefore(
  account: Pick<LinkCalls, "revokeUploadLink" | "uploadLinks">,
  adds: string,
  expiresAt: string | null | undefined,
): Promise<void> {
  const ends = readTime(expiresAt ?? undefined);
  if (ends === undefined) return;
  const half = (await account.uploadLinks())
    .find(({ opaque_id }) => opaque_id === adds);
  if (half === undefined || (readTime(half.expires_at) ?? 0) <= ends) return;
  await endAdding(account, adds);
}
