/**
 * Makes the pages of the protocol that the declarations know already: every
 * operation, every problem code, every limit and budget. Run without arguments
 * it writes them into `src/docs/protocol`; a test holds them to the
 * declarations.
 *
 * @module
 */
import { settingPages } from "../../src/config.ts";
import { PROBLEMS } from "../../src/core/catalogue.ts";
import { KEPT, ROW_LIMITS } from "../../src/features/row_limits.ts";
import { type ProblemCode, problemExtraShape } from "../../src/core/problem.ts";
import { enforcesWindow, takesHandshake } from "../../src/http/handshake.ts";
import {
  declaredProblems,
  impliedProblems,
  refusesSuspended,
} from "../../src/http/implied.ts";
import { tagOf, TAGS } from "../../src/http/openapi/openapi_tags.ts";
import {
  ANY_TYPE,
  type Parameters,
  type RouteSpec,
  type Success,
} from "../../src/http/route.ts";
import { ROUTES } from "../../src/routes.ts";
import { notation } from "./notation.ts";
import { z } from "zod";

const FOLDER = new URL("../../src/docs/protocol/", import.meta.url);

/** The pages by file name, as Markdown that `deno fmt` leaves alone. */
export function protocolPages(): Readonly<Record<string, string>> {
  const specs = ROUTES.map((route) => route.spec);
  return {
    "operations.md": operationsPage(specs),
    "problems.md": problemsPage(specs),
    "limits.md": limitsPage(specs),
  };
}

const CREDENTIALS: Readonly<Record<RouteSpec["credential"], string>> = {
  none: "none",
  session: "access token",
  token: "access token, of an ended session too",
  capability: "capability",
  reader: "access token or capability",
};

function operationsPage(specs: readonly RouteSpec[]): string {
  const shared = sharedParameters(specs);
  const seen: Seen = { bodies: new Map(), problems: [], shared };
  const groups = TAGS.map(({ name, description }) => {
    const own = specs.filter((spec) => tagOf(spec.path) === name);
    return own.length === 0
      ? ""
      : `\n## ${name}\n\n${description}.\n${
        own.map((spec) => operation(spec, seen)).join("")
      }`;
  });
  return `# Operations

Made by \`deno task manual\` from the declarations of the server; the same is
served as OpenAPI at \`/openapi.json\`.

What holds of every operation is said once, in [Transport](transport.md): the
handshake, the order of the checks, problem records and the headers of every
answer, and the codes that a handshake, a credential, a suspended account, a
missing directory, a parameter and a body imply
([implied problems](transport.md#implied-problems)). This page lists the codes of an
operation's own checks, and the other statuses that it can have. HEAD is answered
wherever GET is. \`key?\` may be absent, which is the same as null where null may
stand, but for the name of a [profile](authentication.md#profile); an answer may have keys that are not listed, a request may not.

## What many operations share

Handshake: under \`/v1/\` GET takes any protocol date, other methods a protocol
date inside the window, if the operation does not say "handshake: none". Other
paths take none.

Statuses, which are not listed again:

${
    COMMON_STATUSES.map(({ status, whose }) => `- ${status}: ${whose}\n`)
      .join("")
  }
Parameters of a path that an operation says nothing else of:

${[...shared].toSorted().join("")}${groups.join("")}`;
}

function operation(spec: RouteSpec, seen: Seen): string {
  const implied = new Set<string>(impliedProblems(spec));
  const own = spec.problems.filter((code) => !implied.has(code));
  const named = new Set([
    ...Object.keys(spec.success).map(Number),
    ...own.map((code) => PROBLEMS[code].status),
    ...COMMON_STATUSES.filter(({ holds }) => holds(spec))
      .map(({ status }) => status),
  ]);
  const others = new Set(
    declaredProblems(spec).map((code) => PROBLEMS[code].status)
      .filter((status) => !named.has(status)),
  );
  return `
### ${spec.operation}

\`${spec.method} ${spec.path}\`: ${spec.summary}.

- ${facts(spec).join("; ")}
${parameterItems(spec).filter((one) => !seen.shared.has(one)).join("")}${
    request(spec, seen)
  }${
    Object.entries(spec.success).map(([status, success]) =>
      answer(spec, status, success, seen)
    ).join("")
  }${
    paragraph([
      problemsOf(spec, own, seen),
      others.size === 0
        ? ""
        : `Other statuses: ${[...others].sort((a, b) => a - b).join(", ")}.`,
    ])
  }`;
}

