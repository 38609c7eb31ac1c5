/**
 * The media thread's calls about exports of other programs: zips and folders
 * that a person chose are read where they are, and sorted out. A page has one
 * thread for it, which remembers them.
 *
 * @module
 */
import {
  identifierOf,
  type Item,
  type PartlyRead,
  type PassedWhy,
  type Plan,
  planExport,
  sidecarText,
  TEXT_MAX_BYTES,
} from "../../../../media/exports/export_kind.ts";
import { isLitter } from "../../../../media/exports/file_names.ts";
import {
  EXPORT_KINDS,
  type KindName,
  kindOf,
} from "../../../../media/exports/export_kinds.ts";
import {
  isVideoHalf,
  type Motion,
  motionOf,
  type Pairing,
} from "../../../../media/exports/live_photos.ts";
import type { SidecarFacts } from "../../../../media/exports/sidecar_facts.ts";
import { folderOf, type Sidecar } from "../../../../media/exports/takeout.ts";
import { mediaTypeOf } from "../../../../media/media_types.ts";
import { sourceOfFile } from "../../../../client/stream/threads/file_source.ts";
import { Moved } from "../../../../client/stream/threads/thread_messages.ts";
import {
  lookInto,
  MalformedZip,
  readZip,
  type ZipEntry,
  type ZipRefusal,
} from "../../../../media/zip.ts";
import { blobOf } from "./blobs.ts";
import { forgetZips, sourceOfZip } from "./zip_source.ts";

/** A file that a person chose, in the folder that they chose. */
export interface ChosenFile {
  readonly file: File;
  /** Its folders, with `/` between; the first one is what was chosen. */
  readonly folder: string;
}

/** A photo or a video of an export. */
export interface SeenFile {
  /** By which {@link exportCalls.open} finds it. */
  readonly at: number;
  /** Where it is, for people. */
  readonly shown: string;
  /** What it was called before the export. */
  readonly name: string;
  /** The folder that is remembered of it. */
  readonly folder: string;
  readonly size: number;
  readonly mime: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly facts?: SidecarFacts;
  /** Which sidecar it has: an edited version has that of its original. */
  readonly sidecar?: number;
  readonly isEdited: boolean;
  /** A still of the name of a live photo, whose video is another still's. */
  readonly isBesidePair?: true;
  /** Albums, by their places in {@link Sighting.albums}. */
  readonly albums: readonly number[];
  /** The video that may belong to it, and what has to show that it does. */
  readonly video?: SeenFile & { readonly pairing: Pairing };
}

/** Why a file of an export is not taken in. */
type LeftWhy = PassedWhy | ZipRefusal | "damagedZip";

/** What was found in an export. */
export interface Sighting {
  readonly kind: KindName;
  /** Edited versions last. */
  readonly items: readonly SeenFile[];
  readonly albums: readonly { readonly key: string; readonly title: string }[];
  readonly left: readonly { readonly shown: string; readonly why: LeftWhy }[];
  /** Sidecars without their file. */
  readonly unused: readonly string[];
  /** A file without a sidecar is worth a word. */
  readonly tellsOfAll: boolean;
}

/** How far looking is. */
export interface Looked {
  readonly done: number;
  readonly total: number;
}

interface HeldFile extends PartlyRead {
  readonly shown: string;
  readonly modifiedAt: number;
  blob(): Promise<Blob>;
}

/** What tells of other files. */
const TEXT = /\.(?:json|xmp|csv)$/i;
const TEXTS_AT_ONCE = 8;
/** Longest look without a word of how far it is (files). */
const TELL_EVERY = 50;

let files: readonly HeldFile[] = [];
let refused: Sighting["left"] = [];
let texts = new Map<HeldFile, Promise<string>>();
let identifiers = new Map<HeldFile, Promise<string | undefined>>();

