/** What photos are counted as, one and several. */
import type { Noun } from "../../../work/photo_lists.ts";

export const NOUNS: Readonly<Record<Noun, readonly [string, string]>> = {
  photo: ["Foto", "Fotos"],
  film: ["Film", "Filme"],
  file: ["Datei", "Dateien"],
  item: ["Objekt", "Objekte"],
};