/** Statuses that the page names once, and which operations have them. */
export const COMMON_STATUSES: readonly {
  readonly status: number;
  readonly whose: string;
  readonly holds: (spec: RouteSpec) => boolean;
}[] = [
  {
    status: 400,
    whose: "every operation with a handshake, a parameter or a body",
    holds: (spec) =>
      takesHandshake(spec) || parameterItems(spec).length > 0 || hasBody(spec),
  },
  {
    status: 401,
    whose: "every operation with a credential",
    holds: ({ credential }) => credential !== "none",
  },
  {
    status: 403,
    whose: "every operation that is refused to suspended accounts or needs a" +
      " directory",
    holds: (spec) => refusesSuspended(spec) || spec.needsDirectory === true,
  },
  { status: 413, whose: "every operation", holds: () => true },
  {
    status: 415,
    whose: "every operation with a body of one media type",
    holds: ({ body }) =>
      body !== undefined && body.kind !== "none" &&
      (body.kind === "json" || body.mediaType !== ANY_TYPE),
  },
  {
    status: 422,
    whose: "every operation with a body in JSON",
    holds: ({ body }) => body?.kind === "json",
  },
  {
    status: 426,
    whose: "every operation with a protocol date inside the window",
    holds: enforcesWindow,
  },
  {
    status: 500,
    whose: 'every operation that does not say "never 500"',
    holds: ({ cannotFail }) => cannotFail !== true,
  },
];

function hasBody({ body }: RouteSpec): boolean {
  return body !== undefined && body.kind !== "none";
}

function paragraph(sentences: readonly string[]): string {
  const said = sentences.filter((sentence) => sentence !== "");
  return said.length === 0 ? "" : `\n${said.join(" ")}\n`;
}

/** An operation's own problems, by reference to one that has many of them. */
function problemsOf(
  spec: RouteSpec,
  own: readonly ProblemCode[],
  seen: Seen,
): string {
  if (own.length === 0) return "";
  const written = (codes: readonly ProblemCode[]) =>
    codes.map(coded).join(", ");
  const [first] = seen.problems
    .filter(({ codes }) => codes.every((code) => own.includes(code)))
    .toSorted((a, b) => written(b.codes).length - written(a.codes).length);
  const reference = first === undefined
    ? ""
    : `those of [${first.operation}](#${first.operation.toLowerCase()})`;
  if (first === undefined || written(first.codes).length <= reference.length) {
    seen.problems.push({ operation: spec.operation, codes: own });
    return `Problems of its own: ${written(own)}.`;
  }
  const more = own.filter((code) => !first.codes.includes(code));
  return `Problems of its own: ${reference}${
    more.length === 0 ? "" : `, ${written(more)}`
  }.`;
}

function coded(code: ProblemCode): string {
  return `\`${code}\` ${PROBLEMS[code].status}`;
}

function facts(spec: RouteSpec): string[] {
  const hasOwnHandshake = spec.path.startsWith("/v1/") && !takesHandshake(spec);
  return [
    `Credential: ${CREDENTIALS[spec.credential]}`,
    ...hasOwnHandshake ? ["handshake: none"] : [],
    ...refusesSuspended(spec) ? ["refused to suspended accounts"] : [],
    ...spec.needsDirectory ? ["needs a published device directory"] : [],
    ...spec.cacheControl === undefined
      ? []
      : [`\`Cache-Control: ${spec.cacheControl}\``],
    ...spec.cannotFail === true ? ["never 500"] : [],
  ];
}

/** Operations with a parameter in the same words, from which it stands once. */
const SHARED_FROM = 3;

