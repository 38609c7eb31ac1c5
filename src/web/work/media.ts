/**
 * A thread for pictures: no keys, only bytes that are open.
 *
 * @module
 */
import "../browser.ts";
import { filmCalls } from "./films/calls.ts";
import { pictureCalls } from "./pictures/calls.ts";
import { jpegOfHeif } from "./pictures/heif.ts";
import { type Line, serveLine } from "./wire.ts";

/** Every function that pages may call. */
export type MediaGroups = typeof groups;

const groups = {
  pictures: pictureCalls,
  films: filmCalls,
  heif: { jpeg: jpegOfHeif },
};

declare const self: Line;

serveLine(self, groups);
