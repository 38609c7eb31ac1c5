/**
 * The library as folders and files: each original, and next to it the video of
 * a live photo.
 *
 * @module
 */
import { videoName, videoOf } from "../../../library/showing/export_layout.ts";
import type { Row, Wanted } from "../../../library/mod.ts";
import { foldedName, nextName } from "./names.ts";

/** A blob of an asset as a file. */
export interface File {
  readonly kind: "file";
  readonly row: Row;
  readonly wanted: Wanted;
  /** Plaintext bytes. */
  readonly size: number;
  readonly mime: string;
  /** An entity tag. */
  readonly tag: string;
}

/** A folder and what is in it, by names. */
export interface Folder {
  readonly kind: "folder";
  readonly names: Map<string, Node>;
}

/** Either. */
export type Node = File | Folder;

/** Rows, the newest first, as folders and files. */
export function treeOf(
  rows: readonly Row[],
  pathOf: (row: Row) => string,
): Folder {
  const root: Folder = { kind: "folder", names: new Map() };
  const taken = new Map<Folder, Taken>();
  // The oldest keeps its name when another of it comes.
  for (const row of rows.toReversed()) {
    let path: string;
    try {
      path = pathOf(row);
    } catch {
      // One row that has no path by this layout costs one row its place.
      path = row.id;
    }
    const folders = path.split("/");
    const name = folders.pop() ?? row.id;
    let inside = root;
    for (const folder of folders) {
      const held = inside.names.get(folder);
      const next: Folder = held?.kind === "folder"
        ? held
        : { kind: "folder", names: new Map() };
      inside.names.set(folder, next);
      inside = next;
    }
    const names = taken.get(inside) ?? { names: new Set(), next: new Map() };
    taken.set(inside, names);
    const still = place(inside, names, name, originalOf(row));
    const video = videoFile(row);
    if (video !== undefined) {
      place(
        inside,
        names,
        videoName(still, videoOf(row) ?? video, row.metadata?.name),
        video,
      );
    }
  }
  return root;
}

/** The names of a folder that are taken. */
interface Taken {
  /** As a file system without letter case knows them. */
  readonly names: Set<string>;
  /** Where the search for the next free one goes on, by wanted names. */
  readonly next: Map<string, number>;
}

/** Under the next name that is free; which that is. */
function place(
  folder: Folder,
  { names, next }: Taken,
  name: string,
  file: File,
): string {
  let number = next.get(name) ?? 1;
  while (
    names.has(foldedName(nextName(name, number))) ||
    folder.names.has(nextName(name, number))
  ) number += 1;
  next.set(name, number + 1);
  const free = nextName(name, number);
  names.add(foldedName(free));
  folder.names.set(free, file);
  return free;
}

function originalOf(row: Row): File {
  const { id, metadata } = row;
  return {
    kind: "file",
    row,
    wanted: "original",
    size: metadata?.size ?? 0,
    mime: metadata?.mime ?? "",
    tag: `"${metadata?.sha256 ?? id}"`,
  };
}

/** Without a length, clients would not know where a video ends. */
function videoFile(row: Row): File | undefined {
  const { hash, mime, size } = videoOf(row) ?? {};
  if (hash === undefined || mime === undefined || size === undefined) {
    return undefined;
  }
  const wanted = { derivative: "motion" } as const;
  return { kind: "file", row, wanted, size, mime, tag: `"${hash}"` };
}
