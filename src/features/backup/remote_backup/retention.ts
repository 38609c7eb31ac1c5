/**
 * Which generations are kept: restic's rules (`forget`, "Removing backup
 * snapshots"). Newest first, each rule keeps the newest generation of so many
 * of its days, weeks, months or years; what any rule keeps, stays. While a rule
 * has some left at the end it keeps the oldest one too, so that a history grows
 * to the length that is asked for. Days are those of UTC.
 *
 * @module
 */

export interface Policy {
  readonly last: number;
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
  readonly yearly: number;
}

type Rule = keyof Policy;
const RULES: readonly Rule[] = [
  "last",
  "daily",
  "weekly",
  "monthly",
  "yearly",
];

/** What a policy is applied to. */
export interface Dated {
  readonly number: number;
  /** When it was made (ms). */
  readonly madeAt: number;
}

/** A generation with the rules that keep it; none means that it goes. */
export interface Judged<Of extends Dated> {
  readonly generation: Of;
  readonly rules: readonly Rule[];
}

/**
 * Judges generations, newest first. The one with the highest number is kept
 * whatever its date: a clock may have been wrong.
 */
export function judge<Of extends Dated>(
  generations: readonly Of[],
  policy: Policy,
): Judged<Of>[] {
  const sorted = generations.toSorted((a, b) =>
    b.madeAt - a.madeAt || b.number - a.number
  );
  const newest = Math.max(...sorted.map(({ number }) => number));
  const left = { ...policy };
  const before = new Map<Rule, string>();
  return sorted.map((generation, at) => {
    const rules = RULES.filter((rule) => {
      if (left[rule] === 0) return false;
      const time = timeOf(rule, generation, at);
      const isOldest = at === sorted.length - 1;
      if (before.get(rule) === time && !isOldest) return false;
      before.set(rule, time);
      left[rule] -= 1;
      return true;
    });
    if (rules.length === 0 && generation.number === newest) {
      return { generation, rules: ["last"] };
    }
    return { generation, rules };
  });
}

/** What two generations have in common of which a rule keeps one. */
function timeOf(rule: Rule, { madeAt }: Dated, at: number): string {
  const date = new Date(madeAt);
  const day = date.toISOString().slice(0, 10);
  switch (rule) {
    case "last":
      return String(at);
    case "daily":
      return day;
    case "weekly":
      return weekOf(date);
    case "monthly":
      return day.slice(0, 7);
    case "yearly":
      return day.slice(0, 4);
  }
}

const DAY_MS = 86_400_000;

/** Year and week by ISO 8601: a week is of the year that its Thursday is in. */
function weekOf(date: Date): string {
  const weekday = (date.getUTCDay() + 6) % 7;
  const thursday = new Date(date.getTime() + (3 - weekday) * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = Math.floor(
    (thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7,
  );
  return `${year} ${week + 1}`;
}
