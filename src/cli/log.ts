/**
 * `strongroom log`: the public logs of receipts and keys.
 *
 * @module
 */
import type { Command } from "commander";
import { OperatorFault } from "../core/operator.ts";
import { numberInWords } from "../core/sizes.ts";
import { toRfc3339 } from "../core/time.ts";
import { noteKey, verifierKey } from "../crypto/signed_note.ts";
import { logKeysAt } from "../features/keys/rings.ts";
import { type Life, originOf } from "../features/log/life.ts";
import { openLog } from "../features/log/logs.ts";
import { checkpointsOf, lastLife, LOG_NAMES } from "../features/log/store.ts";
import type { Db } from "../store/database.ts";
import { denoFiles } from "../store/deno_files.ts";
import { keyGeneration } from "../store/generation.ts";
import { keysPath } from "../store/places.ts";
import type { CommandContext } from "./operator.ts";
import { addVerbs, type DatabaseCall, type Said, type Verb } from "./verb.ts";

const VERBS: readonly Verb[] = [
  {
    usage: "show",
    description: "the origin, the verifier key and the size of each log, as " +
      "a witness or a reader wants them",
    example: "log show",
    access: "read",
    run: show,
  },
  {
    usage: "rebuild",
    description: "write the tiles of both logs anew from the database",
    example: "log rebuild",
    access: "write",
    run: rebuild,
  },
];

/** Adds `log show` and `log rebuild` to the program. */
export function addLogCommands(
  program: Command,
  context: CommandContext,
): void {
  const log = program.command("log")
    .description("the public logs of receipts and keys");
  addVerbs(log, context, VERBS);
}

async function show({ db, config }: DatabaseCall): Promise<Said> {
  const life = await requireLife(db);
  const directory = keysPath(config.STRONGROOM_DATA_DIR);
  const generation = await keyGeneration(db);
  const key = (await logKeysAt({ files: denoFiles, directory }, generation))
    .at(-1);
  const checkpoints = await checkpointsOf(db, life.life);
  const logs = LOG_NAMES.map((name) => {
    const origin = originOf(life, name);
    const held = checkpoints.find(({ log }) => log === name);
    return {
      log: name,
      origin,
      verifier_key: key === undefined
        ? null
        : verifierKey(noteKey(origin, "ed25519", key.signer.publicKey)),
      size: held?.size ?? 0,
      signed_at: held === undefined ? null : toRfc3339(held.signed_at),
    };
  });
  return {
    json: { logs },
    lines: logs.flatMap(({ log, origin, verifier_key, size, signed_at }) => [
      `${log.padEnd(7)}  ${origin}`,
      `         ${verifier_key ?? "no key yet: start the server once"}`,
      signed_at === null
        ? "         not signed yet"
        : `         ${entriesInWords(size)}, signed ${signed_at}`,
    ]),
  };
}

async function rebuild(
  { db, config, platform }: DatabaseCall,
): Promise<Said> {
  const life = await requireLife(db);
  const place = {
    db,
    files: denoFiles,
    platform,
    root: config.STRONGROOM_DATA_DIR,
    life,
  };
  const rebuilt = [];
  for (const name of LOG_NAMES) {
    const served = await openLog(place, name).rebuild();
    rebuilt.push({ log: name, size: served?.size ?? 0 });
  }
  return {
    json: { logs: rebuilt },
    lines: rebuilt.map(({ log, size }) =>
      `${log.padEnd(7)}  ${entriesInWords(size)}, as signed`
    ),
  };
}

async function requireLife(db: Db): Promise<Life> {
  const life = await lastLife(db);
  if (life !== undefined) return life;
  throw new OperatorFault(
    "there are no logs yet: start the server of this program once",
  );
}

/** A number of entries in words. */
export function entriesInWords(count: number): string {
  return `${numberInWords(count)} ${count === 1 ? "entry" : "entries"}`;
}