/** Parameters of paths, each name in the words that most operations have. */
function sharedParameters(specs: readonly RouteSpec[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const one of specs.flatMap(pathItems)) {
    counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  const byName = new Map<string, string>();
  for (const [one, count] of counts) {
    const name = one.slice(0, one.indexOf(":"));
    const most = counts.get(byName.get(name) ?? "") ?? SHARED_FROM - 1;
    if (count > most) byName.set(name, one);
  }
  return new Set(byName.values());
}

function parameterItems(spec: RouteSpec): string[] {
  return [
    ...pathItems(spec),
    ...items("Query", spec.query),
    ...items("Header", spec.headers),
  ];
}

function pathItems(spec: RouteSpec): string[] {
  return items("Path", spec.params);
}

function items(place: string, declared: Parameters | undefined): string[] {
  return Object.entries(declared ?? {}).map(([name, one]) =>
    `- ${place} \`${name}\`${
      one.absent !== undefined || place === "Path" ? "" : ", required"
    }: ${one.description}\n`
  );
}

function request(spec: RouteSpec, seen: Seen): string {
  const body = spec.body;
  if (body === undefined || body.kind === "none") return "";
  const limit = body.kind === "stream" || body.limitBytes === undefined
    ? ""
    : `, at most ${body.limitBytes.toLocaleString("en")} bytes`;
  return body.kind === "json"
    ? `\nRequest, \`application/json\`${limit}${
      block(spec, schemaOf(body.schema, "input"), seen)
    }`
    : `\nRequest: \`${body.mediaType}\`${limit}.\n`;
}

function answer(
  spec: RouteSpec,
  status: string,
  success: Success,
  seen: Seen,
): string {
  const headers = (success.headers ?? []).map((name) => `\`${name}\``);
  const carried = headers.length === 0 ? "" : `, with ${headers.join(", ")}`;
  switch (success.kind) {
    case "json":
      return `\nAnswer ${status}${carried}${
        block(spec, schemaOf(success.schema, "output"), seen)
      }${
        success.page === true
          ? "\nA browser, which prefers `text/html`, gets the page instead.\n"
          : ""
      }`;
    case "bytes":
      return `\nAnswer ${status}: \`${success.mediaType}\`${carried}.\n`;
    case "empty":
      return `\nAnswer ${status}, without a body${carried}.\n`;
  }
}

/** What stands on the page already, so that it is not repeated. */
interface Seen {
  /** Bodies, with the operation that has them. */
  readonly bodies: Map<string, RouteSpec>;
  /** Problems of operations that name them all. */
  readonly problems: {
    readonly operation: string;
    readonly codes: readonly ProblemCode[];
  }[];
  /** Parameters of many operations. */
  readonly shared: ReadonlySet<string>;
}

/** Characters up to which a body stands in its sentence. */
const SHORT_BODY = 120;

/** Lines from which a body is not repeated. */
const LONG_BODY = 4;

function block(spec: RouteSpec, schema: unknown, seen: Seen): string {
  const written = notation(schema);
  const first = seen.bodies.get(written);
  if (first !== undefined && written.split("\n").length >= LONG_BODY) {
    return first === spec
      ? ": the same.\n"
      : `: the same as of [${first.operation}](#${first.operation.toLowerCase()}).\n`;
  }
  seen.bodies.set(written, spec);
  const line = written.replaceAll(/\n */g, ", ").replace("{, ", "{ ")
    .replace(/, \}$/, " }");
  if (line.length <= SHORT_BODY && !line.includes("{, ")) {
    return `: \`${line}\`\n`;
  }
  return `:\n\n\`\`\`\n${written}\n\`\`\`\n`;
}

function schemaOf(schema: z.core.$ZodType, io: "input" | "output"): unknown {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" });
}

function problemsPage(specs: readonly RouteSpec[]): string {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const rows = codes.map((code) => {
    const shape = problemExtraShape(code);
    const fields = Object.entries(shape ?? {}).map(([name, schema]) =>
      `\`${name}\`: ${
        notation(schemaOf(schema as z.ZodType, "output"))
          .replaceAll(/\n */g, " ")
      }`
    );
    const extra = fields.length === 0 ? "" : ` Fields: ${fields.join("; ")}.`;
    return `- \`${code}\` ${PROBLEMS[code].status}: ${
      PROBLEMS[code].detail
    }${extra}\n`;
  });
  const users = codes.map((code) => {
    const own = specs.filter((spec) => declaredProblems(spec).includes(code));
    return own.length > 12 || own.length === 0
      ? ""
      : `- \`${code}\`: ${own.map((spec) => link(spec)).join(", ")}\n`;
  });
  return `# Problem codes

Made by \`deno task manual\` from \`src/core/catalogue.ts\`, the one table of
codes. A client switches on the code, never on the status alone; the text is for
people and may change. What a problem record looks like stands in
[Transport](transport.md#problems).

${rows.join("")}
## Who answers with what

Codes that more than a dozen operations share are left out.

${users.join("")}`;
}

function link(spec: RouteSpec): string {
  return `[${spec.operation}](operations.md#${spec.operation.toLowerCase()})`;
}

