/**
 * The custody chain as a stranger sees it: an export, and the published keys.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Sender } from "./app.ts";
import { expectJson, type Json } from "./expect.ts";
import { ciphertext, type Person, uploadBlob, uuidOf } from "./people.ts";
import { expectDone } from "./ended.ts";
import { expectLine, type ServerAndCommands } from "./upkeep.ts";

/** The published attestation keys. */
export async function publishedRecord(server: Sender): Promise<Json> {
  return await expectJson(
    await server.send("GET", "/.well-known/service/attestation-keys"),
    200,
  );
}

/** Uploads a blob of that name; returns its receipt. */
export async function uploadNamed(
  server: Sender,
  person: Person,
  name: string,
): Promise<Json> {
  const { receipt } = await uploadBlob(server, person, ciphertext(name, 500), {
    fileId: uuidOf(name),
  });
  return receipt;
}

/** Saves the export and the published keys as files; returns their paths. */
export async function saveCustody(
  { server, outside, run }: ServerAndCommands,
): Promise<{ readonly receipts: string; readonly keys: string }> {
  const [receipts, keys] = [`${outside}/chain`, `${outside}/keys.json`];
  const record = await publishedRecord(server);
  await Deno.writeTextFile(keys, JSON.stringify(record));
  const exported = expectDone(await run("receipts", "export"));
  await Deno.writeTextFile(receipts, exported);
  return { receipts, keys };
}

/** Expects that every receipt verifies offline; returns how many there are. */
export async function expectCustody(given: ServerAndCommands): Promise<number> {
  const { receipts, keys } = await saveCustody(given);
  const verified = expectLine(
    await given.run("receipts", "verify", receipts, "--keys", keys, "--json"),
  );
  assert.equal(verified.ok, true);
  return verified.count;
}
