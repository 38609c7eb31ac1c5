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
import { buildUploadLink } from "../../../client/documents/upload_link.ts";
import { originalOf, previewOf, ShareReader } from "../../share_reader.ts";
import type { AnsweredRange, AskedRange } from "../media/videos/reader.ts";
import {
  buffersOf,
  FLAGS,
  kindOfMime,
  type ListColumns,
  type ListSource,
  type Noun,
  nounOf,
  type PhotoInfo,
  type Thumbnail,
} from "../library/photo_lists.ts";
import { columnsOf, pictureOf } from "../library/photo_table.ts";
import { photoInfo } from "../library/photo_info.ts";
import { sendOver } from "../media/ports.ts";
import type { ZipHead } from "../media/saving_calls.ts";
import { playedType } from "../media/played_type.ts";
import { thumbnailOf } from "../media/thumbnail.ts";
import { gathered } from "../media/gathered.ts";
import type { Part, StreamHead } from "../media/viewing_calls.ts";
import {
  faultOf,
  Moved,
} from "../../../client/stream/threads/thread_messages.ts";
import { type ExportPlan, planOf, type ZipPlan } from "../media/zip_plan.ts";
import type { PhotoRemarks } from "../library/remarks/remark_cards.ts";
import type { SaidOf } from "./link_remarks.ts";
import { OpenShare } from "./open_share.ts";

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
  let wrapped: Uint8Array | undefined;
  const opened = (): OpenShare => {
    if (share === undefined) throw new Error("the link is not open");
    return share;
  };
  const flagsOf = (row: OpenShare["rows"][number]) =>
    (pictureOf(row) === undefined ? 0 : FLAGS.picture) |
    (row.metadata?.width === undefined ? 0 : FLAGS.extent);
  const infoOf = (id: string): PhotoInfo => {
    const { row } = opened().of(id);
    return photoInfo(row, flagsOf(row));
  };
  const remarks = () => import("./link_remarks.ts");
  /** What is said of a photo, and where more is said. */
  const saidOf = (id: string): SaidOf => {
    const { index, opaqueId } = opened();
    const { hash: on, remarks = [] } = opened().of(id).item;
    const isOpen = index.adds?.reacts === true && !isHalfGone;
    const half = isOpen ? halfOf(index) : undefined;
    return { opaqueId, n: index.n, on, remarks, half };
  };
  let said = 0;
  const changed = () => tell("library", { revision: said += 1 });
  let isHalfGone = false;
  /** Offers nothing more that is sent to the upload half. */
  const endHalf = () => {
    isHalfGone = true;
    tell("half_ended", undefined);
    changed();
  };
  /** Sends something to the upload half. */
  const sending = async (send: () => Promise<void>) => {
    const { isOfGoneHalf } = await remarks();
    try {
      await send();
    } catch (error) {
      if (isOfGoneHalf(error)) endHalf();
      throw error;
    }
    changed();
  };

  return {
    link: {
      /** Asks whether the upload half is there, and says if it is not. */
      async lookAtHalf(): Promise<void> {
        const { adds } = opened().index;
        if (adds === undefined) return;
        const half = await remarks();
        if (await half.isHalfGone(adds.opaque_id)) endHalf();
      },
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
        share = new OpenShare(calls, opaqueId, index);
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
    },

    said: {
      /** What is said of a photo. */
      of: async (id: string): Promise<PhotoRemarks> =>
        await (await remarks()).remarksOf(saidOf(id)),
      /** Gives a photo a heart, under the name that was typed, or takes it back. */
      async heart(id: string, isGiven: boolean, from: string): Promise<void> {
        const { say, takeBack } = await remarks();
        await sending(() =>
          isGiven ? say(saidOf(id), from) : takeBack(saidOf(id))
        );
      },
      async comment(id: string, text: string, from: string): Promise<void> {
        const { say } = await remarks();
        await sending(() => say(saidOf(id), from, text));
      },
      /** Deletes a comment that was written in this browser. */
      async remove(id: string, comment: string): Promise<void> {
        const { takeBack } = await remarks();
        await sending(() => takeBack(saidOf(id), comment));
      },
    },

    photos: {
      list(
        _source: ListSource,
        have?: number,
      ): Moved<ListColumns> | undefined {
        if (have === REVISION) return undefined;
        const rows = opened().rows.map((row) => [row, flagsOf(row)] as const);
        const columns = columnsOf(rows, REVISION);
        return new Moved(columns, buffersOf(columns));
      },
      async thumbnails(
        ids: readonly string[],
      ): Promise<Moved<readonly Thumbnail[]>> {
        const wanted = ids.flatMap((id) => {
          const part = pictureOf(opened().of(id).row);
          return part === undefined ? [] : [{ id, part }];
        });
        const read = await opened().pictures(wanted);
        const got = new Map(wanted.map(({ id }, at) => [id, read[at]]));
        const thumbnails = await Promise.all(
          ids.map((id) => thumbnailOf(id, got.get(id) ?? "none")),
        );
        return new Moved(
          thumbnails,
          thumbnails.flatMap(({ bytes }) =>
            bytes === undefined ? [] : [bytes.buffer]
          ),
        );
      },
      info: (id: string): PhotoInfo => infoOf(id),
      infos: (ids: readonly string[]): readonly PhotoInfo[] => ids.map(infoOf),
    },

    viewing: {
      async blob(id: string, part: Part, port?: MessagePort): Promise<Blob> {
        const ending = new AbortController();
        port?.addEventListener("message", () => ending.abort());
        port?.start();
        const pieces: BlobPart[] = [];
        try {
          const read = opened().reader.read(opened().partOf(id, part), {
            signal: ending.signal,
            onProgress: (bytes) => port?.postMessage(bytes),
          });
          for await (const piece of gathered(read)) pieces.push(piece);
        } finally {
          port?.close();
        }
        return new Blob(pieces);
      },
      parts(id: string, port: MessagePort): void {
        const video = opened().ranges(id);
        port.onmessage = async ({ data }: MessageEvent<AskedRange>) => {
          const { first } = data;
          const answer = (
            answered: AnsweredRange,
            buffers: ArrayBuffer[] = [],
          ) => port.postMessage(answered, buffers);
          try {
            const bytes = new Uint8Array(await video.read(data));
            answer({ first, bytes }, [bytes.buffer]);
          } catch (error) {
            answer({ first, fault: faultOf(error) });
          }
        };
      },
      stream(
        id: string,
        range: { readonly first: number; readonly last?: number },
        port: MessagePort,
      ): void {
        sendOver<StreamHead>(port, (signal) => {
          const video = opened().ranges(id);
          const first = Math.min(range.first, video.size);
          const last = Math.min(range.last ?? Infinity, video.size - 1);
          const pieces = (async function* () {
            for (let at = first; at <= last; at += PIECE_BYTES) {
              const until = Math.min(at + PIECE_BYTES - 1, last);
              yield await video.read({ first: at, last: until }, signal);
            }
          })();
          const mime = playedType(opened().of(id).item.mime);
          return Promise.resolve({
            head: { mime, size: video.size, first, last },
            pieces,
          });
        }, (fault) => tell("unreadable", { assetId: id, fault }));
      },
      exposure: () => undefined,
      containing: () => [],
    },

    saving: {
      plan: (ids: readonly string[], mostBytes = Infinity): ZipPlan =>
        planOf(rowsOf(opened(), ids), mostBytes),
      /** All that the link shows, as the vault plans an account's export. */
      planExport: (mostBytes = Infinity): ExportPlan => ({
        ...planOf(rowsOf(opened(), "everything"), mostBytes),
        ...{ withoutHidden: false, trash: 0, unopened: 0 },
      }),
      file(id: string, port: MessagePort): void {
        sendOver(port, (signal) => {
          const part = opened().partOf(id, "original");
          const read = opened().reader.read(part, { signal });
          return Promise.resolve({ head: {}, pieces: gathered(read) });
        });
      },
      zip(ids: readonly string[], _options: unknown, port: MessagePort): void {
        sendOver<ZipHead>(port, async (signal) => {
          const { shareZip } = await import("./zip.ts");
          const { files, bytes } = planOf(rowsOf(opened(), ids), Infinity);
          const pieces = shareZip(
            opened(),
            ids,
            signal,
            (name) => tell("unsaved", { name }),
          );
          return { head: { files, bytes }, pieces };
        });
      },
    },
  };
}

/**
 * The revision of all lists, because a link does not change while it is shown.
 */
const REVISION = 1;
const PIECE_BYTES = 1024 * 1024;

function rowsOf(share: OpenShare, ids: readonly string[] | "everything") {
  return ids === "everything" ? share.rows : ids.map((id) => share.of(id).row);
}

/** The address of the upload half of a link. */
function halfOf({ adds, title }: ShareIndex): string | undefined {
  return adds && buildUploadLink({
    opaqueId: adds.opaque_id,
    fingerprint: adds.fingerprint,
    gate: adds.gate,
    origin: location.origin,
    ...(title === undefined ? {} : { note: title }),
  });
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
