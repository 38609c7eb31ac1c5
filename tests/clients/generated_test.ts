/**
 * The contract as the tools of client developers take it: linters have nothing
 * against it, and clients that three generators make of it sign in, upload and
 * follow the feed, type-checked, against the real program.
 *
 * The tools come from the npm registry, of exact versions, into a folder that
 * goes with the test; where they cannot be had the test is ignored and says so.
 *
 * @module
 */
import assert from "node:assert/strict";
import { makeRequest, type Sender } from "../support/app.ts";
import type { Json } from "../support/expect.ts";
import {
  ciphertext,
  hashOf,
  PASSWORD,
  registerWriter,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { runProgram, serveHere } from "../support/program.ts";

const TOOLS = {
  "@hey-api/openapi-ts": "0.99.0",
  "@redocly/cli": "2.77.0",
  "@stoplight/spectral-cli": "6.16.3",
  "openapi-fetch": "0.17.0",
  "openapi-typescript": "7.13.0",
  orval: "8.30.0",
  typescript: "5.9.3",
} as const;
/** The first time they come over the network. */
const INSTALL_MS = 180_000;
const RUN_MS = 120_000;
const DENO = Deno.execPath();

/** What every client is told to do, on its command line. */
const PRELUDE = `
const task = JSON.parse(Deno.args[0] ?? "");
const protocol = "2026-11-01";
function bytesOf(blob: { bytes: string }): Blob {
  return new Blob([Uint8Array.fromBase64(blob.bytes)]);
}
function report(actions: readonly string[]): void {
  console.log(JSON.stringify(actions));
}
`;

/** Each signs in, uploads every blob and reads the feed from its beginning. */
const CLIENTS: Readonly<Record<string, string>> = {
  "openapi-fetch": `
import createClient from "openapi-fetch";
import type { paths } from "./types.ts";
${PRELUDE}
const header = { "X-Service-Protocol": protocol };
const client = createClient<paths>({ baseUrl: task.origin });
const signedIn = await client.POST("/v1/auth/login", {
  params: { header },
  body: { address: task.address, password: task.password },
});
if (signedIn.data === undefined) throw new Error(signedIn.error?.code);
if (!("access_token" in signedIn.data)) throw new Error("a second factor");
const token: string = signedIn.data.access_token;
client.use({
  onRequest({ request }) {
    request.headers.set("Authorization", \`Bearer \${token}\`);
  },
});
for (const blob of task.blobs) {
  const made = await client.POST("/v1/upload", {
    params: { header },
    body: blob.request,
  });
  if (made.data === undefined) throw new Error(made.error?.code);
  const sent = await client.PUT("/v1/upload/{upload_id}", {
    params: { header, path: { upload_id: made.data.upload_id } },
    headers: { "Content-Type": "application/octet-stream" },
    // The generator has no type of its own for bytes.
    body: bytesOf(blob) as unknown as string,
    bodySerializer: (body) => body,
  });
  if (sent.data === undefined) throw new Error(sent.error?.code);
  const receipt: number = sent.data.receipt.receipt_seq;
  if (!(receipt > 0)) throw new Error("no receipt");
}
const feed = await client.GET("/v1/sync", {
  params: { header, query: { after: 0 } },
});
if (feed.data === undefined) throw new Error(feed.error?.code);
report(feed.data.entries.map(({ action }) => action));
`,
  "hey-api": `
import { createUpload, login, putUpload, readFeed } from "./hey/index.ts";
import { client } from "./hey/client.gen.ts";
${PRELUDE}
const headers = { "X-Service-Protocol": protocol };
client.setConfig({ baseUrl: task.origin });
const signedIn = await login({
  headers,
  body: { address: task.address, password: task.password },
  throwOnError: true,
});
if (!("access_token" in signedIn.data)) throw new Error("a second factor");
const token: string = signedIn.data.access_token;
client.setConfig({ baseUrl: task.origin, auth: () => token });
for (const blob of task.blobs) {
  const made = await createUpload({
    headers,
    body: blob.request,
    throwOnError: true,
  });
  const sent = await putUpload({
    headers,
    path: { upload_id: made.data.upload_id },
    body: bytesOf(blob),
    throwOnError: true,
  });
  const receipt: number = sent.data.receipt.receipt_seq;
  if (!(receipt > 0)) throw new Error("no receipt");
}
const feed = await readFeed({ headers, query: { after: 0 }, throwOnError: true });
report(feed.data.entries.map(({ action }) => action));
`,
  orval: `
import { createUpload, login, putUpload, readFeed } from "./orval.ts";
${PRELUDE}
const protocolHeader = { "X-Service-Protocol": protocol };
const signedIn = await login(
  { address: task.address, password: task.password },
  { headers: protocolHeader },
);
if (signedIn.status !== 200) throw new Error(String(signedIn.status));
const headers = {
  ...protocolHeader,
  Authorization: \`Bearer \${signedIn.data.access_token}\`,
};
for (const blob of task.blobs) {
  const made = await createUpload(blob.request, { headers });
  if (made.status !== 201) throw new Error(String(made.status));
  const { upload_id } = made.data;
  const sent = await putUpload(upload_id, bytesOf(blob), { headers });
  if (sent.status !== 200) throw new Error(String(sent.status));
  const receipt: number = sent.data.receipt.receipt_seq;
  if (!(receipt > 0)) throw new Error("no receipt");
}
const feed = await readFeed({ after: 0 }, { headers });
if (feed.status !== 200) throw new Error(String(feed.status));
report(feed.data.entries.map(({ action }) => action));
`,
};

async function run(
  folder: string,
  args: readonly string[],
  limitMs = RUN_MS,
): Promise<{ readonly success: boolean; readonly said: string }> {
  const { success, stdout, stderr } = await new Deno.Command(DENO, {
    args: [...args],
    cwd: folder,
    env: {
      NO_COLOR: "1",
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    },
    stdin: "null",
    signal: AbortSignal.timeout(limitMs),
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { success, said: text(stdout) + (success ? "" : text(stderr)) };
}

async function ok(folder: string, ...args: string[]): Promise<string> {
  const { success, said } = await run(folder, args);
  assert(success, `${args.slice(0, -1).join(" ")}: ${said}`);
  return said;
}

/** Undefined where the registry cannot be reached. */
async function install(): Promise<string | undefined> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-clients-" });
  globalThis.addEventListener(
    "unload",
    () => Deno.removeSync(folder, { recursive: true }),
  );
  const text = JSON.stringify({ type: "module", dependencies: TOOLS });
  await Deno.writeTextFile(`${folder}/package.json`, text);
  const { success, said } = await run(
    folder,
    ["install", "--no-lock", "--quiet"],
    INSTALL_MS,
  );
  if (success) return folder;
  await Deno.stderr.write(new TextEncoder().encode(
    `tests that need generators of clients are ignored: ${said}\n`,
  ));
  return undefined;
}

const FOLDER = await install();

const tool = (name: keyof typeof TOOLS) =>
  ["run", "--no-lock", "--quiet", "--allow-all", `npm:${name}`] as const;

/** The contract, as `strongroom openapi` prints it. */
async function writeContract(folder: string): Promise<void> {
  const { status, stdout, stderr } = await runProgram(["openapi"]);
  assert.equal(status, 0, stderr);
  await Deno.writeTextFile(`${folder}/openapi.json`, stdout);
}

Deno.test({
  name: "redocly and spectral have nothing against the contract",
  ignore: FOLDER === undefined,
  fn: async () => {
    const folder = FOLDER ?? "";
    await writeContract(folder);
    await Deno.writeTextFile(
      `${folder}/rules.json`,
      JSON.stringify({ extends: ["spectral:oas"] }),
    );
    // What is only warned of counts, too.
    const [spectral] = await Promise.all([
      ok(
        folder,
        ...tool("@stoplight/spectral-cli"),
        ...["lint", "openapi.json", "--ruleset", "rules.json"],
        ...["--fail-severity", "hint"],
      ),
      ok(
        folder,
        ...tool("@redocly/cli"),
        ...["lint", "openapi.json", "--max-problems", "5"],
      ),
    ]);
    assert.match(spectral, /No results/);
  },
});

/** Three blobs that make an asset. */
function blobsOf(person: Parameters<typeof uploadRequest>[0], name: string) {
  const fileId = uuidOf(`asset of ${name}`);
  const [original, metadata, manifest] = ["original", "metadata", "manifest"]
    .map((role) => ciphertext(`${role} of ${name}`, 700));
  assert(original && metadata && manifest);
  const blob = (bytes: Uint8Array, over: Json) => ({
    request: uploadRequest(person, bytes, { fileId, ...over }),
    bytes: new Uint8Array(bytes).toBase64(),
  });
  return [
    blob(original, {}),
    blob(metadata, { role: "metadata" }),
    blob(manifest, {
      role: "provenance",
      envelope: {
        original_blob_hash: hashOf(original),
        metadata_blob_hash: hashOf(metadata),
      },
    }),
  ];
}

Deno.test({
  name:
    "clients that generators make of the contract sign in, upload and follow the feed",
  ignore: FOLDER === undefined,
  fn: async () => {
    const folder = FOLDER ?? "";
    const dataDir = `${folder}/data`;
    await writeContract(folder);
    const server = await serveHere({ STRONGROOM_DATA_DIR: dataDir });
    try {
      const config = {
        strongroom: {
          input: "./openapi.json",
          output: {
            target: "./orval.ts",
            client: "fetch",
            mode: "single",
            baseUrl: server.url,
            override: { fetch: { includeHttpResponseReturnType: true } },
          },
        },
      };
      await Deno.writeTextFile(
        `${folder}/orval.config.mjs`,
        `export default ${JSON.stringify(config)};`,
      );
      for (const [name, text] of Object.entries(CLIENTS)) {
        await Deno.writeTextFile(`${folder}/by_${name}.ts`, text);
      }
      await Promise.all([
        ok(
          folder,
          ...tool("openapi-typescript"),
          ...["openapi.json", "--output", "types.ts"],
        ),
        ok(
          folder,
          ...tool("@hey-api/openapi-ts"),
          ...["--input", "openapi.json", "--output", "hey", "--no-log-file"],
        ),
        ok(folder, ...tool("orval"), "--config", "orval.config.mjs"),
      ]);
      const sender: Sender = {
        send: (method, path, options = {}) =>
          fetch(makeRequest(method, path, options, server.url)),
      };
      await Promise.all(
        Object.keys(CLIENTS).map(async (name) => {
          const person = await registerWriter(sender, name);
          const task = {
            origin: server.url,
            address: person.address,
            password: PASSWORD,
            blobs: blobsOf(person, name),
          };
          const said = await ok(
            folder,
            ...["run", "--no-lock", "--quiet", "--check", "--allow-net"],
            ...["--unstable-sloppy-imports", "--allow-read=.", `by_${name}.ts`],
            JSON.stringify(task),
          );
          assert.deepEqual(JSON.parse(said), ["create"], name);
        }),
      );
    } finally {
      await server.stop();
    }
  },
});
