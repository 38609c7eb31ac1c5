/**
 * The calls of a share link's thread: the same groups of calls that the app's
 * views make to the vault, over a link's items.
 *
 * @module
 */
import type { ShareCalls } from "../../../client/api/links.ts";
import {
  isSmallerCopy,
  type ShareIndex,
  unlockShare,
} from "../../../client/documents/share.ts";
import { originalOf, previewOf, ShareReader } from "../../share_reader.ts";
import { kindOfMime, type Noun, nounOf } from "../library/photo_lists.ts";
import { photoCalls, savingCalls, viewingCalls } from "./item_calls.ts";
import { OpenShare } from "./open_share.ts";
import {
  halfOf,
  saidCalls,
  type UploadHalf,
  uploadHalf,
} from "./upload_half.ts";

/** The facts about an opened link. */
export interface ShareHead {
  /** The number of its index, which rises with each change. */
  readonly n: number;
  readonly title?: string;
  /** The sharing person's name in their own words; no one verified it. */
  readonly from?: string;
  readonly message?: string;
  readonly count: number;
  /** The number of items that could not be read. */
  readonly unread: number;
  /** The number of items that are smaller copies without their location. */
  readonly smaller: number;
  /** Bytes of all files. */
  readonly bytes: number;
  /** What they are counted as. */
  readonly noun: Noun;
  /** Whether any item says when it was taken. */
  readonly dated: boolean;
  /** The address at which people add photos; absent if they cannot. */
  readonly adds?: string;
  /** Whether people may give hearts and comments, or did. */
  readonly remarks: boolean;
}

/** An item of a link, as a picture frame knows it. */
export interface FrameItem {
  /** Content address of its original. */
  readonly hash: string;
  readonly mime: string;
  readonly name: string;
  readonly caption?: string;
  readonly takenAt?: string;
  /** Bytes of the original, where nothing smaller is shown; otherwise 0. */
  readonly size: number;
}

/** What opens a link. */
export interface ShareKey {
  /** What the link's fragment carries. */
  readonly fragment: Uint8Array;
  readonly passphrase?: string;
  /** The highest number of an index of the link that was seen here. */
  readonly seen?: number;
}

/** The server's facts about a link before it is opened. */
export interface ClosedShare {
  readonly metadataHash: string;
  readonly hasPassphrase: boolean;
}

/** Makes the calls of a link's thread. */
export function shareLinkCalls(
  calls: ShareCalls,
  tell: (event: string, data: unknown) => void,
) {
  let share: OpenShare | undefined;
  const opened = (): OpenShare => {
    if (share === undefined) throw new Error("the link is not open");
    return share;
  };
  const half = uploadHalf(opened, tell);
  return {
    link: linkCalls(calls, { opened, take: (now) => share = now, half }),
    said: saidCalls(half),
    photos: photoCalls(opened),
    viewing: viewingCalls(opened, tell),
    saving: savingCalls(opened, tell),
  };
}

/** The calls of the group `link`. */
function linkCalls(
  calls: ShareCalls,
  { opened, take, half }: {
    readonly opened: () => OpenShare;
    /** Has the link that was opened now be the one that is open. */
    readonly take: (share: OpenShare) => void;
    readonly half: UploadHalf;
  },
) {
  let wrapped: Uint8Array | undefined;
  return {
    /** Asks whether the upload half is there, and says if it is not. */
    lookAtHalf: () => half.look(),
    /** The server's facts about the link. */
    async look(opaqueId: string): Promise<ClosedShare> {
      const shared = await calls.viewShare(opaqueId);
      return {
        metadataHash: shared.metadata_hash,
        hasPassphrase: shared.passphrase_protected,
      };
    },
    /** Opens the link. */
    async open(
      opaqueId: string,
      { metadataHash }: ClosedShare,
      key: ShareKey,
    ): Promise<ShareHead> {
      const { fragment, passphrase, seen = 0 } = key;
      let secret = fragment;
      if (passphrase !== undefined) {
        wrapped ??= await calls.sharedSecret(opaqueId);
        const of = { opaqueId, fragment };
        secret = await unlockShare(passphrase, wrapped, of);
      }
      const reader = new ShareReader(calls, opaqueId);
      const index = await reader.readIndex(metadataHash, secret, seen);
      take(new OpenShare(calls, opaqueId, index));
      return headOf(index);
    },
    /** What a picture frame shows of the link. */
    items(): readonly FrameItem[] {
      return opened().index.items.map(({ hash, mime, ...item }) => ({
        hash,
        mime,
        name: item.name,
        size: item.preview === undefined ? item.size : 0,
        ...(item.caption === undefined ? {} : { caption: item.caption }),
        ...(item.taken_at === undefined ? {} : { takenAt: item.taken_at }),
      }));
    },
    /**
     * The picture of an item that fills a screen, or its video. By its hash:
     * the link may have been opened again since.
     */
    async picture(hash: string): Promise<Blob> {
      const { index, reader } = opened();
      const item = index.items.find((one) => one.hash === hash);
      if (item === undefined) throw new Error("the link has it no more");
      const isVideo = item.mime.startsWith("video/");
      const part = isVideo ? undefined : previewOf(item);
      return await reader.readBlob(part ?? originalOf(item), "");
    },
  };
}

function headOf(index: ShareIndex): ShareHead {
  const { title, from, message, adds, items, unread } = index;
  const half = halfOf(index);
  return {
    n: index.n,
    ...(title === undefined ? {} : { title }),
    ...(from === undefined ? {} : { from }),
    ...(message === undefined ? {} : { message }),
    ...(half === undefined ? {} : { adds: half }),
    remarks: adds?.reacts === true ||
      items.some(({ remarks = [] }) => remarks.length > 0),
    count: items.length,
    unread: unread?.length ?? 0,
    smaller: items.filter(isSmallerCopy).length,
    bytes: items.reduce((sum, { size }) => sum + size, 0),
    noun: nounOf(items.map(({ mime }) => kindOfMime(mime))),
    dated: items.some(({ taken_at: at }) => at !== undefined),
  };
}
