/**
 * Where Nextcloud's uploaders look for a telephone's folder, and what they want
 * to know of a file in it.
 *
 * @module
 */
import type { FolderNode } from "./device_folder.ts";

/** Paths of the apps below which a telephone's folder is. */
const FILES =
  /^(?:\/index\.php)?\/remote\.php\/(?:webdav|dav\/files\/([^/]+))(?=\/|$)/;

/** How a request's path stands to a telephone's folder. */
export function baseOf(pathname: string, name: string): string | undefined {
  const [base, whose] = FILES.exec(pathname) ?? [];
  if (base === undefined) return "";
  return whose === undefined || isWhose(whose, name) ? base : undefined;
}

/** Whether a part of a path names a telephone. */
export function isWhose(whose: string, name: string): boolean {
  try {
    return decodeURIComponent(whose).toLowerCase() === name;
  } catch {
    return false;
  }
}

/** Properties that the apps want, in their own space of names. */
export function ownProperties({ kind, tag }: FolderNode): string {
  const id = fileIdOf(tag);
  return '<oc:id xmlns:oc="http://owncloud.org/ns">' + id + "</oc:id>" +
    '<oc:fileid xmlns:oc="http://owncloud.org/ns">' + id + "</oc:fileid>" +
    '<oc:permissions xmlns:oc="http://owncloud.org/ns">' +
    `${kind === "folder" ? "RNVCK" : "RNVW"}</oc:permissions>`;
}

/** A number that stays with a file, from its tag. */
export function fileIdOf(tag: string): string {
  const hex = /^[0-9a-f]{12}/.exec(tag)?.[0];
  return hex === undefined ? "1" : String(parseInt(hex, 16));
}
