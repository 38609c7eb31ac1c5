/**
 * What the functions of an open library work with, and opening it: each part of
 * a library is read from this device's store once, the lower ones first.
 *
 * @module
 */
import { DocumentError } from "../client/documents/fields.ts";
import type { UploadContext } from "./adding/upload.ts";
import { type Albums, openAlbums } from "./albums/albums.ts";
import { primitivesOf } from "./base/platform.ts";
import { sealedStore, type Store } from "./base/store.ts";
import { openStillShown, type StillShownLinks } from "./care/still_shown.ts";
import { loaded } from "./lazy_functions.ts";
import { type LibraryLogs, openLogs } from "./logs/logs.ts";
import { openIndex } from "./rows/asset_index.ts";
import type { Opener } from "./rows/opening.ts";
import type { Row } from "./rows/rows.ts";
import { readSmallBlob } from "./rows/small_blob.ts";
import type { LinkNote } from "./sharing/link_notes.ts";
import { openFlags, type PhotoFlags } from "./showing/flags.ts";
import type { AbroadSlot } from "./trust/abroad_state.ts";
import { openCustody } from "./trust/custody.ts";
import { openDeletions } from "./trust/deletions.ts";
import { openShown } from "./trust/log_shown.ts";
import { openOrigins, type Origins } from "./trust/origins.ts";
import { openPeople, type People } from "./trust/people.ts";
import { openTrust, type Trust } from "./trust/trust.ts";
import { openSharedState, type SharedState } from "./vault/shared_state.ts";
import { openCopy } from "./vault/state_copies.ts";
import type { Vault } from "./vault/vault.ts";

/** What the functions of an open library work with. */
export interface LibraryContext extends UploadContext {
  readonly albums: Albums;
  readonly people: People;
  readonly trust: Trust;
  readonly logs: LibraryLogs;
  readonly state: SharedState;
  readonly origins: Origins;
  readonly flags: PhotoFlags;
  readonly stillShown: StillShownLinks;
  readonly abroad: AbroadOnDemand;
}

/** What is shared about other servers, which most visits do not need. */
interface AbroadOnDemand {
  /** Opens it once; what failed is tried again at the next call. */
  open(): Promise<AbroadSlot>;
  /** What {@link AbroadOnDemand.open} gave; undefined before. */
  opened(): Promise<AbroadSlot> | undefined;
}

/** Loads the code that a page needs when it first does more than look. */
export const later = () => loaded(import("./lazy_parts.ts"));

/** Opens the parts of a vault's library over this device's store. */
export async function openContext(
  vault: Vault,
  given: Store,
): Promise<LibraryContext> {
  const { session } = vault;
  const { account, platform } = session;
  const store = sealedStore(
    given,
    vault.derive("service-local-store/v1"),
    platform.random,
    primitivesOf(platform),
  );
  const index = await openIndex(store);
  const copy = await openCopy(store, platform);
  const state = await openSharedState(vault, store, copy.id);
  const trust = await openTrust(vault, store, { state, copy });
  const custody = openCustody(vault, store, trust);
  const shown = await openShown(store);
  const abroad = abroadOnDemand(vault, store);
  const people = openPeople(vault, store, state, trust, shown, abroad.open);
  const albums = await openAlbums(
    vault,
    people,
    store,
    state,
    trust,
    abroad.open,
  );
  const origins = await openOrigins(session, state, trust);
  const opener: Opener = {
    vault,
    keys: albums,
    blob: (assetId, blob) => readSmallBlob(account, assetId, blob),
    anchorOf: (userId) => people.anchorOf(userId),
    mayAdd: albums.mayAdd,
  };
  const deletions = await openDeletions(vault, store, trust);
  const logs = openLogs({ vault, store, trust, custody, shown });
  shown.readLog = async () => {
    await logs.check({ receipts: "none" });
  };
  return {
    vault,
    keys: albums,
    index,
    store,
    custody,
    opener,
    deletions,
    underWay: new Map(),
    albums,
    people,
    trust,
    logs,
    state,
    origins,
    flags: openFlags(state, platform.now, () => trust.library === "whole"),
    stillShown: openStillShown(store),
    abroad,
  };
}

/** The row of an asset. Throws DocumentError if the library does not have it. */
export function rowIn(
  { index }: Pick<LibraryContext, "index">,
  assetId: string,
): Row {
  const row = index.get(assetId);
  if (row !== undefined) return row;
  throw new DocumentError(`asset ${assetId} is not in the library`);
}

/** Notes for the account's programs what a link is. */
export async function noteLinkIn(
  { state, vault }: Pick<LibraryContext, "state" | "vault">,
  opaqueId: string,
  note: LinkNote,
): Promise<void> {
  const { noteLink } = await later();
  await noteLink(state, opaqueId, note, vault.session.platform.now());
}

function abroadOnDemand(vault: Vault, store: Store): AbroadOnDemand {
  let slot: Promise<AbroadSlot> | undefined;
  return {
    open: () =>
      slot ??= loaded(import("./trust/abroad_state.ts")).then(
        ({ openAbroadSlot }) => openAbroadSlot(vault, store),
      ).catch((error) => {
        slot = undefined;
        throw error;
      }),
    opened: () => slot,
  };
}
