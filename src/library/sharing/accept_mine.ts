/**
 * Accepting without asking what came by the person's own upload links, such as
 * from their telephone by `strongroom receive`. Pairs, dates, duplicates and
 * what was deleted on purpose are treated as when a folder is pushed
 * (protocol/client-cryptography.md#upload-link).
 *
 * @module
 */
import { readTime } from "../../core/time.ts";
import {
  aboutFile,
  type FileOnDisk,
  mayHavePicture,
  readFileFacts,
} from "../../media/exif/mod.ts";
import { mediaTypeOf } from "../../media/media_types.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { present } from "../../client/documents/state.ts";
import { plainOf } from "../rows/plaintext_cache.ts";
import { acceptLateVideo, acceptPair, pairsAmong } from "./guest_pairs.ts";
import { NoLongerWaits } from "../base/faults.ts";
import type { AcceptOptions, Waiting } from "./inbox.ts";
import type { NewDerivative } from "../adding/upload.ts";
import type { Library } from "../library.ts";
import { DamagedBlob } from "../rows/pull.ts";
import type { Row } from "../rows/rows.ts";
import { isThrownAway } from "../adding/thrown_away.ts";

/** Of larger files no small pictures are made (bytes). */
const PICTURED_BYTES = 64 * 1024 * 1024;

/** What became of a file; `trashed` is one that was deleted before. */
type MineOutcome =
  | { readonly what: "kept" | "known"; readonly row: Row }
  | { readonly what: "trashed" }
  /** It waits on, and the next attempt may go better. */
  | { readonly what: "failed"; readonly error: unknown };

/** Small pictures of a photo, and what making them told of it. */
export interface MadePictures {
  readonly derivatives: readonly NewDerivative[];
  /** What the file itself may not tell. */
  readonly about?: Pick<
    NonNullable<AcceptOptions["about"]>,
    "width" | "height" | "thumbhash"
  >;
}

/** Options of accepting one's own. */
export interface AcceptMineOptions {
  /** Makes small pictures of a photo; none by default. */
  readonly picture?: (
    source: PlainSource,
    mime: string,
    name: string,
  ) => Promise<MadePictures>;
  readonly onFile?: (waiting: Waiting, outcome: MineOutcome) => void;
  readonly signal?: AbortSignal;
}

/** How many files came to what. */
export interface AcceptedMine {
  readonly kept: number;
  readonly known: number;
  readonly trashed: number;
  readonly failed: number;
}

/**
 * Accepts what came by the links that are marked as the person's own; what
 * strangers' links brought waits on. A file that fails costs no other. Throws
 * what ends all of them, such as a ConnectionError.
 */
export async function acceptMine(
  library: Library,
  options: AcceptMineOptions = {},
): Promise<AcceptedMine> {
  const tally = { kept: 0, known: 0, trashed: 0, failed: 0 };
  const links = present(library.state.held.links)
    .flatMap(([id, { mine }]) => mine === true ? [id] : []);
  if (links.length === 0) return tally;
  const waiting = await library.inbox(links);
  const videos = await pairsAmong(library, waiting);
  const through = new Set<Waiting>();
  const done = (one: Waiting, outcome: MineOutcome) => {
    through.add(one);
    tally[outcome.what] += 1;
    options.onFile?.(one, outcome);
  };
  // A video waits until its still was looked at.
  const isVideo = new Set(videos.values());
  const inOrder = [
    ...waiting.filter((one) => !isVideo.has(one)),
    ...waiting.filter((one) => isVideo.has(one)),
  ];
  for (const one of inOrder) {
    options.signal?.throwIfAborted();
    if (through.has(one)) continue;
    try {
      const video = videos.get(one);
      if (await isThrown(library, one)) {
        done(one, { what: "trashed" });
        continue;
      }
      const describe = (given: Waiting) => described(library, given, options);
      const pair = video && await acceptPair(library, one, video, {
        describe,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      if (pair !== undefined && video !== undefined) {
        done(one, { what: pair.outcome, row: pair.row });
        done(video, { what: pair.outcome, row: pair.row });
        continue;
      }
      done(one, await acceptAlone(library, one, describe));
    } catch (error) {
      // Another of the person's devices accepted it meanwhile.
      if (error instanceof NoLongerWaits) continue;
      const isItsOwn = error instanceof DocumentError ||
        error instanceof DamagedBlob;
      if (!isItsOwn) throw error;
      done(one, { what: "failed", error });
    }
  }
  return tally;
}

/** Whether the person deleted these bytes: then they are deleted again. */
async function isThrown(
  library: Library,
  { opaqueId, uploadId, file }: Waiting,
): Promise<boolean> {
  if (file === undefined) {
    throw new DocumentError("its description does not open");
  }
  const own = library.vault.libraryAlbumId;
  // The sender's word is enough: it concerns only what they send.
  const isIt = file.sha256 !== undefined &&
    isThrownAway(library, file.sha256, own);
  if (isIt) await library.refuse(opaqueId, uploadId);
  return isIt;
}

async function acceptAlone(
  library: Library,
  one: Waiting,
  describe: (one: Waiting) => Promise<AcceptOptions>,
): Promise<MineOutcome> {
  const still = await acceptLateVideo(library, one);
  if (still !== undefined) return { what: "kept", row: still };
  const { outcome, row } = await library.accept(
    one.opaqueId,
    one.uploadId,
    await describe(one),
  );
  return { what: outcome, row };
}

/** What a file says of itself, and small pictures of it. */
async function described(
  library: Library,
  { opaqueId, uploadId, file, receivedAt, size }: Waiting,
  { picture }: AcceptMineOptions,
): Promise<AcceptOptions> {
  if (file === undefined) return {};
  const source = size <= PICTURED_BYTES
    ? plainOf((await library.peek(opaqueId, uploadId, size)).bytes)
    : await library.waiting(opaqueId, uploadId);
  const isMedia = mayHavePicture(mediaTypeOf(file.name));
  const facts = await readFileFacts(source, { isMedia });
  const modifiedAt = readTime(file.modified_at);
  const onDisk: FileOnDisk = {
    name: file.name,
    folder: file.path ?? "",
    // A photo without any date was made before it came.
    modifiedAt: modifiedAt ?? readTime(receivedAt) ?? NaN,
  };
  const { name: _name, modified_at, ...about } = aboutFile(
    onDisk,
    facts,
  );
  const isPictured = /^(image|video)\//.test(about.mime) &&
    size <= PICTURED_BYTES;
  const made = isPictured
    ? await picture?.(source, about.mime, file.name)
    : undefined;
  return {
    about: {
      ...made?.about,
      ...about,
      ...(modifiedAt === undefined ? {} : { modified_at }),
    },
    derivatives: made?.derivatives ?? [],
  };
}
