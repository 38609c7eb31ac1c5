/**
 * The names of the places of a library's photos, each looked up once.
 *
 * @module
 */
import { SEARCH_LANGUAGES } from "./search_words.ts";
import { plainText } from "../../media/plain_text.ts";
import {
  type Gazetteer,
  type Locality,
  type Position,
  type Town,
} from "../../media/places/gazetteer.ts";

/** Places are looked up by squares of so many of a degree: half a kilometre. */
const SQUARES = 200;
/** Places that are looked up before others have their turn. */
const AT_ONCE = 200;

/** What a place is called. */
interface Named {
  readonly town: Town | undefined;
  /** What a search matches, in lower case; empty for a place without a name. */
  readonly text: string;
}

/** Names for places. */
export class PlaceNames {
  readonly #named = new Map<string, Named>();
  /** The same by the places themselves: each search asks for those of all rows. */
  readonly #known = new WeakMap<Position, Named>();

  constructor(
    readonly gazetteer: Gazetteer,
    /** What else a town is called, for searches; see `exonyms.ts`. */
    private readonly otherNames: (town: Town) => readonly string[] = () => [],
    /** What a town is called where it is shown. */
    private readonly shownName: (town: Town) => string = ({ name }) => name,
  ) {}

  /**
   * The town that a place is in or near; undefined where there is none.
   */
  townOf(place: Position): Town | undefined {
    const { town } = this.#of(place);
    return town && this.shown(town);
  }

  /** A town with the name under which it is shown. */
  shown(town: Town): Town {
    const name = this.shownName(town);
    return name === town.name ? town : { ...town, name };
  }

  /**
   * The country's code of a place, and that with the town's name in the
   * gazetteer, which is the same in every language: `PT`, `PT Lisbon`.
   */
  codesOf(place: Position): readonly string[] {
    const { town } = this.#of(place);
    return town === undefined
      ? []
      : [town.country, `${town.country} ${town.name}`];
  }

  /** All names of the town of a place, as `plainText` has them, without the country. */
  namesAt(place: Position): string {
    const { town } = this.#of(place);
    return town === undefined ? "" : namesText(town, this.otherNames(town));
  }

  /**
   * The town and the country as `plainText` has them; empty for a place without
   * a name.
   */
  textOf(place: Position): string {
    return this.#of(place).text;
  }

  /** The place in words; undefined for one without a name or without a place. */
  localityOf(place: Position | undefined): Locality | undefined {
    const town = place && this.#of(place).town;
    if (!town) return undefined;
    const { name: city, country: code } = town;
    return { city, country: countryName(code, "en"), country_code: code };
  }

  /**
   * Looks many places up, so that {@link textOf} answers at once; others have
   * their turn meanwhile.
   */
  async lookUp(
    places: Iterable<Position>,
    others: () => Promise<void>,
  ): Promise<void> {
    let looked = 0;
    for (const place of places) {
      if (this.#known.has(place)) continue;
      this.#of(place);
      if (++looked % AT_ONCE === 0) await others();
    }
  }

  #of(place: Position): Named {
    let named = this.#known.get(place);
    if (named !== undefined) return named;
    named = this.#inSquare(place);
    this.#known.set(place, named);
    return named;
  }

  #inSquare(place: Position): Named {
    const square = squareOf(place);
    const held = this.#named.get(square);
    if (held !== undefined) return held;
    const town = this.gazetteer.nearest(place);
    const text = town === undefined ? "" : textOf(town, this.otherNames(town));
    const named = { town, text };
    this.#named.set(square, named);
    return named;
  }
}

const displayNames = new Map<string, Intl.DisplayNames>();

/** A country in a language (BCP 47); its code where it has no name there. */
export function countryName(code: string, language: string): string {
  let names = displayNames.get(language);
  if (names === undefined) {
    names = new Intl.DisplayNames(language, { type: "region" });
    displayNames.set(language, names);
  }
  try {
    return names.of(code) ?? code;
  } catch {
    // It is no code of a region.
    return code;
  }
}

/** All names of a country that a search knows, as `plainText` has them. */
export function countryText(code: string): string {
  const names = SEARCH_LANGUAGES.map((language) => countryName(code, language));
  return plainText([...new Set(names)].join(" "));
}

function textOf(town: Town, otherNames: readonly string[]): string {
  return `${namesText(town, otherNames)} ${countryText(town.country)}`;
}

function namesText({ name }: Town, otherNames: readonly string[]): string {
  return [...new Set([name, ...otherNames].map(plainText))].join(" ");
}

function squareOf({ latitude, longitude }: Position): string {
  return `${Math.round(latitude * SQUARES)} ${Math.round(longitude * SQUARES)}`;
}