/** The calls of the group `exports`. */
export const exportCalls = {
  /** Looks at what was chosen; `port` hears how far that is. */
  async look(
    chosen: readonly ChosenFile[],
    port: MessagePort,
  ): Promise<Sighting> {
    const found: HeldFile[] = [];
    const left: { shown: string; why: LeftWhy }[] = [];
    texts = new Map();
    identifiers = new Map();
    forgetZips();
    for (const [at, { file, folder }] of chosen.entries()) {
      tell(port, at, chosen.length);
      const [root = "", ...folders] = folder.split("/");
      const path = [...folders, file.name].join("/").normalize("NFC");
      const shown = folder === "" ? file.name : `${folder}/${file.name}`;
      if (!/\.zip$/i.test(file.name) || isLitter(file.name)) {
        found.push({
          path,
          within: root,
          shown,
          size: file.size,
          modifiedAt: file.lastModified,
          blob: () => Promise.resolve(file),
          look: (use) => use(sourceOfFile(file)),
        });
        continue;
      }
      try {
        const { entries, refused } = await readZip(sourceOfZip(file));
        for (const entry of entries) found.push(inZip(file, shown, entry));
        for (const { path, fault } of refused) {
          left.push({ shown: `${shown}/${path}`, why: fault });
        }
      } catch (error) {
        if (!(error instanceof MalformedZip)) throw error;
        left.push({ shown, why: "damagedZip" });
      }
    }
    files = found;
    refused = left;
    const kind = kindOf(found.map(({ path }) => path));
    return await exportCalls.sort(kind, port);
  },

  /** Sorts the same files out as those of another program. */
  async sort(kind: KindName, port: MessagePort): Promise<Sighting> {
    await readTexts(port);
    const videos = files.filter(({ path }) => isVideoHalf(path)).length;
    let done = 0;
    const plan = await planExport(EXPORT_KINDS[kind], files, {
      async textOf(file) {
        const text = texts.get(file) ?? textOf(file);
        texts.set(file, text);
        return await text;
      },
      async identifierOf(file) {
        if (isVideoHalf(file.path) && ++done % TELL_EVERY === 0) {
          tell(port, done, videos);
        }
        const identifier = identifiers.get(file) ?? identifierOf(file);
        identifiers.set(file, identifier);
        return await identifier;
      },
    });
    port.close();
    return sightingOf(kind, plan);
  },

  /** The bytes of a file; rejects where a zip is damaged. */
  async open(at: number): Promise<Blob> {
    const file = files[at];
    if (file === undefined) throw new Error("no such file");
    return await file.blob();
  },

  /** The video as part of its still; undefined where the two are no pair. */
  async motion(
    still: Blob,
    video: Blob,
    name: string,
    pairing: Pairing,
  ): Promise<Moved<Motion | undefined>> {
    const made = await motionOf(
      sourceOfFile(still),
      sourceOfFile(video),
      name,
      pairing,
    );
    return new Moved(made, made === undefined ? [] : [made.bytes.buffer]);
  },
};

/** Reads what may be sidecars, several at a time, before anybody asks. */
async function readTexts(port: MessagePort): Promise<void> {
  const wanted = files.filter((file) =>
    TEXT.test(file.path) && !texts.has(file)
  );
  let at = 0;
  const readOn = async () => {
    for (let next = wanted[at++]; next !== undefined; next = wanted[at++]) {
      if (at % TELL_EVERY === 0) tell(port, at, wanted.length);
      const text = textOf(next);
      texts.set(next, text);
      await text;
    }
  };
  await Promise.all(Array.from({ length: TEXTS_AT_ONCE }, readOn));
}

function tell(port: MessagePort, done: number, total: number): void {
  const looked: Looked = { done, total };
  port.postMessage(looked);
}

function inZip(zip: File, shown: string, entry: ZipEntry): HeldFile {
  return {
    path: entry.path.normalize("NFC"),
    within: shown,
    shown: `${shown}/${entry.path}`,
    size: entry.size,
    modifiedAt: entry.modifiedAt,
    blob: () => blobOf(zip, entry),
    look: (use) => lookInto(sourceOfZip(zip), entry, use),
  };
}

async function textOf(file: HeldFile): Promise<string> {
  if (file.size > TEXT_MAX_BYTES) return "";
  try {
    const blob = await file.blob();
    return sidecarText(new Uint8Array(await blob.arrayBuffer()));
  } catch {
    // Damaged text is no sidecar, and is named as such.
    return "";
  }
}

function sightingOf(kind: KindName, plan: Plan<HeldFile>): Sighting {
  const places = new Map(files.map((file, at) => [file, at]));
  const titled = [...plan.albums].map(([key, title]) => ({ key, title }));
  const albums = new Map(titled.map(({ key }, at) => [key, at]));
  const sidecars = new Map<Sidecar, number>();
  const numberOf = (sidecar: Sidecar) => {
    const number = sidecars.get(sidecar) ?? sidecars.size;
    sidecars.set(sidecar, number);
    return number;
  };
  const { folderOf: remembered, nameOf, pairingOf } = EXPORT_KINDS[kind];
  const seen = (
    { file, matched, video, ...item }: Item<HeldFile>,
  ): SeenFile => {
    const { folder, name } = folderOf(file.path);
    return {
      at: places.get(file) ?? -1,
      shown: file.shown,
      name: matched === undefined ? name : nameOf(name, matched),
      folder: remembered(folder),
      size: file.size,
      mime: mediaTypeOf(file.path),
      modifiedAt: file.modifiedAt,
      ...(matched === undefined ? {} : {
        facts: matched.sidecar.facts,
        sidecar: numberOf(matched.sidecar),
      }),
      isEdited: matched?.isEdited === true,
      ...(item.isBesidePair && { isBesidePair: true }),
      albums: item.albums.flatMap((key) => albums.get(key) ?? []),
      ...(video === undefined
        ? {}
        : { video: { ...seen(video), pairing: pairingOf(video) } }),
    };
  };
  return {
    kind,
    items: [...plan.items, ...plan.edited].map(seen),
    albums: titled,
    left: [
      ...refused,
      ...plan.passed.map(({ file, why }) => ({ shown: file.shown, why })),
    ],
    unused: plan.unused.map(({ path }) => path),
    tellsOfAll: EXPORT_KINDS[kind].tellsOfAll,
  };
}
