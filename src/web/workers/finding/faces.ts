/**
 * The thread that looks for faces and for things. It has no keys, and gets
 * nothing but pictures. It is loaded only where someone wants them found.
 *
 * @module
 */
import "../../browser.ts";
import {
  type Line,
  serveLine,
} from "../../../client/stream/threads/thread_messages.ts";
import {
  type FacesFound,
  facesIn,
  startFindingFaces,
} from "./faces/finding.ts";
import { startFindingThings, thingsIn } from "./faces/finding_things.ts";

export type { FacesFound } from "./faces/finding.ts";

/** All functions that pages can call. */
type Groups = typeof groups;
/** Those that look for faces. */
export type FacesThread = Pick<Groups, "faces">;
/** Those that look for things. */
export type ThingsThread = Pick<Groups, "things">;

const groups = {
  faces: {
    /** Resolves once the models are loaded. */
    ready: (): Promise<void> => startFindingFaces(),
    /** The faces of a picture; undefined if it is not decoded. */
    find: (picture: Blob): Promise<FacesFound | undefined> => facesIn(picture),
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
