/**
 * A thread for pictures and videos, which has no keys and gets only plaintext.
 *
 * @module
 */
import "../../browser.ts";
import { videoCalls } from "./videos/calls.ts";
import { pictureCalls } from "./pictures/calls.ts";
import { jpegOfHeif } from "./pictures/heif.ts";
import type { Within } from "../../../media/exif/within.ts";
import { sourceOfFile } from "../../../client/stream/threads/file_source.ts";
import {
  later,
  type Line,
  serveLine,
} from "../../../client/stream/threads/thread_messages.ts";
import type { Looks } from "../../../media/pictures/looks.ts";

/** All functions that pages can call. */
export type MediaGroups = typeof groups;

const groups = {
  thread: {
    /** Says that the thread is there. */
    here() {},
  },
  pictures: pictureCalls,
  videos: videoCalls,
  heif: { jpeg: jpegOfHeif },
  exports: later(async () =>
    (await import("../library/exports/calls.ts")).exportCalls
  ),
  looks: {
    /** See `pictures/looks.ts`; in the order of the pictures. */
    async of(pictures: readonly Blob[]): Promise<(Looks | undefined)[]> {
      const { looksOfPicture } = await import("./pictures/looks.ts");
      const all: (Looks | undefined)[] = [];
      for (const one of pictures) all.push(await looksOfPicture(one));
      return all;
    },
  },
  undrawn: {
    /** See `pictures/undrawn.ts`. */
    async jpeg(file: Blob, mime: string): Promise<Blob> {
      const { jpegOfUndrawn } = await import("./pictures/undrawn.ts");
      return await jpegOfUndrawn(file, mime);
    },
  },
  within: {
    /** See `../../../media/exif/within.ts`. */
    async look(photo: Blob): Promise<Within> {
      const { lookWithin } = await import("../../../media/exif/within.ts");
      return await lookWithin(sourceOfFile(photo));
    },
  },
};

declare const self: Line;

serveLine(self, groups);
