/**
 * Lines for people: aligned, safe to print, with a progress bar on a terminal
 * and none in a pipe.
 *
 * @module
 */

const BAR_CELLS = 24;
const REDRAW_MS = 80;
const KIB = 1024;
const SHOWN_MAX = 40;
const USUAL_COLUMNS = 80;

const encoder = new TextEncoder();
const segmenter = new Intl.Segmenter();

/** Where the demo writes. */
interface Screen {
  readonly say: (line: string) => void;
  /** Draws the bar; `done` of `total` bytes. */
  readonly progress: (what: string, done: number, total: number) => void;
  /** One line on standard error. */
  readonly complain: (line: string) => void;
}

/** The screen of this process. */
export function openScreen(): Screen {
  const isTerminal = Deno.stdout.isTerminal();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  const erase = () => {
    if (drawn) write(Deno.stdout, "\r\x1b[K");
    drawn = false;
  };
  return {
    say(line) {
      erase();
      write(Deno.stdout, `${line}\n`);
    },
    progress(what, done, total) {
      const now = performance.now();
      if (!isTerminal || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const bar = progressBar(done, total);
      const room = Math.max(0, columns() - displayWidth(bar) - 2);
      write(Deno.stdout, `\r\x1b[K${bar} ${cut(printable(what), room)}`);
      drawn = true;
    },
    complain(line) {
      erase();
      write(Deno.stderr, `${line}\n`);
    },
  };
}

/** A bar with its percentage; `total` 0 is done. */
export function progressBar(done: number, total: number): string {
  const part = total > 0 ? Math.min(1, done / total) : 1;
  const filled = Math.floor(part * BAR_CELLS);
  const percent = String(Math.floor(part * 100)).padStart(3);
  return `[${"#".repeat(filled)}${"-".repeat(BAR_CELLS - filled)}] ${percent}%`;
}

/** Bytes in the unit that suits them. */
export function formatBytes(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let value = bytes / KIB;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= KIB;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit] ?? ""}`;
}

/** A name without what would move the cursor or turn the text around. */
export function printable(name: string): string {
  return name.toWellFormed().replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu,
    "\u{fffd}",
  );
}

/** A printable name in a column of its own, cut where it is too long. */
export function column(name: string, width: number): string {
  const text = cut(printable(name), width);
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** A width for {@link column} that suits these names. */
export function columnWidth(names: readonly string[]): number {
  const widths = names.map((name) => displayWidth(printable(name)));
  return widths.reduce(
    (widest, one) => Math.max(widest, Math.min(one, SHOWN_MAX)),
    0,
  );
}

/** Cells that a text takes on a terminal. */
function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += isWide(segment) ? 2 : 1;
  }
  return width;
}

function isWide(segment: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u{ff01}-\u{ff60}]|\p{Emoji_Presentation}|\u{fe0f}/u
    .test(segment);
}

function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const { segment } of segmenter.segment(text)) {
    used += isWide(segment) ? 2 : 1;
    if (used > width) break;
    kept += segment;
  }
  return width > 0 ? `${kept}…` : "";
}

function columns(): number {
  try {
    // Some terminals say 0 for what they do not know.
    return Deno.consoleSize().columns || USUAL_COLUMNS;
  } catch {
    return USUAL_COLUMNS;
  }
}

function write(to: { writeSync(bytes: Uint8Array): number }, text: string) {
  let rest = encoder.encode(text);
  while (rest.length > 0) rest = rest.subarray(to.writeSync(rest));
}
