/**
 * Makes the page of the settings, `src/docs/configuration.md`, from their
 * declarations; a test holds the two together.
 *
 * @module
 */
import { settingGroups, type SettingPage } from "../../src/config.ts";

const HEAD = `# Configuration

Settings are environment variables, or lines of the same form in the file that
\`--env-file\` names. Without \`--env-file\`, that is \`strongroom.env\` next to the
data directory, if it names that data directory as its \`STRONGROOM_DATA_DIR\`, or
else \`/etc/strongroom/strongroom.env\`, unless that one names another. The
environment wins over the file, and \`--data-dir\` wins over both.
\`strongroom init\` writes the file next to the data directory, with every setting
and its page in it.

In the file a line is \`NAME=value\`. Empty lines and lines that begin with \`#\`
are passed over; quotes around a value are taken off. A name that stands twice
is refused. What is counted in bytes takes a unit, too: \`50GiB\`.

\`\`\`sh
strongroom config check
strongroom config show
\`\`\`

\`config check\` names every fault at once: of the environment and of the file,
with its line, names that are no settings, files of certificates that cannot be
used. It ends with 1 if there is one. It warns of what is legal and hardly ever
meant, and of models and a map that cannot be offered. \`config show\` shows every
setting with its value and where that comes from; a secret is not shown. Both
answer \`--json\`.

A name that begins with \`STRONGROOM_\` and is no setting is a fault. One that
begins with \`OIDC_\` may be another program's, so that it is a warning.

The server reads its settings when it starts.
`;

/** The whole page, as Markdown that is formatted already. */
export function configurationPage(): string {
  const groups = settingGroups.map(({ title, pages }) =>
    `\n## ${title}\n\n${table(pages)}`
  );
  return HEAD + groups.join("");
}

function table(pages: readonly SettingPage[]): string {
  const rows = [
    ["Setting", "Default", ""],
    ...pages.map(({ name, doc, preset, secret }) => [
      `\`${name}\``,
      preset === "" ? "" : `\`${preset}\``,
      marked(doc) + (secret ? " Secret." : ""),
    ]),
  ];
  const widths = [0, 1, 2].map((column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0))
  );
  const lines = rows.map((row) =>
    `| ${widths.map((width, i) => (row[i] ?? "").padEnd(width)).join(" | ")} |`
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1)].join("\n") + "\n";
}

/** Names, addresses and paths in their own type. */
function marked(doc: string): string {
  return doc
    .replace(/\b(?:STRONGROOM|OIDC)_[A-Z0-9_]+|\bX-[A-Za-z-]+/g, "`$&`")
    .replace(/\bhttps?:\/\/[^\s,;]*[^\s,;.]/g, "`$&`")
    .replaceAll("*", "`*`")
    .replaceAll("|", "\\|");
}
