/**
 * A thread for pictures: no keys, only bytes that were opened elsewhere.
 *
 * @module
 */
import { type Line, serveLine } from "./wire.ts";

/** Every function that pages may call. */
export type MediaGroups = ReturnType<typeof groupsOf>;

function groupsOf() {
  return {
    pictures: {
      ready: () => true,
    },
  };
}

declare const self: Line;

serveLine(self, groupsOf());
