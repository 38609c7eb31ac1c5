/**
 * Programs of people who install the client library. They are text, because
 * their imports resolve only next to the installed package.
 *
 * @module
 */

/** Imports the entries that it is told of, and opens the vectors' blobs. */
export const VECTORS_PROGRAM = `
import { readFileSync } from "node:fs";
for (const entry of process.argv.slice(2)) {
  if (Object.keys(await import(entry)).length === 0) throw entry;
}
const formats = await import("@strongroom/client/documents");
const { nativePrimitives } = await import("@strongroom/client/native");
const file = import.meta.resolve("@strongroom/client/vectors/stream.json");
const vectors = JSON.parse(readFileSync(new URL(file), "utf8"));
const said = {};
for (const primitives of [formats.portablePrimitives, nativePrimitives]) {
  said[primitives.name] = true;
  for (const one of vectors.cases) {
    if (one.ciphertext === undefined) continue;
    const fileKey = formats.fromHex(vectors.file_key);
    const key = { fileKey, chunkSize: one.chunk_size, primitives };
    const blob = formats.fromHex(one.ciphertext);
    const plaintext = await formats.decryptBytes(key, blob);
    if (plaintext.length !== one.plaintext_size) throw one;
    const salt = formats.fromHex(vectors.salt);
    const again = await formats.encryptBytes(key, salt, plaintext);
    if (formats.toHex(again) !== one.ciphertext) throw one;
  }
}
console.log(JSON.stringify(said));
`;

/** As strict as TypeScript is, the package's own types included. */
export const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: "nodenext",
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
    types: ["node"],
    skipLibCheck: false,
    noEmit: true,
  },
  files: ["consumer.ts"],
});

/** Uses every entry, and what comes back by its type. */
export const CONSUMER = `
import { ApiProblem, type Client, createClient } from "@strongroom/client";
import {
  decodeMetadata,
  type Manifest,
  type Metadata,
  verifyManifest,
} from "@strongroom/client/documents";
import * as library from "@strongroom/client/library";
import { nativePrimitives } from "@strongroom/client/native";
import { type SealingWorkers, sealingWorkers } from "@strongroom/client/web";

const workers: SealingWorkers = sealingWorkers({
  start: () => new Worker("worker.js"),
  wait: (ms: number) => new Promise((done) => setTimeout(done, ms)),
});

const platform: library.LibraryPlatform = {
  fetch,
  now: Date.now,
  random: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
  wait: (ms: number) => new Promise((done) => setTimeout(done, ms)),
  clientVersion: "consumer/1",
  primitives: nativePrimitives,
  sealer: workers.sealer,
};

export async function begin(server: string): Promise<library.Library> {
  const session: library.Session = await library.signIn(platform, {
    server,
    address: "ada@example.org",
    password: "correct horse battery staple",
    device: { name: "laptop", platform: "linux" },
    credentials: library.memoryCredentialStore(),
    code: () => Promise.resolve("000000"),
  });
  const vault = await library.openVault(session);
  return await library.openLibrary(vault, library.memoryStore());
}

export async function names(photos: library.Library): Promise<string[]> {
  const report: library.SyncReport = await photos.sync();
  const rows: readonly library.Row[] = photos.list();
  if (report === undefined) return [];
  return rows.map((row) => {
    const metadata: Metadata | undefined = row.metadata;
    return metadata?.name ?? row.id;
  });
}

export async function servers(url: string): Promise<string> {
  const client: Client = createClient({ baseUrl: url, fetch });
  try {
    const { server_id }: { readonly server_id: string } = await client
      .serverInfo();
    return server_id;
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    const { code }: { readonly code: string } = error;
    return code;
  }
}

export async function signedBy(
  key: Uint8Array,
  bytes: Uint8Array,
): Promise<Manifest> {
  return await verifyManifest(bytes, key);
}

export const opened: (bytes: Uint8Array) => Metadata = decodeMetadata;

// @ts-expect-error A size is a number of bytes.
library.plainOf("not bytes");
`;

