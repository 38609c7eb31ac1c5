/**
 * The vault's calls about what photos show. The thread that finds it out gets
 * pictures and words from the page, and knows no keys.
 *
 * @module
 */
import { withLooking } from "../../client/library/looking_choice.ts";
import type { Row } from "../../client/library/mod.ts";
import type { ServedModels } from "../../core/meaning.ts";
import type { VaultContext } from "./context.ts";
import { findLike, isOn, openedOf, servedModels } from "./meaning_loader.ts";
import { FLAGS } from "./photo_lists.ts";
import { smallPictureOf } from "./small_picture.ts";

/** Whether photos are found by what they show, and how far that is. */
export type MeaningStatus =
  /** The server has no models, whatever the person wants. */
  | { readonly kind: "none"; readonly isOn: boolean }
  /** The person can turn it on. */
  | { readonly kind: "off"; readonly models: ServedModels }
  | {
    readonly kind: "on";
    readonly models: ServedModels;
    /** Photos that this device has not looked at. */
    readonly left: number;
  };

/** A photo to look at. */
export interface ToLookAt {
  readonly id: string;
  /** The content address of its small picture. */
  readonly blob: string;
}

/** What a picture was found to show. */
export interface Shows {
  readonly blob: string;
  /** Null for what is no picture. */
  readonly vector: Float32Array | null;
}

/** The calls of the group `meaning`. */
export function meaningCalls(context: VaultContext) {
  /** Photos to look at, the newest last. */
  let queue: ToLookAt[] = [];
  /** Pictures that cannot be had in this session. */
  const passed = new Set<string>();

  /** The photos that this device has not looked at, each picture once. */
  const unseen = async (): Promise<readonly ToLookAt[]> => {
    const opened = await openedOf(context.opened());
    if (opened === undefined) return [];
    const seen = new Set<string>();
    return shownRows(context).flatMap((row) => {
      const blob = smallPictureOf(row)?.hash;
      if (blob === undefined || passed.has(blob) || seen.has(blob)) return [];
      seen.add(blob);
      return opened.meanings.has(blob) ? [] : [{ id: row.id, blob }];
    });
  };

  return {
    /** Whether the person wants it, whatever the server has. */
    isOn: () => isOn(context.opened()),
    async status(): Promise<MeaningStatus> {
      const library = context.opened();
      if (!isOn(library)) {
        // What this device found is deleted where another one turned it off.
        await openedOf(library);
        const models = await servedModels();
        return models === undefined
          ? { kind: "none", isOn: false }
          : { kind: "off", models };
      }
      const opened = await openedOf(library);
      return opened === undefined
        ? { kind: "none", isOn: true }
        : { kind: "on", models: opened.models, left: (await unseen()).length };
    },
    /** Turns it on, or off and deletes what this device found. */
    async turn(on: boolean): Promise<void> {
      const library = context.opened();
      await library.state.change((held) => ({
        ...held,
        settings: withLooking(
          held.settings,
          "meaning",
          on,
          context.platform.now(),
        ),
      }));
      queue = [];
      passed.clear();
      await openedOf(library);
      context.changed();
    },
    /** Photos to look at next; none if there are none, or it is off. */
    async next(most: number): Promise<readonly ToLookAt[]> {
      const opened = await openedOf(context.opened());
      if (opened === undefined) return [];
      if (queue.length === 0) queue = (await unseen()).toReversed();
      const next: ToLookAt[] = [];
      while (next.length < most && queue.length > 0) {
        const one = queue.pop();
        if (one !== undefined && !opened.meanings.has(one.blob)) next.push(one);
      }
      return next;
    },
    /** Keeps what was found; what has no vector is not looked at again now. */
    async note(
      found: readonly Shows[],
      without: readonly string[],
    ): Promise<void> {
      for (const blob of without) passed.add(blob);
      const opened = await openedOf(context.opened());
      await opened?.meanings.add(
        new Map(found.map(({ blob, vector }) => [blob, vector])),
      );
    },
    /** Has the list of a text be that of the photos that are like its vector. */
    async find(q: string, vector: Float32Array): Promise<void> {
      await findLike(context.opened(), q, vector);
      context.changed();
    },
    /** Has the pages drawn anew: more photos were looked at. */
    tell: () => context.changed(),
  };
}

function shownRows(context: VaultContext): readonly Row[] {
  return context.view().found()
    .filter(([, flags]) => (flags & FLAGS.hidden) === 0)
    .map(([row]) => row);
}
