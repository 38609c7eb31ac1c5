/**
 * The types of the app's texts: those of the English catalogue, where a text
 * with arguments is a function of them.
 *
 * @module
 */
import type { Given } from "./arguments.ts";
import type { texts as first } from "./en_first.ts";
import type { texts as later } from "./en_later.ts";

type Said<T, G> = T extends string
  ? (G extends object ? (given: G) => string : string)
  : {
    readonly [K in keyof T]: Said<T[K], K extends keyof G ? G[K] : undefined>;
  };

/** The texts of the first load. */
export type FirstMessages = Said<typeof first, Given>;

/** All others. */
export type LaterMessages = Said<typeof later, Given>;

/** All texts of a language. */
export type Messages = FirstMessages & LaterMessages;
