/**
 * The commented environment file that `init` writes: every setting with its
 * page, its default commented out.
 *
 * @module
 */
import { settingGroups, type SettingPage } from "../config.ts";
import { OperatorFault } from "../core/operator.ts";

/** Columns of a comment. */
const WIDTH = 78;

/** Makes the file; `given` are the settings that it sets, by name. */
export function environmentFile(given: ReadonlyMap<string, string>): string {
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
    for (const page of pages) parts.push("", ...settingLines(page, given));
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
