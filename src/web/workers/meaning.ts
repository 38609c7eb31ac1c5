/**
 * The thread that finds out what pictures show. It has no keys, and gets nothing
 * but pictures and the words of a search. The models that it runs are the
 * server's: nothing of them is trusted.
 *
 * @module
 */
import "../browser.ts";
import type { ServedModels } from "../../core/meaning.ts";
import { type Line, serveLine } from "../../client/threads/thread_messages.ts";
import { forgetModels, meaningOf, picturesOf } from "./meaning/models.ts";

/** All functions that pages can call. */
export type MeaningThread = typeof groups;

const groups = {
  meaning: {
    /**
     * The vectors of pictures; null for what cannot be decoded. Throws if the
     * model cannot be fetched or does not work.
     */
    pictures: (
      models: ServedModels,
      pictures: readonly Blob[],
    ): Promise<readonly (Float32Array | null)[]> =>
      picturesOf(models, pictures),
    /** The vector of a text. */
    text: (models: ServedModels, text: string): Promise<Float32Array> =>
      meaningOf(models, text),
    /** Deletes the models that this browser keeps. */
    forget: () => forgetModels(),
  },
};

declare const self: Line;

serveLine(self, groups);
