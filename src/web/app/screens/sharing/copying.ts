/**
 * Copying a text to the clipboard, also on plain http, where pages have no
 * clipboard API.
 *
 * @module
 */

/** Copies the text of a field; false if the person has to do it. */
export async function copyField(field: HTMLInputElement): Promise<boolean> {
  // Insecure contexts lack it, although its type says otherwise.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(field.value);
      return true;
    } catch {
      // It was refused; the way below needs no permission.
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

/** Copies a text; false if the browser does not let the page. */
export async function copyText(text: string): Promise<boolean> {
  const field = document.createElement("input");
  field.value = text;
  field.readOnly = true;
  field.className = "unseen";
  document.body.append(field);
  try {
    return await copyField(field);
  } finally {
    field.remove();
  }
}
