/**
 * `deno task demo:lies`: a server that lies, a witness, and a client. After
 * each lie it prints what the app's Safety says, and ends with evidence that a
 * program without a line of ours verifies. Everything runs in this process, but
 * the verifier; nothing listens.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { openAppFiles } from "../src/assets/app_files.ts";
import type { Library } from "../src/library/mod.ts";
import { policyWith } from "../src/library/logs/witness_choice.ts";
import type { UserId } from "../src/core/ids.ts";
import { utf8 } from "../src/core/bytes.ts";
import { sha256, sha256Hex } from "../src/crypto/sha256.ts";
import {
  formatCheckpoint,
  formatNote,
  noteKey,
  parseCheckpoint,
  parseNote,
  signNote,
  signNoteHybrid,
  verifierKey,
} from "../src/crypto/logs/signed_note.ts";
import {
  appendEntry,
  appEntry,
  appManifest,
  directoryEntry,
} from "../src/features/log/entries.ts";
import { transaction } from "../src/store/sqlite/database.ts";
import { messagesOf } from "./messages/reading.ts";
import { ORIGIN, type TestApp } from "../tests/support/app.ts";
import { DEBIAN_PYTHON } from "../tests/support/debian.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  type Wire,
  wireTo,
} from "../tests/support/library.ts";
import { ciphertext } from "../tests/support/people.ts";
import { withWitnesses, witnessKeyOf } from "../tests/support/witnessed.ts";

const VERIFIER = fileURLToPath(
  new URL("../tests/support/log_evidence.py", import.meta.url),
);

const say = (line = "") =>
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
let step = 0;

/** Prints what Safety says; ends the demo where a lie was not noticed. */
async function safety(
  library: Library,
  what: string,
  wanted: string | undefined,
): Promise<void> {
  const report = await library.logs.check({ receipts: "all" });
  say();
  say(`${step++}. ${what}`);
  const { logs } = messagesOf("en").safety;
  const [weakest] = report.logs.toSorted((a, b) =>
    a.witnesses.length - b.witnesses.length
  );
  const names = weakest?.witnesses.map(({ name }) => name).join(", ") ?? "";
  const changes = report.own.filter((one) => one.what === "directory");
  const foreign = changes.filter(({ isOurs }) => !isOurs).length;
  const lines = [
    report.isWitnessed
      ? logs.witnessed({
        when: weakest?.witnesses[0]?.at ?? "",
        names,
        n: weakest?.witnesses.length ?? 0,
        of: 1,
      })
      : "not witnessed as it is shown now",
    foreign === 0
      ? logs.changes({ n: changes.length })
      : logs.foreign({ n: foreign }),
    ...report.findings.filter(({ answered_at }) => answered_at === undefined)
      .map(({ detail }) => `! ${detail}`),
    ...report.app === undefined ||
        report.app === sha256Hex(appManifest(openAppFiles()))
      ? []
      : ["! the web app that the log names is not the one of this program"],
  ];
  for (const line of lines) say(`   Safety: ${line}`);
  const isTold = lines.some((line) => line.startsWith("!"));
  if (isTold !== (wanted !== undefined)) {
    throw new Error(wanted === undefined ? "a false alarm" : "not noticed");
  }
  if (wanted !== undefined && !lines.join("\n").includes(wanted)) {
    throw new Error(`Safety does not say ${JSON.stringify(wanted)}`);
  }
  for (const { id } of library.logs.findings()) {
    if (!keeps.has(id)) await library.logs.answer(id);
  }
}

/** Findings that the end needs. */
const keeps = new Set<string>();

async function noteOf(app: TestApp, name: string): Promise<string> {
  const response = await app.fetch(
    new Request(`${ORIGIN}/log/${name}/checkpoint`),
    { clientAddress: "192.0.2.1" },
  );
  return await response.text();
}

/** Makes the server answer only this client with another checkpoint. */
function showInstead(wire: Wire, note: string): void {
  wire.intercept = (request) =>
    new URL(request.url).pathname === "/log/custody/checkpoint"
      ? Promise.resolve(new Response(note))
      : undefined;
}

