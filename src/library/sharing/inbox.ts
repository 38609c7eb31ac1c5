/**
 * Files of guests that wait to be accepted or refused. Guests are strangers, so
 * their files are checked before they are taken in
 * (protocol/client-cryptography.md#upload-link): see `accept.ts`.
 *
 * @module
 */
import { type Bytes, concatBytes, fromBase64 } from "../../core/bytes.ts";
import type { Contribution } from "../../wire/answers/own_links.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { NoLongerWaits } from "../base/faults.ts";
import {
  guestBinding,
  type GuestFile,
  openGuestFile,
} from "../../client/documents/guest.ts";
import type { Metadata } from "../../client/documents/metadata.ts";
import { type KeptLink, present } from "../../client/documents/state.ts";
import { plaintextSize } from "../../client/stream/stream.ts";
import { type Range } from "../../client/api/blob_body.ts";
import { ApiProblem } from "../../client/api/transport.ts";
import type { NewDerivative, UploadContext } from "../adding/upload.ts";
import { primitivesOf } from "../base/platform.ts";
import type { Albums } from "../albums/albums.ts";
import { openBlob, rangesOfBlob } from "../rows/pull.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import type { SharedState } from "../vault/shared_state.ts";
import { mayReact } from "./may_react.ts";

/** What reading guests' files works with. */
interface InboxContext extends UploadContext {
  readonly state: SharedState;
}

/** A guest's file that waits to be accepted or refused. */
export interface Waiting {
  readonly opaqueId: string;
  readonly uploadId: string;
  /** Ciphertext bytes. */
  readonly size: number;
  readonly receivedAt: string;
  /** The guest's description; undefined if it does not open. */
  readonly file: Omit<GuestFile, "key"> | undefined;
}

/** Options of accepting a guest's file. */
export interface AcceptOptions {
  /** Default: the library. */
  readonly albumId?: string;
  /** Facts read from the bytes, which replace the guest's claims. */
  readonly about?: Partial<
    Pick<
      Metadata,
      | "mime"
      | "taken_at"
      | "taken_offset"
      | "taken_source"
      | "width"
      | "height"
      | "duration_ms"
      | "place"
      | "inside"
      | "camera"
      | "thumbhash"
      | "caption"
      | "modified_at"
      | "path"
    >
  >;
  readonly derivatives?: readonly NewDerivative[];
}

/**
 * Lists the files that wait under links, without what guests said that is taken
 * in without asking (`guest_remarks.ts`).
 */
export async function inbox(
  context: InboxContext & { readonly albums: Pick<Albums, "get"> },
  links: readonly string[],
): Promise<readonly Waiting[]> {
  const waiting: Waiting[] = [];
  for (const opaqueId of links) {
    if (waiting.length >= WAITING_MAX) break;
    const link = await recordOf(context, opaqueId);
    const isTaken = present(context.state.held.links).some(([, share]) =>
      share.adds === opaqueId && mayReact(context, share) !== undefined
    );
    for (const one of await contributionsOf(context, opaqueId)) {
      const file = openGuest(context, opaqueId, link, one);
      if (isTaken && file !== undefined && isSaying(file)) continue;
      waiting.push({
        opaqueId,
        uploadId: one.upload_id,
        size: one.size,
        receivedAt: one.received_at,
        // What is said of a photo is no file: it can be refused alone.
        file: file === undefined || isSaying(file)
          ? undefined
          : withoutKey(file),
      });
    }
  }
  return waiting;
}

/** Whether a guest's upload is a remark on a photo instead of a file. */
export function isSaying(
  { remark, takes_back: takesBack, signed }: GuestFile,
): boolean {
  return remark !== undefined || takesBack !== undefined ||
    signed !== undefined;
}

function withoutKey({ key: _key, ...file }: GuestFile): Omit<GuestFile, "key"> {
  return file;
}

/**
 * Opens a guest's file so that the person can look at it before deciding.
 * Throws {@link NoLongerWaits}, DamagedBlob if it does not open, and
 * DocumentError if it is larger than `maxBytes`.
 */
export async function peekWaiting(
  context: InboxContext,
  opaqueId: string,
  uploadId: string,
  maxBytes: number,
): Promise<{ readonly bytes: Bytes; readonly file: Omit<GuestFile, "key"> }> {
  const { one, file, readable } = await waitingOf(context, opaqueId, uploadId);
  if (one.size > maxBytes) throw new DocumentError("it is too large to show");
  const pieces = await Array.fromAsync(openBlob(
    context,
    contributionOf(context, one, opaqueId),
    readable,
  ));
  return { bytes: concatBytes(...pieces), file: withoutKey(file) };
}

/**
 * A waiting file, of which parts can be read. Throws {@link NoLongerWaits}, and
 * DocumentError if it does not open.
 */
export async function openWaiting(
  context: InboxContext,
  opaqueId: string,
  uploadId: string,
): Promise<PlainSource> {
  const waiting = await waitingOf(context, opaqueId, uploadId);
  return sourceOfWaiting(context, opaqueId, waiting);
}

