/**
 * Texts with arguments, as ICU MessageFormat writes them: what the catalogues
 * need of it, and no more, because it is in the first load. The tests hold it
 * to `intl-messageformat`, and the catalogues to what it knows.
 *
 * @module
 */

/** Arguments of a text, by their names. */
export type Arguments = Readonly<Record<string, string | number>>;
/** A text that waits for its arguments. */
type Spoken = (given: Arguments) => string;

/** What a catalogue is: texts by nested keys, and lists of texts. */
export type Texts =
  | string
  | readonly Texts[]
  | { readonly [key: string]: Texts };

/** What a language does with numbers. */
interface Numbers {
  /** The tag of the language, whose plurals the texts have. */
  readonly tag: string;
  /** A number as the language writes it. */
  written(value: number): string;
}

/**
 * A catalogue whose texts with arguments became functions. They are read when
 * they are first said.
 */
export function speaking(texts: Texts, numbers: Numbers): unknown {
  if (typeof texts === "string") {
    return texts.includes("{") ? spoken(texts, numbers) : texts;
  }
  if (Array.isArray(texts)) return texts.map((one) => speaking(one, numbers));
  return Object.fromEntries(
    Object.entries(texts).map(([key, one]) => [key, speaking(one, numbers)]),
  );
}

/** A text with arguments as a function of them. */
export function spoken(text: string, numbers: Numbers): Spoken {
  let say: Said | undefined;
  return (given) => (say ??= read(text, numbers))(given, 0);
}

/** A part of a text; `count` is what `#` stands for. */
type Said = (given: Arguments, count: number) => string;

/** `{`, its name, and its kind if it is more than a name. */
const ARGUMENT = /\{\s*(\w+)\s*(?:,\s*(number|plural|select)\s*)?/y;
/** The key of a case: `=0`, `one`, `photo`. */
const CASE = /[\s,]*(=?\w+)\s*\{/y;
const LITERAL = /[^{}#]+/y;

function read(text: string, { tag, written }: Numbers): Said {
  const plurals = new Intl.PluralRules(tag);
  let at = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const argument = (): Said => {
    const [, name = "", kind] = next(ARGUMENT) ?? [];
    const cases = new Map<string, Said>();
    for (let found; (found = next(CASE)) !== null;) {
      cases.set(found[1] ?? "", message(kind === "plural"));
      // The brace that ends the case.
      at++;
    }
    while (text[at++] !== "}" && at < text.length);
    if (kind === undefined) return (given) => String(given[name]);
    if (kind === "number") return (given) => written(Number(given[name]));
    return (given, count) => {
      const value = given[name];
      const n = kind === "plural" ? Number(value) : count;
      const one = kind === "select"
        ? cases.get(String(value))
        : cases.get(`=${n}`) ?? cases.get(plurals.select(n));
      return (one ?? cases.get("other"))?.(given, n) ?? "";
    };
  };
  const message = (isPlural: boolean): Said => {
    const parts: Said[] = [];
    while (at < text.length && text[at] !== "}") {
      const literal = next(LITERAL)?.[0];
      if (literal !== undefined) parts.push(() => literal);
      else if (text[at] === "{") parts.push(argument());
      else {
        at++;
        parts.push(isPlural ? (_, count) => written(count) : () => "#");
      }
    }
    return (given, count) => parts.map((part) => part(given, count)).join("");
  };
  return message(false);
}
