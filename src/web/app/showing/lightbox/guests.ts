/**
 * Hearts and comments on the page of a link, which has no vault.
 *
 * @module
 */
import { signal } from "@preact/signals";

/**
 * Whether this is the page of a link, and if so, whether its viewers say
 * something of photos.
 */
export const guests = signal<"none" | "quiet" | "speak">("none");
