/**
 * The vault's calls about the words in photos. The thread that reads them gets
 * pictures from the page, and knows no keys.
 *
 * @module
 */
import { pictureHash } from "../../client/library/findings_pages.ts";
import type { Row } from "../../client/library/mod.ts";
import type { VaultContext } from "./context.ts";
import { lookingQueue } from "./looking_queue.ts";
import type { Part } from "./viewing_calls.ts";
import { isOn, wordsOf } from "./words_loader.ts";

/** Whether words are read, and how far that is. */
export interface WordsStatus {
  readonly isOn: boolean;
  /** Photos that no device has read. */
  readonly left: number;
  /** The account's pages of words take no more. */
  readonly isFull: boolean;
}

/** A photo to read. */
export interface ToRead {
  readonly id: string;
  /** The picture that is large enough, and no larger. */
  readonly part: Part;
}

/** What was read in a photo. */
export interface PhotoRead {
  readonly id: string;
  /** One a line; none for a photo without any. */
  readonly words: string;
}

/** Originals that a browser decodes, such as screenshots. */
const DECODED = /^image\/(?:jpeg|png|webp|gif|avif|bmp)$/;
/** Larger ones have a preview, unless something is odd about them (bytes). */
const MOST_BYTES = 32 * 1024 * 1024;

/** The calls of the group `words`. */
export function wordsCalls(context: VaultContext) {
  const { found, unseen, next, pass } = lookingQueue(context, {
    isOn,
    of: wordsOf,
    isToLookAt: (row) => partOf(row) !== undefined,
  });
  const changing = async (work: Promise<void>) => {
    await work;
    context.changed();
  };
  return {
    /** Whether words are to be read. */
    isOn: () => isOn(context.opened()),
    async status(): Promise<WordsStatus> {
      if (!isOn(context.opened())) {
        // Where turning it off was cut short, it is ended now.
        found().catch(() => {});
        return { isOn: false, left: 0, isFull: false };
      }
      const { isFull } = await found();
      return { isOn: true, left: (await unseen()).length, isFull };
    },
    /** Turns it on, or off and deletes everything. */
    turn: async (isOn: boolean) =>
      await changing((await wordsOf(context.opened())).turn(isOn)),
    /** Photos to read next; none if there are none, or it is off. */
    async next(most: number): Promise<readonly ToRead[]> {
      return (await next(most)).flatMap((row) => {
        const part = partOf(row);
        return part === undefined ? [] : [{ id: row.id, part }];
      });
    },
    /** Passes over photos whose picture cannot be had now. */
    pass,
    /** Keeps what was read. */
    async note(read: readonly PhotoRead[]): Promise<void> {
      const { index } = context.opened();
      await (await found()).note(read.flatMap(({ id, words }) => {
        const metadata = index.get(id)?.metadata;
        if (metadata === undefined) return [];
        return [{ hash: pictureHash(metadata), words }];
      }));
      // Every page draws itself anew: not for photos without words.
      if (read.some(({ words }) => words !== "")) context.changed();
    },
    /** Sends it to the account's other devices. */
    send: async () => await changing((await found()).send()),
  };
}

/** The picture that is read; undefined for what is none, such as a video. */
function partOf({ metadata }: Row): Part | undefined {
  if (metadata === undefined || !metadata.mime.startsWith("image/")) {
    return undefined;
  }
  const { mime, size, derivatives } = metadata;
  const has = (kind: "preview" | "thumbnail") =>
    derivatives.some((one) => one.kind === kind);
  if (has("preview")) return "preview";
  if (DECODED.test(mime) && size <= MOST_BYTES && metadata.edit === undefined) {
    return "original";
  }
  return has("thumbnail") ? "thumbnail" : undefined;
}
