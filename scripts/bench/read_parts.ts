/**
 * The parts of a small read that can be taken out of a copy of the program, so
 * that what each costs is measured and not guessed. Without one the answers are
 * the same for the requests of a benchmark, and wrong for others.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COPIED = ["src", "scripts", "main.ts", "deno.json", "deno.lock", "dist"];

/** A part of a request, and what takes it out. */
export interface Part {
  readonly name: string;
  readonly without: readonly {
    readonly file: string;
    readonly text: string;
    readonly by: string;
  }[];
}

/** A function's first answer, whatever it is asked then. */
const ONCE = `const once = (ask: any) => {
  let held: any;
  return async (...asked: any[]) => held ??= await ask(...asked);
};`;

export const PARTS: readonly Part[] = [
  {
    name: "data_version",
    without: [{
      file: "src/app.ts",
      text: "fetch: afterChanges(changeWatcher, answer),",
      by: "fetch: answer,",
    }],
  },
  {
    name: "URL object",
    without: [{
      file: "src/http/pipeline.ts",
      text: "const url = URL.parse(request.url);",
      by: `const url: any = { searchParams: { get: () => null },
        pathname: request.url.slice(request.url.indexOf("/", 7)) };`,
    }],
  },
  {
    name: "path of operators, dots",
    without: [{
      file: "src/http/pipeline.ts",
      text:
        'const asked = url === null || hasDots(request.url) ? "" : url.pathname;\n' +
        "    const pathname = await knownPath(request, asked);",
      by: 'const pathname = url?.pathname ?? "";',
    }],
  },
  {
    name: "headers asked for",
    without: [{
      file: "src/http/pipeline.ts",
      text: "export function createPipeline<App>",
      by: `function unasked(request: any): any {
        const token = request.headers.get("authorization");
        return { method: request.method, url: request.url, body: null,
          headers: { has: () => false, get: (name: string) =>
            name === "authorization" ? token
              : name === "x-service-protocol" ? "2026-11-01" : null } };
      }
      export function createPipeline<App>`,
    }, {
      file: "src/http/pipeline.ts",
      text: "return async (request, info) => {",
      by: `return async (sent, info) => {
    const request = sent.method === "GET" ? unasked(sent) : sent;`,
    }],
  },
  {
    name: "counts of bodies, forwarding headers",
    without: [{
      file: "src/server/listener.ts",
      text: `(request, { remoteAddr }) =>
          bodies.during(
            request,
            (onBodyIn) => parts.answer(request, remoteAddr.hostname, onBodyIn),
          ),`,
      by: `(request) => parts.answer(request, "127.0.0.1", () => {}),`,
    }, {
      file: "src/server/serve.ts",
      text: "note.see(peer, header);",
      by: "",
    }],
  },
  {
    name: "token and its session",
    without: [{
      file: "src/app.ts",
      text:
        "session: (token, raise) => authenticateSession(callOf(raise), token),",
      // Until somebody can write, each is another.
      by: `session: async (token, raise) => {
        if (kept.caller?.hasDirectory) return kept.caller;
        return kept.caller = await authenticateSession(callOf(raise), token);
      },`,
    }, {
      file: "src/app.ts",
      text: "/** Challenges of each kind",
      by: "const kept: any = {};\n/** Challenges of each kind",
    }],
  },
  {
    name: "query",
    without: [{
      file: "src/features/accounts/store.ts",
      text: "const profile = await selectProfile(db, sessionId, userId);",
      by: "const profile: any = await heldProfile(db, sessionId, userId);",
    }, {
      file: "src/features/accounts/store.ts",
      text: "/** What an account sees of itself",
      by:
        `${ONCE}\nconst heldProfile = once(selectProfile);\n/** What an account sees of itself`,
    }, {
      file: "src/features/shares/shares.ts",
      text:
        "const served = await findServedBlob(app.db, viewer.opaqueId, now, hash);",
      by: `const served: any =
        await heldServed(app.db, viewer.opaqueId, now, hash);`,
    }, {
      file: "src/features/shares/shares.ts",
      text: "/** Who asks for which link. */",
      by:
        `${ONCE}\nconst heldServed = once(findServedBlob);\n/** Who asks for which link. */`,
    }],
  },
  {
    name: "blob's bytes",
    without: [{
      file: "src/store/small_blobs.ts",
      text: "const row = await findBytes(this.db, hash);\n      if",
      by: "const row: any = await heldBytes(this.db, hash);\n      if",
    }, {
      file: "src/store/small_blobs.ts",
      text: "const findSize = ",
      by: `${ONCE}\nconst heldBytes = once(findBytes);\nconst findSize = `,
    }],
  },
  {
    name: "budget",
    without: [{
      file: "src/features/shares/shares.ts",
      text:
        "const spent = charge(call, budget, [link, clientAddress], cost) ??",
      by: "const spent: any = undefined ??",
    }],
  },
  {
    name: "common headers",
    without: [{
      file: "src/http/pipeline.ts",
      text: "addCommon(draft.headers, request, pathname, progress);\n    if",
      by: "if",
    }],
  },
  {
    name: "end of a request, without a line",
    without: [{
      file: "src/http/pipeline.ts",
      text: "end(request, draft, progress, refused, startedAt, info);",
      by: "",
    }],
  },
  {
    name: "whole pipeline",
    without: [{
      file: "src/http/pipeline.ts",
      text: "return async (request, info) => {",
      by: `let kept: any;
  return async (request, info) => {
    if (kept !== undefined && request.url === kept.url) return kept.answer();
    const made = (draft: any) => kept = { url: request.url,
      answer: () => toResponse({ ...draft, headers: draft.headers }) };`,
    }, {
      file: "src/http/pipeline.ts",
      text: "return toResponse(draft);\n  };",
      by: "made(draft);\n    return toResponse(draft);\n  };",
    }],
  },
];

/** Makes a copy of this checkout without a part, in a folder that is made. */
export async function withoutPart(part: Part, copy: string): Promise<void> {
  await Deno.mkdir(copy);
  for (const one of COPIED) {
    await new Deno.Command("cp", { args: ["-r", `${ROOT}${one}`, copy] })
      .output();
  }
  for (const { file, text, by } of part.without) {
    const path = `${copy}/${file}`;
    const source = await Deno.readTextFile(path);
    if (source.split(text).length !== 2) {
      throw new Error(`${part.name}: ${file} has "${text}" not once`);
    }
    await Deno.writeTextFile(path, source.replace(text, () => by));
  }
}
