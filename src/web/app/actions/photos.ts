/**
 * Favourites, hiding, deleting and bringing back.
 *
 * @module
 */
import type { Action } from "./action.ts";

/** The actions of the timeline. */
export const photoActions: readonly Action[] = [];
