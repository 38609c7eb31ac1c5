/**
 * Saving a file to the person's disk, without a request to the server.
 *
 * @module
 */

import { savedAddress } from "./addresses.ts";

/** Time within which a browser begins to read the Blob (ms). */
const READ_WITHIN_MS = 60_000;

/** Saves a Blob as a file of that name in the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const address = savedAddress(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), READ_WITHIN_MS);
}
