/**
 * The commented environment file that `init` writes: every setting with its
 * page, its default commented out.
 *
 * @module
 */
import { dirname } from "node:path";
import { settingGroups, type SettingPage } from "../config.ts";
import { OperatorFault } from "../core/operator.ts";

/** Columns of a comment. */
const WIDTH = 78;

/**
 * Makes the file; `given` are the settings that it sets, by name. Those in
 * `secrets` are left for the operator to fill in.
 */
export function environmentFile(
  given: ReadonlyMap<string, string>,
  secrets: readonly string[] = [],
): string {
  const parts = [
    ...comment(
      "The settings of strongroom. A line that begins with # shows a " +
        "default: remove the # to change it. The environment wins over " +
        "this file. After a change, run `strongroom config check` and " +
        "restart the server.",
    ),
  ];
  for (const { title, pages } of settingGroups) {
    parts.push("", `## ${title}`);
    for (const page of pages) {
      parts.push("", ...settingLines(page, given));
      if (secrets.includes(page.name)) {
        parts.push(...comment("It was set to a secret, which no backup has."));
      }
    }
  }
  return parts.join("\n") + "\n";
}

function settingLines(
  { name, doc, preset }: SettingPage,
  given: ReadonlyMap<string, string>,
): string[] {
  const value = given.get(name);
  return [
    ...comment(doc),
    value === undefined ? `#${name}=${preset}` : `${name}=${quoted(value)}`,
  ];
}

/**
 * Writes a file that must not be there yet; it may come to hold a secret.
 * Throws {@link Deno.errors.AlreadyExists} if it is.
 */
export function writeNew(path: string, text: string): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  const file = Deno.openSync(path, {
    write: true,
    createNew: true,
    mode: 0o600,
  });
  try {
    const bytes = new TextEncoder().encode(text);
    let at = 0;
    while (at < bytes.length) at += file.writeSync(bytes.subarray(at));
    file.syncSync();
  } catch (error) {
    // Half a file would be taken for a whole one the next time.
    Deno.removeSync(path);
    throw error;
  } finally {
    file.close();
  }
}

/** A value so that reading the file gives it back. */
function quoted(value: string): string {
  if (/[\r\n]/.test(value)) {
    throw new OperatorFault(
      "a setting of more than one line cannot stand in an environment file",
    );
  }
  return /^[^\s"'#]+$/.test(value) ? value : `"${value}"`;
}

function comment(text: string): string[] {
  const lines: string[] = [];
  let line = "#";
  for (const word of text.split(" ")) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = "#";
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
