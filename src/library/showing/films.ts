/**
 * Copies of films that play where the original does not: what they are, which
 * one is played and which one a link hands out
 * (protocol/client-cryptography.md#films).
 *
 * @module
 */
import type { Derivative, Metadata } from "../../client/documents/metadata.ts";
import { type FilmKind, isFilmKind } from "../rows/film_kinds.ts";

export { type FilmKind, isFilmKind } from "../rows/film_kinds.ts";

/** All kinds, the best first. */
const FILM_KINDS: readonly FilmKind[] = ["playable", "playable-720"];

/** The type of every copy. */
export const FILM_MIME = "video/mp4";

/** Whether links give films as they are, or their smallest copy. */
export type Films = "original" | "smaller";

/** The sides of a film, as it is shown upright. */
export interface FilmSides {
  readonly width: number;
  readonly height: number;
}

/** A copy of a film, with the size that a player has to know. */
export interface FilmCopy extends Derivative {
  readonly kind: FilmKind;
  readonly size: number;
}

/** What is in a film's file. */
export interface FilmFacts {
  /** Such as `mp4`, `mov`, `mkv`. */
  readonly container: string;
  /** Such as `avc`, `hevc`, `av1`; absent where it is not known. */
  readonly video?: string | undefined;
  /** Such as `aac`; absent without sound, `unknown` where it is not known. */
  readonly audio?: string | undefined;
  /** More bits for a colour than most players take. */
  readonly deep?: boolean;
}

/** Whether it is one of which copies are made. */
export function isFilm({ mime }: Pick<Metadata, "mime">): boolean {
  return mime.startsWith("video/");
}

/** The copy that is the first of the wanted kinds. */
function copyOf(
  metadata: Pick<Metadata, "derivatives"> | undefined,
  kinds: readonly FilmKind[],
): FilmCopy | undefined {
  for (const kind of kinds) {
    const found = metadata?.derivatives.find((one) => one.kind === kind);
    if (found?.size === undefined) continue;
    return { ...found, kind, size: found.size };
  }
  return undefined;
}

/** The copies to play where the original does not, the best one first. */
export function copiesToPlay(
  derivatives: readonly { readonly kind: string; readonly size?: number }[],
): readonly { readonly kind: FilmKind; readonly size: number }[] {
  return FILM_KINDS.flatMap((kind) => {
    const size = derivatives.find((one) => one.kind === kind)?.size;
    return size === undefined ? [] : [{ kind, size }];
  });
}

/**
 * The copy that a link hands out instead of a film: the smallest where that was
 * chosen, otherwise the best, if the original must not be given.
 */
export function copyForLink(
  metadata: Pick<Metadata, "derivatives"> | undefined,
  films: Films,
  givesOriginal: boolean,
): FilmCopy | undefined {
  if (films === "smaller") {
    return copyOf(metadata, ["playable-720", "playable"]);
  }
  return givesOriginal ? undefined : copyOf(metadata, FILM_KINDS);
}

/** As what a link gives a film: a copy in 720p, itself so small, or neither. */
export type FilmGiven = "copy" | "small" | "large";

/**
 * As what a link gives a film whose item has this content address; undefined
 * for what is no film.
 */
export function filmGiven(
  metadata: Pick<Metadata, "mime" | "derivatives" | "width" | "height">,
  hash: string,
): FilmGiven | undefined {
  if (!isFilm(metadata)) return undefined;
  const given = metadata.derivatives.find((one) => one.hash === hash);
  // A still picture is no film.
  if (given !== undefined && !isFilmKind(given.kind)) return "large";
  const { width = Infinity, height = Infinity } = given ?? metadata;
  const isSmall = given?.kind === "playable-720" ||
    fitsAs("playable-720", { width, height });
  if (!isSmall) return "large";
  return given === undefined ? "small" : "copy";
}

/** Whether a link gives its films in 720p, as far as they have to be copied. */
export function filmsGiven(films: readonly FilmGiven[]): Films {
  return films.includes("copy") && !films.includes("large")
    ? "smaller"
    : "original";
}

/** Whether every browser plays the original itself. */
export function playsEverywhere(facts: FilmFacts): boolean {
  const { container, video, audio, deep = false } = facts;
  return (container === "mp4" || container === "mov") && video === "avc" &&
    !deep && (audio === undefined || audio === "aac" || audio === "mp3");
}

/** The longer and the shorter side of a copy at most. */
const BOX: Readonly<Record<FilmKind, readonly [number, number]>> = {
  "playable": [1920, 1080],
  "playable-720": [1280, 720],
};

/** Whether a film is small enough to be its own copy of that kind. */
export function fitsAs(kind: FilmKind, { width, height }: FilmSides): boolean {
  const [long, short] = BOX[kind];
  return Math.max(width, height) <= long && Math.min(width, height) <= short;
}

/** The sides of a copy: even, in proportion and never larger than the film. */
export function sidesAs(kind: FilmKind, film: FilmSides): FilmSides {
  const [long, short] = BOX[kind];
  const { width, height } = film;
  const scale = Math.min(
    1,
    long / Math.max(width, height),
    short / Math.min(width, height),
  );
  const even = (side: number) => Math.max(2, 2 * Math.round(side * scale / 2));
  return { width: even(width), height: even(height) };
}

/**
 * Bits for a pixel and second of film, at which H.264 looks as the original.
 */
const BITS_A_PIXEL = 2.7;
const LEAST_BITS = 300_000;

/**
 * Bits a second of a copy. A film of few bits gets no more than twice as many,
 * because newer codecs need half of what H.264 needs.
 */
export function bitsOf(
  { width, height }: FilmSides,
  original: number | undefined,
): number {
  const wanted = Math.round(width * height * BITS_A_PIXEL);
  const most = original === undefined || original <= 0
    ? wanted
    : 2 * Math.round(original);
  return Math.max(LEAST_BITS, Math.min(wanted, most));
}
