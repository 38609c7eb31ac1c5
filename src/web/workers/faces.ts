/**
 * The thread that looks for faces. It has no keys, and gets nothing but
 * pictures. It is loaded only where somebody wants faces to be found.
 *
 * @module
 */
import "../browser.ts";
import { type Line, serveLine } from "../../client/threads/thread_messages.ts";
import { type FaceSeen, facesIn } from "./faces/finding.ts";

/** All functions that pages can call. */
export type FaceGroups = typeof groups;

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
};

declare const self: Line;

serveLine(self, groups);