/** The plaintext of a waiting file that was found. */
export function sourceOfWaiting(
  context: InboxContext,
  opaqueId: string,
  { one, readable }: Awaited<ReturnType<typeof waitingOf>>,
): PlainSource {
  const { size, read } = rangesOfBlob(
    context,
    contributionOf(context, one, opaqueId),
    readable,
  );
  return {
    size,
    read: (offset, length) =>
      length === 0
        ? Promise.resolve(new Uint8Array())
        : read({ first: offset, last: offset + length - 1 }),
  };
}

/** No server keeps more of an account (protocol/limits.md#rows). */
const WAITING_MAX = 20_000;

/**
 * What waits under a link; nothing if another program ended it meanwhile. A
 * server that names no end, or one page twice, is asked no further.
 */
export async function contributionsOf(
  { vault }: Pick<UploadContext, "vault">,
  opaqueId: string,
): Promise<readonly Contribution[]> {
  const { account } = vault.session;
  const waiting = new Map<string, Contribution>();
  let after: string | undefined;
  try {
    do {
      const before = waiting.size;
      const page = await account.contributions(opaqueId, after);
      for (const one of page.contributions) waiting.set(one.upload_id, one);
      after = page.next_after ?? undefined;
      if (waiting.size === before) break;
    } while (after !== undefined && waiting.size < WAITING_MAX);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
  return [...waiting.values()];
}

/** Whether the server says that it does not have that, or no more. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiProblem &&
    (error.code === "error.upload_link.not_found" ||
      error.code === "error.upload.not_found");
}

/** Throws NoLongerWaits for what the server does not have any more. */
async function ifWaiting<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (cause) {
    if (!isGone(cause)) throw cause;
    throw new NoLongerWaits("it waits no more", { cause });
  }
}

/** Finds a waiting file by its id, with the key that opens it. */
export async function waitingOf(
  context: InboxContext,
  opaqueId: string,
  uploadId: string,
) {
  const { account, platform } = context.vault.session;
  const one = await ifWaiting(account.contribution(opaqueId, uploadId));
  if (one.upload_id !== uploadId) {
    throw new DocumentError("the server answered with another one");
  }
  const link = await recordOf(context, opaqueId);
  const file = openGuest(context, opaqueId, link, one);
  const size = plaintextSize(one.size);
  if (file === undefined || isSaying(file) || size === undefined) {
    throw new DocumentError("what the guest wrote does not open");
  }
  const readable = {
    hash: one.ciphertext_hash,
    size: one.size,
    key: { fileKey: file.key, primitives: primitivesOf(platform) },
  };
  return { one, file, size, readable };
}

/** Reads the blob of a waiting file. Throws NoLongerWaits. */
export function contributionOf(
  { vault }: UploadContext,
  { upload_id: uploadId }: Contribution,
  opaqueId: string,
) {
  const { account } = vault.session;
  return (range?: Range) =>
    ifWaiting(account.contributionBlob(opaqueId, uploadId, range));
}

/** Deletes a guest's file. Throws {@link NoLongerWaits}. */
export async function refuseWaiting(
  { vault }: Pick<UploadContext, "vault">,
  opaqueId: string,
  uploadId: string,
): Promise<void> {
  const { account } = vault.session;
  await ifWaiting(account.deleteContribution(opaqueId, uploadId));
}

/**
 * What the account itself says of a link. Whether it has a passphrase is not
 * the server's word.
 */
async function recordOf(
  { state }: Pick<InboxContext, "state">,
  opaqueId: string,
): Promise<KeptLink | undefined> {
  const held = () => {
    const link = state.held.links[opaqueId];
    return link?.removed === true ? undefined : link;
  };
  if (held() === undefined) await state.read();
  return held();
}

/**
 * Opens a guest's sealed metadata; undefined if it does not open or is not
 * valid, or if the account does not say how the link was made.
 */
function openGuest(
  context: Pick<UploadContext, "vault">,
  opaqueId: string,
  link: KeptLink | undefined,
  one: Contribution,
): GuestFile | undefined {
  try {
    return readGuest(context, opaqueId, link, one);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/**
 * The same; throws NewerDocumentError for what a newer program made, and
 * DocumentError for another shape.
 */
export function readGuest(
  { vault }: Pick<UploadContext, "vault">,
  opaqueId: string,
  link: KeptLink | undefined,
  { sealed_metadata: sealed }: Contribution,
): GuestFile | undefined {
  if (link?.passphrase === undefined) return undefined;
  // Without it the server, which knows the key, could send in anyone's name.
  const gate = vault.identity.uploadLinkGate(opaqueId);
  const { secretKey } = vault.identity.uploadLinkKeys(opaqueId);
  const bytes: Bytes = fromBase64(sealed) ?? new Uint8Array();
  return openGuestFile(
    bytes,
    secretKey,
    guestBinding(opaqueId, gate),
    primitivesOf(vault.session.platform),
  );
}
