/**
 * The thread that looks for faces and for things. It has no keys, and gets
 * nothing but pictures. It is loaded only where somebody wants them found.
 *
 * @module
 */
import "../browser.ts";
import { type Line, serveLine } from "../../client/threads/thread_messages.ts";
import { type FaceSeen, facesIn } from "./faces/finding.ts";
import { startFindingThings, thingsIn } from "./faces/finding_things.ts";

/** All functions that pages can call. */
export type FaceGroups = typeof groups;
/** Those that look for things. */
export type ThingsThread = Pick<FaceGroups, "things">;

const groups = {
  faces: {
    /** The faces of a picture; none where it cannot be decoded. */
    async find(
      picture: Blob,
    ): Promise<
      { readonly width: number; readonly faces: readonly FaceSeen[] }
    > {
      let bitmap: ImageBitmap;
      try {
        bitmap = await createImageBitmap(picture);
      } catch {
        return { width: 0, faces: [] };
      }
      try {
        return { width: bitmap.width, faces: await facesIn(bitmap) };
      } finally {
        bitmap.close();
      }
    },
  },
  things: {
    /** Resolves once the model is loaded. */
    ready: (): Promise<void> => startFindingThings(),
    /**
     * The numbers of the things in a picture, the surest first; undefined if it
     * is not decoded.
     */
    find: (picture: Blob): Promise<Uint8Array | undefined> => thingsIn(picture),
  },
};

declare const self: Line;

serveLine(self, groups);