/** Says where a type that a program can reach is any, or of another package. */
export const LEAKS_PROGRAM = `
import ts from "typescript";
const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ".");
const program = ts.createProgram(["consumer.ts"], options);
const checker = program.getTypeChecker();
const seen = new Set();
const leaks = new Set();
const ours = (file) => file.includes("/@strongroom/client/");
function walk(type, path) {
  if (type.flags & ts.TypeFlags.Any) leaks.add(path + " is any");
  if (seen.has(type) || path.length > 400) return;
  seen.add(type);
  if (type.isUnionOrIntersection()) {
    for (const part of type.types) walk(part, path);
  }
  // What iterators return and take is any by TypeScript's own defaults.
  const iterates = /Itera|Generator/.test(type.symbol?.name ?? "");
  const parts = checker.getTypeArguments(type) ?? [];
  for (const part of iterates ? parts.slice(0, 1) : parts) {
    walk(part, path + "<>");
  }
  for (const kind of [ts.SignatureKind.Call, ts.SignatureKind.Construct]) {
    for (const signature of checker.getSignaturesOfType(type, kind)) {
      const { declaration } = signature;
      if (!declaration || !ours(declaration.getSourceFile().fileName)) continue;
      for (const parameter of signature.getParameters()) {
        walk(checker.getTypeOfSymbol(parameter), path + "(" + parameter.name);
      }
      walk(signature.getReturnType(), path + "()");
    }
  }
  for (const property of type.getProperties()) {
    const [declaration] = property.getDeclarations() ?? [];
    const file = declaration?.getSourceFile().fileName ?? "";
    if (file.includes("/zod/")) leaks.add(path + " shows zod");
    // All that a class has for itself is one member, of any type.
    if (!ours(file) || property.name.includes("#private")) continue;
    walk(checker.getTypeOfSymbol(property), path + "." + property.name);
  }
}
for (const file of program.getSourceFiles()) {
  const { fileName } = file;
  const isEntry = /client\\/src\\/client\\/(library\\/)?(mod|documents|native)\\.d/;
  if (!ours(fileName) || !isEntry.test(fileName)) continue;
  const module = checker.getSymbolAtLocation(file);
  for (const symbol of checker.getExportsOfModule(module)) {
    const target = symbol.flags & ts.SymbolFlags.Alias
      ? checker.getAliasedSymbol(symbol)
      : symbol;
    const value = target.flags & ts.SymbolFlags.Value;
    if (value) walk(checker.getTypeOfSymbol(target), symbol.name);
    if (target.flags & ts.SymbolFlags.Type) {
      walk(checker.getDeclaredTypeOfSymbol(target), symbol.name);
    }
  }
}
if (seen.size < 300) leaks.add("only " + seen.size + " types were looked at");
console.log(JSON.stringify([...leaks]));
`;

/** A page's Worker that seals, and says how many bytes it read. */
export const WORKER = `
import { serveSealing } from "@strongroom/client/web";

const { arrayBuffer } = Blob.prototype;
Blob.prototype.arrayBuffer = function () {
  self.postMessage({ read: this.size });
  return arrayBuffer.call(this);
};
await serveSealing(self);
`;

/** A page that takes a file in and reads it back: \`run(base64)\`. */
export const PAGE = `
import * as strongroom from "@strongroom/client/library";
import { sealingWorkers, sourceOfFile } from "@strongroom/client/web";

globalThis.run = async (file) => {
  const ready = [];
  let read = 0;
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const start = () => {
    const worker = new Worker("worker.js", { type: "module" });
    ready.push(new Promise((resolve) =>
      worker.addEventListener("message", ({ data }) => {
        if (data instanceof MessagePort) resolve();
        else read += data.read;
      })
    ));
    return worker;
  };
  const workers = sealingWorkers({ start, wait, count: 2 });
  await Promise.all(ready);
  const session = await strongroom.registerAccount({
    fetch: (input, init) => fetch(input, init),
    now: Date.now,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    wait,
    clientVersion: "page/1",
    sealer: workers.sealer,
  }, {
    server: location.origin,
    address: "ada@example.org",
    password: "correct horse battery staple",
    device: { name: "page", platform: "linux" },
    credentials: strongroom.memoryCredentialStore(),
  });
  const vault = await strongroom.openVault(session);
  const photos = await strongroom.openLibrary(vault, strongroom.memoryStore());
  const about = { name: "video.bin", mime: "application/octet-stream" };
  const taken = async (one) => {
    const { row } = await photos.take({ source: sourceOfFile(one), about });
    const pieces = [];
    for await (const piece of photos.read(row.id)) pieces.push(piece);
    const back = await new Blob(pieces).bytes();
    const given = await one.bytes();
    return back.length === given.length &&
      back.every((byte, at) => byte === given[at]);
  };
  const first = await taken(file);
  const sealed = read;
  // Without its Workers the sealer goes on by itself.
  workers.end();
  const second = await taken(new Blob([file, "and more"]));
  return { first, second, sealed, later: read - sealed };
};
`;
