/**
 * The language of the app's pages, for what the vault names itself.
 *
 * @module
 */

/** A tag (BCP 47); the page says which one. */
export const spoken = { language: "en" };
