/**
 * Putting a text where it can be pasted from, also where the browser has no
 * clipboard for pages: plain http.
 *
 * @module
 */

/** Copies what a field shows; false where the person has to do it. */
export async function copyField(field: HTMLInputElement): Promise<boolean> {
  // Absent in insecure contexts, whatever the types say.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(field.value);
      return true;
    } catch {
      // Refused: the way below needs no permission.
    }
  }
  field.focus();
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  }
}