/** Another tree of the same size, signed by the server. */
async function forked({ app }: TestApp, note: string): Promise<string> {
  const head = parseCheckpoint(parseNote(note)?.text ?? "");
  const log = app.secrets.logKeys.at(-1)?.signer;
  const hybrid = app.secrets.attestationKeys.at(-1)?.signer;
  if (!head || !log || !hybrid) throw new Error("there is no log");
  const text = formatCheckpoint({ ...head, root: sha256(utf8("another")) });
  return formatNote({
    text,
    signatures: [
      await signNote(log, head.origin, text),
      await signNoteHybrid(hybrid, head.origin, text),
    ],
  });
}

await withWitnesses(1, async ({ app, witnesses, advance }) => {
  const [ben] = witnesses;
  if (ben === undefined) throw new Error("there is no witness");
  const wire = wireTo(app);
  const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
  const take = async (name: string) => {
    await library.take(fileOf(name, ciphertext(name, 2_000)));
  };
  const { userId } = library.vault.session;
  const addEntry = (entry: Uint8Array<ArrayBuffer>) =>
    transaction(app.app.db, (tx) => appendEntry(tx, entry));

  await take("beach.jpg");
  await advance();
  const old = await noteOf(app, "custody");
  const key = `witness ben ${await witnessKeyOf(ben)}`;
  await library.logs.choose(policyWith(undefined, key));
  await take("walk.jpg");
  await advance();
  await safety(library, "The server is honest.", undefined);

  showInstead(wire, old);
  await safety(
    library,
    "It rolls back: it shows the log of before the last photo.",
    "and the server shows",
  );

  showInstead(wire, await forked(app, await noteOf(app, "custody")));
  const before = new Set(library.logs.findings().map(({ id }) => id));
  const found = await library.logs.check();
  for (const { id, file } of found.findings) {
    if (file !== undefined && !before.has(id)) keeps.add(id);
  }
  await safety(
    library,
    "It forks: this client is shown another log than everybody else.",
    "contradict each other",
  );
  const file = library.logs.findings().find((one) => one.file)?.file;
  for (const { id } of library.logs.findings()) await library.logs.answer(id);
  keeps.clear();

  wire.intercept = async (request, pass) => {
    const response = await pass(request);
    if (new URL(request.url).pathname !== "/v1/receipts") return response;
    const page = await response.json();
    for (const one of page.receipts) delete one.log_index;
    return Response.json(page, { headers: response.headers });
  };
  app.clock.advance(2 * 3_600_000);
  await safety(
    library,
    "It hides an upload: the receipts of two hours ago are in no log.",
    "which the server signed, is not in",
  );

  wire.intercept = undefined;
  await addEntry(
    directoryEntry(
      userId as UserId,
      2,
      sha256Hex(utf8("a spy's tablet")),
      null,
    ),
  );
  await advance();
  await safety(
    library,
    "It adds a device to the account, for others to see.",
    "none of your devices published",
  );

  await addEntry(appEntry(sha256Hex(utf8("a web app that sends the keys"))));
  await advance();
  await safety(
    library,
    "It swaps the web app.",
    "not the one of this program",
  );

  say();
  if (file === undefined) throw new Error("there is no evidence");
  const path = await Deno.makeTempFile({ suffix: ".json" });
  await Deno.writeTextFile(path, file);
  const origin = app.app.logs?.origin("custody") ?? "";
  const signer = app.app.secrets.logKeys.at(-1)?.signer;
  if (signer === undefined) throw new Error("there is no key");
  const vkey = verifierKey(noteKey(origin, "ed25519", signer.publicKey));
  say(`The evidence of step 2, verified by ${VERIFIER.split("/").at(-1)}:`);
  const { success, stdout, stderr } = await new Deno.Command(DEBIAN_PYTHON, {
    args: [VERIFIER, path, vkey],
  }).output();
  await Deno.remove(path);
  say(`   ${new TextDecoder().decode(success ? stdout : stderr).trim()}`);
  if (!success) throw new Error("the evidence does not verify");
  say("   The server signed both. No one has to believe the client.");
});

// The threads that write databases are kept for a next one, which does not come.
Deno.exit(0);
