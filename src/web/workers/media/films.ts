/**
 * The thread that makes copies of films. It has no keys, and gets a film over a
 * port. It is loaded only where someone wants a copy, and ended to cancel it.
 *
 * @module
 */
import "../../browser.ts";
import {
  type Line,
  serveLine,
} from "../../../client/stream/threads/thread_messages.ts";
import { type FilmOutcome, type FilmWish, makeCopy } from "./films/making.ts";
import { VideoReader } from "./videos/reader.ts";

/** All functions that pages can call. */
export type FilmGroups = typeof groups;

const groups = {
  films: {
    /** Makes a copy; see `films/making.ts`. `told` gets how far it is. */
    make(
      size: number,
      port: MessagePort,
      wish: FilmWish,
      told: MessagePort,
    ): Promise<FilmOutcome> {
      const reader = new VideoReader(size, port);
      return makeCopy(reader, wish, (done) => told.postMessage(done));
    },
  },
};

declare const self: Line;

serveLine(self, groups);
