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
import {
  forgetModels,
  meaningOf,
  startLooking,
  vectorOfPicture,
} from "./meaning/models.ts";

/** All functions that pages can call. */
export type MeaningThread = typeof groups;

const groups = {
  meaning: {
    /** Resolves once the model of pictures is loaded. */
    ready: (models: ServedModels): Promise<void> => startLooking(models),
    /** The vector of a picture; undefined if it is not decoded. */
    picture: (
      models: ServedModels,
      picture: Blob,
    ): Promise<Float32Array | undefined> => vectorOfPicture(models, picture),
    /** The vector of a text. */
    text: (models: ServedModels, text: string): Promise<Float32Array> =>
      meaningOf(models, text),
    /** Deletes the models that this browser keeps. */
    forget: () => forgetModels(),
  },
};

declare const self: Line;

serveLine(self, groups);
