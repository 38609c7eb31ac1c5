/**
 * An export of receipts, and verifying it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectDone } from "./ended.ts";
import { saveCustody, uploadNamed } from "./custody.ts";
import { type Json } from "./expect.ts";
import { createAsset, registerWriter } from "./people.ts";
import { type EndedProgram, runProgram } from "./program.ts";
import { type ServerAndCommands, withServer } from "./upkeep.ts";

/** Five receipts under two keys, saved as files; no server runs any more. */
export interface Saved {
  readonly lines: readonly string[];
  readonly record: Json;
  /** Verifies lines, or a file's text. */
  readonly verify: (
    text: readonly string[] | string,
    ...options: string[]
  ) => Promise<EndedProgram>;
}

/** Runs a test of an export of five receipts, after the server has gone. */
export async function withExport(
  test: (saved: Saved, given: ServerAndCommands) => Promise<void>,
): Promise<void> {
  await withServer(async (given) => {
    const { server, run, dataDir } = given;
    const ada = await registerWriter(server, "ada");
    await createAsset(server, ada, "photo");
    expectDone(await run("keys", "rotate", "attestation"));
    await uploadNamed(server, ada, "fourth");
    await uploadNamed(server, ada, "fifth");
    const { receipts, keys } = await saveCustody(given);
    await server.stop();
    await Deno.remove(dataDir, { recursive: true });
    const lines = (await Deno.readTextFile(receipts)).trimEnd().split("\n");
    assert.equal(lines.length, 5);
    const record = JSON.parse(await Deno.readTextFile(keys));
    const verify = async (
      text: readonly string[] | string,
      ...options: string[]
    ) => {
      await Deno.writeTextFile(
        receipts,
        typeof text === "string"
          ? text
          : text.map((line) => `${line}\n`).join(""),
      );
      // No data directory and no setting: a stranger's machine.
      return await runProgram([
        ...["receipts", "verify", receipts, "--keys", keys],
        ...options,
      ]);
    };
    await test({ lines, record, verify }, given);
  });
}