function limitsPage(specs: readonly RouteSpec[]): string {
  // What a backup waits for is no client's affair.
  const settings = settingPages.filter(({ name }) =>
    !name.startsWith("STRONGROOM_BACKUP_") &&
    /_LIMIT_|_MAX_|_QUOTA_|_DAYS$|_HOURS$|_SECONDS$|_RESERVED_|ARGON2/
      .test(name)
  );
  const bodies = specs.filter(({ body }) =>
    (body?.kind === "json" || body?.kind === "bytes") &&
    body.limitBytes !== undefined
  );
  return `# Limits and budgets

Made by \`deno task manual\` from the settings and the declarations. What an
operator can change:

${
    table(
      ["Setting", "Default", ""],
      settings.map(({ name, preset, doc }) => [
        `\`${name}\``,
        preset === "" ? "" : `\`${preset}\``,
        doc,
      ]),
    )
  }
## Bodies

A body is at most \`STRONGROOM_MAX_BODY_BYTES\` long, but for these:

${
    table(
      ["Operation", "Bytes"],
      bodies.map((spec) => [
        link(spec),
        spec.body?.kind === "json" || spec.body?.kind === "bytes"
          ? (spec.body.limitBytes ?? 0).toLocaleString("en")
          : "",
      ]),
    )
  }
The body of \`putUpload\` and \`patchUpload\`, and of their counterparts of an
upload link, is as long as what the upload session still lacks.

## Rows

What one account may make, which no setting changes. Beyond it is 422
\`error.account.limit_reached\` with \`limit\`, unless something else is said.

${table(["Of one account", "At most"], rows(ROWS, ROW_LIMITS))}
Of these the oldest, or the idlest, goes where there would be more:

${table(["Of one account", "At most"], rows(KEPT_ROWS, KEPT))}`;
}

/** Every limit of the code has its words here, or the types do not check. */
const ROWS: Readonly<Record<keyof typeof ROW_LIMITS, string>> = {
  albums: "albums, tombstones too",
  albumsNamingOne: "albums of its own that name the same other account",
  rosterNames: "names on the rosters of all its albums",
  rosterBytes: "bytes of the rosters of all its albums",
  shares: "share links that are not revoked",
  servedHashes: "hashes that those serve, together",
  shareIds: "ids of share links, revoked ones too",
  uploadLinks: "upload links that are not revoked",
  uploadLinkIds: "ids of upload links, revoked ones too",
  contributions:
    "guests' files that are not adopted, and their open sessions;" +
    " guests are told 422 \`error.upload_link.exhausted\`",
  grants: "capability grants that are kept",
  intents: "upgrade intents of one album; 400 \`error.album.intent_invalid\`",
  stateSlots: "state slots that hold something",
  pendingBlobs: "finalized blobs that no manifest names yet",
  inlineAboveQuota: "bytes that lifecycle writes bring above the quota",
};

const KEPT_ROWS: Readonly<Record<keyof typeof KEPT, string>> = {
  sessions: "sessions",
  cohorts: "cohorts",
  revokeChallenges: "live challenges of the global sign-out",
  enrollmentChannels: "open enrollment channels",
};

function rows<Key extends string>(
  words: Readonly<Record<Key, string>>,
  limits: Readonly<Record<Key, number>>,
): string[][] {
  const keys = Object.keys(words) as Key[];
  return keys.map((key) => [words[key], limits[key].toLocaleString("en")]);
}

/** A table as `deno fmt` lays it out. */
function table(head: readonly string[], rows: readonly string[][]): string {
  const cells = [[...head], ...rows].map((row) =>
    row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("*", "\\*"))
  );
  const widths = head.map((_, column) =>
    Math.max(3, ...cells.map((row) => row[column]?.length ?? 0))
  );
  const lines = cells.map((row) =>
    `| ${widths.map((width, i) => (row[i] ?? "").padEnd(width)).join(" | ")} |`
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1)].join("\n") + "\n";
}

/** Markdown as `deno fmt` has it. */
export async function formatted(markdown: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", "--no-config", "--ext", "md", "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const written = new Response(markdown).body?.pipeTo(child.stdin);
  const { stdout } = await child.output();
  await written;
  return new TextDecoder().decode(stdout);
}

/** Writes the pages into `src/docs/protocol`. */
export async function writeProtocolPages(): Promise<void> {
  for (const [name, markdown] of Object.entries(protocolPages())) {
    await Deno.writeTextFile(new URL(name, FOLDER), await formatted(markdown));
  }
}
