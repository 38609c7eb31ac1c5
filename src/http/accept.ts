/**
 * Which representation a request prefers (RFC 9110 section 12.5).
 *
 * @module
 */

/** A member of an Accept field: a media range, its parameters, its weight. */
interface Range {
  readonly type: string;
  readonly parameters: readonly string[];
  readonly weight: number;
}

/** The one parameter that our representations have, or could have. */
const CHARSET = "charset=utf-8";

/**
 * Whether an Accept field prefers `text/html` to `application/json`. Without a
 * field, and where both weigh the same, JSON is what there is.
 */
export function prefersHtml(accept: string | null): boolean {
  if (accept === null) return false;
  const ranges = rangesOf(accept);
  return weightOf(ranges, "text/html") > weightOf(ranges, "application/json");
}

/** Whether an Accept-Encoding field takes gzip (RFC 9110 section 12.5.3). */
export function takesGzip(acceptEncoding: string | null): boolean {
  const codings = rangesOf(acceptEncoding ?? "");
  const gzip = codings.find(({ type }) => type === "gzip") ??
    codings.find(({ type }) => type === "*");
  return gzip !== undefined && gzip.weight > 0;
}

/** The weight of the most specific range that a media type falls under. */
function weightOf(ranges: readonly Range[], mediaType: string): number {
  const family = `${mediaType.slice(0, mediaType.indexOf("/"))}/*`;
  let [best, weight] = [-1, 0];
  for (const range of ranges) {
    const fits = ["*/*", family, mediaType].indexOf(range.type);
    const applies = fits >= 0 &&
      range.parameters.every((one) => one === CHARSET);
    if (!applies) continue;
    const specific = fits + range.parameters.length;
    if (specific > best) [best, weight] = [specific, range.weight];
    // Named twice, the kinder word counts.
    else if (specific === best) weight = Math.max(weight, range.weight);
  }
  return weight;
}

/** The readable members of a field; it ignores others. */
function rangesOf(accept: string): Range[] {
  return splitOutside(accept.toLowerCase(), ",").flatMap((member) => {
    const [type = "", ...rest] = splitOutside(member, ";");
    const isQ = (one: string) => one.startsWith("q=");
    const weight = weightIn(rest.find(isQ)?.slice(2));
    if (weight === undefined) return [];
    const parameters = rest.filter((one) => one !== "" && !isQ(one))
      .map((one) => one.replaceAll('"', ""));
    return [{ type, parameters, weight }];
  });
}

/** A qvalue: 0 to 1 with at most three decimals; 1 by default. */
function weightIn(text: string | undefined): number | undefined {
  if (text === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text)
    ? Number(text)
    : undefined;
}

/** Splits at a separator that stands outside quotes; blanks around it go. */
function splitOutside(text: string, separator: "," | ";"): string[] {
  const parts: string[] = [];
  let [start, quoted] = [0, false];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') quoted = !quoted;
    else if (quoted && text[i] === "\\") i++;
    else if (!quoted && text[i] === separator) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}
