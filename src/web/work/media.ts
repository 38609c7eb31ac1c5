/**
 * A thread for pictures: no keys, only bytes that are open.
 *
 * @module
 */
import "../browser.ts";
import { pictureCalls } from "./pictures/calls.ts";
import { type Line, serveLine } from "./wire.ts";

/** Every function that pages may call. */
export type MediaGroups = typeof groups;

const groups = { pictures: pictureCalls };

declare const self: Line;

serveLine(self, groups);
