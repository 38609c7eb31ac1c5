/**
 * The calls about the items of a share link, as the vault has them about
 * photos.
 *
 * @module
 */
import {
  faultOf,
  Moved,
} from "../../../client/stream/threads/thread_messages.ts";
import {
  buffersOf,
  FLAGS,
  type ListColumns,
  type ListSource,
  type PhotoInfo,
  type Thumbnail,
} from "../library/photo_lists.ts";
import { photoInfo } from "../library/photo_info.ts";
import { columnsOf, pictureOf } from "../library/photo_table.ts";
import { gathered } from "../media/gathered.ts";
import { playedType } from "../media/played_type.ts";
import { sendOver } from "../media/ports.ts";
import type { ZipHead } from "../media/saving_calls.ts";
import { thumbnailOf } from "../media/thumbnail.ts";
import type { AnsweredRange, AskedRange } from "../media/videos/reader.ts";
import type { Part, StreamHead } from "../media/viewing_calls.ts";
import { type ExportPlan, planOf, type ZipPlan } from "../media/zip_plan.ts";
import type { OpenShare } from "./open_share.ts";

/**
 * The revision of all lists, because a link does not change while it is shown.
 */
const REVISION = 1;
const PIECE_BYTES = 1024 * 1024;

/** The calls of the group `photos`. */
export function photoCalls(opened: () => OpenShare) {
  const infoOf = (id: string): PhotoInfo => {
    const { row } = opened().of(id);
    return photoInfo(row, flagsOf(row));
  };
  return {
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
  };
}

/** The calls of the group `viewing`. */
export function viewingCalls(
  opened: () => OpenShare,
  tell: (event: string, data: unknown) => void,
) {
  return {
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
  };
}

/** The calls of the group `saving`. */
export function savingCalls(
  opened: () => OpenShare,
  tell: (event: string, data: unknown) => void,
) {
  return {
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
  };
}

function flagsOf(row: OpenShare["rows"][number]): number {
  return (pictureOf(row) === undefined ? 0 : FLAGS.picture) |
    (row.metadata?.width === undefined ? 0 : FLAGS.extent);
}

function rowsOf(share: OpenShare, ids: readonly string[] | "everything") {
  return ids === "everything" ? share.rows : ids.map((id) => share.of(id).row);
}
