/**
 * Names for places: the town that a photo was taken in or near, and towns by
 * their names. All of it is on the device; no server is asked.
 *
 * @module
 */
import { around } from "geokdbush";
import KDBush from "kdbush";
import { plainText } from "../plain_text.ts";
import {
  decodeGazetteer,
  type Town,
  townAt,
  type TownColumns,
} from "./encoding.ts";
import { distanceKm, type Position } from "./distance.ts";

export type { Position, Town };

/** A part of the earth, in degrees. */
export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** How far the nearest town may be (km): far out at sea no town is near. */
const FAR_KM = 60;
/** Nearest towns that are looked at. */
const NEAREST = 8;
/** Towns that reach so far that others lie between (people). */
const LARGE = 100_000;
/** Nearest large towns that are looked at, and how far (km). */
const LARGE_NEAREST = 4;
const LARGE_KM = 40;
/** What is around a town (km), and the largest towns of one name. */
const AROUND_KM = 30;
const MOST_OF_A_NAME = 24;
/** People on a square kilometre of a town, roughly. */
const DENSITY = 3_000;
/** A place is in a town up to so many times its reach. */
const WITHIN = 1.2;

/** The towns of a gazetteer. */
export class Gazetteer {
  readonly #columns: TownColumns;
  readonly #all: KDBush;
  readonly #large: KDBush;
  readonly #largeAt: readonly number[];
  /** Names as they are searched for, made with the first search. */
  #plain: readonly string[] | undefined;

  /** Throws DocumentError for bytes that are no gazetteer. */
  constructor(
    bytes: Uint8Array,
    /** What else a town is called, for searches; see `exonyms.ts`. */
    private readonly otherNames: (town: Town) => readonly string[] = () => [],
  ) {
    this.#columns = decodeGazetteer(bytes);
    const every = this.#columns.names.map((_, at) => at);
    this.#largeAt = every.filter((at) => this.#town(at).population >= LARGE);
    this.#all = this.#indexOf(every);
    this.#large = this.#indexOf(this.#largeAt);
  }

  /**
   * The town that a place is in, by how far towns of its size reach, or else
   * the nearest one; undefined where none is near.
   */
  nearest(place: Position): Town | undefined {
    const { latitude, longitude } = place;
    const near = around(this.#all, longitude, latitude, NEAREST, FAR_KM)
      .map((at) => this.#town(at));
    const large = around(
      this.#large,
      longitude,
      latitude,
      LARGE_NEAREST,
      LARGE_KM,
    ).map((at) => this.#town(this.#largeAt[at] ?? 0));
    let [within, least]: [Town | undefined, number] = [undefined, WITHIN];
    for (const town of [...near, ...large]) {
      const share = distanceKm(place, town) / reachKm(town);
      if (share < least) [within, least] = [town, share];
    }
    return within ?? near[0];
  }

  /** The largest towns between degrees, the largest first. */
  largestIn(
    { west, south, east, north }: Bounds,
    most: number,
  ): readonly Town[] {
    const large = this.#large.range(west, south, east, north)
      .map((at) => this.#town(this.#largeAt[at] ?? 0));
    const towns = large.length >= most
      ? large
      : this.#all.range(west, south, east, north).map((at) => this.#town(at));
    return towns.toSorted((a, b) => b.population - a.population)
      .slice(0, most);
  }

  /**
   * Towns whose names begin like a text, or have a word that does, the largest
   * first. Marks on letters do not matter.
   */
  named(text: string, most: number): readonly Town[] {
    const wanted = plainText(text).trim();
    if (wanted === "") return [];
    this.#plain ??= this.#columns.names.map((_, at) =>
      [...this.#namesOf(this.#town(at))].map((name) => ` ${plainText(name)}`)
        .join("\n")
    );
    const found: Town[] = [];
    for (const [at, name] of this.#plain.entries()) {
      if (name.includes(` ${wanted}`)) found.push(this.#town(at));
    }
    return found.toSorted((a, b) => b.population - a.population)
      .slice(0, most);
  }

  /**
   * Whether places are at most 30 km from a town of this name (as `plainText`
   * has it); undefined where there is no such town.
   */
  around(name: string): ((place: Position) => boolean) | undefined {
    const towns = this.named(name, MOST_OF_A_NAME)
      .filter((town) =>
        this.#namesOf(town).some((one) => plainText(one) === name)
      );
    return towns.length === 0
      ? undefined
      : (place) => towns.some((town) => distanceKm(town, place) <= AROUND_KM);
  }

  #namesOf(town: Town): readonly string[] {
    return [town.name, ...this.otherNames(town)];
  }

  #town(at: number): Town {
    return townAt(this.#columns, at);
  }

  #indexOf(places: readonly number[]): KDBush {
    // None at all is no index.
    const index = new KDBush(Math.max(1, places.length), 64, Float32Array);
    for (const at of places) {
      const { latitude, longitude } = this.#town(at);
      index.add(longitude, latitude);
    }
    if (places.length === 0) index.add(0, 90);
    return index.finish();
  }
}

/** A place in words, in English, for the sidecars of photo programs. */
export interface Locality {
  readonly city: string;
  readonly country: string;
  /** ISO 3166-1 alpha-2. */
  readonly country_code: string;
}

/** How far a town reaches from its middle (km). */
function reachKm({ population }: Town): number {
  return Math.sqrt(population / DENSITY / Math.PI);
}
