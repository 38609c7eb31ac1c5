/**
 * Photos that are not in the timeline, but in albums and found by searches.
 *
 * @module
 */
import { messages } from "../../messages.ts";
import { useTitle } from "../../title.ts";
import { Photographs } from "../photos.tsx";

/** The view at `#/archive`. */
export function Archive() {
  const { albums } = messages.value;
  useTitle(albums.archiveTitle);
  return (
    <Photographs
      source={{ kind: "archive" }}
      title={albums.archiveTitle}
      nothing={["archive", albums.noArchive, albums.noArchiveHint]}
    />
  );
}
