/**
 * The thread that reads the words in pictures. It has no keys, and gets nothing
 * but pictures. It is loaded only where someone wants words to be found.
 *
 * @module
 */
import "../../browser.ts";
import {
  type Line,
  serveLine,
} from "../../../client/stream/threads/thread_messages.ts";
import { startReading, textIn } from "./picture_text/reading.ts";

/** All functions that pages can call. */
export type PictureTextThread = typeof groups;

const groups = {
  pictureText: {
    /** Resolves once what reads is loaded. */
    ready: (): Promise<void> => startReading(),
    /** The words of a picture, one a line; undefined if it is not decoded. */
    read: (picture: Blob): Promise<string | undefined> => textIn(picture),
  },
};

declare const self: Line;

serveLine(self, groups);
