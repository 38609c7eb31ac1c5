/** What photos are counted as, one and several. */
import type { Noun } from "../../../workers/photo_lists.ts";

export const NOUNS: Readonly<Record<Noun, readonly [string, string]>> = {
  photo: ["Foto", "Fotos"],
  video: ["Video", "Videos"],
  file: ["Datei", "Dateien"],
  item: ["Objekt", "Objekte"],
};
