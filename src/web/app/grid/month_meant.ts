/**
 * The month of a grid that a typed text means.
 *
 * @module
 */
/**
 * The month that a text means: `june 2019`, `2019`, `jun`, `6 2019` or
 * `2019-06`. A year means its first month from above, a month without photos the
 * nearest one that has any; undefined if the text contains no date. `names` are
 * the month names of the person's language. Months are those of a grid, from top
 * to bottom, counted since the year 0.
 */
export function monthMeant(
  { count, month }: {
    readonly count: number;
    readonly month: readonly number[];
  },
  typed: string,
  names: readonly string[],
): number | undefined {
  const words = typed.toLowerCase().split(/[\s./-]+/)
    .filter((word) => word !== "");
  const year = words.find((word) => /^\d{4}$/.test(word));
  const named = words.map((word) => nameMeant(word, names))
    .find((one) => one !== undefined);
  if (year === undefined && named === undefined) return undefined;
  // Some albums have the oldest photos first.
  const isAscending = (month[0] ?? 0) < (month[count - 1] ?? 0);
  let [best, nearest] = [0, Infinity];
  for (let i = 0; i < count; i++) {
    const one = month[i] ?? 0;
    const [y, m] = [Math.floor(one / 12), one % 12];
    if (year === undefined) {
      if (m === named) return i;
      continue;
    }
    const wanted = Number(year) * 12 + (named ?? (isAscending ? 0 : 11));
    const distance = Math.abs(one - wanted) - (y === Number(year) ? 12 : 0);
    if (distance < nearest) [best, nearest] = [i, distance];
  }
  return year === undefined ? undefined : best;
}

function nameMeant(
  word: string,
  names: readonly string[],
): number | undefined {
  if (/^\d{1,2}$/.test(word)) {
    const number = Number(word);
    return number >= 1 && number <= 12 ? number - 1 : undefined;
  }
  if (word.length < 3 || /^\d/.test(word)) return undefined;
  const at = names.findIndex((name) => name.toLowerCase().startsWith(word));
  return at < 0 ? undefined : at;
}
