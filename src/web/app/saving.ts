/**
 * Handing a file to the person, without anything of the server's.
 *
 * @module
 */

/** A browser has begun to read it by then (ms). */
const READ_WITHIN_MS = 60_000;

/** Saves bytes as a file of that name, as browsers do: into the downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), READ_WITHIN_MS);
}
