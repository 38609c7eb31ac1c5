/**
 * `strongroom log`: the public logs of receipts and keys.
 *
 * @module
 */
import type { Command } from "commander";
import { OperatorFault } from "../../core/operator.ts";
import { numberInWords } from "../../core/sizes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { noteKey, verifierKey } from "../../crypto/logs/signed_note.ts";
import { logKeysAt } from "../../features/keys/rings.ts";
import { type Life, originOf } from "../../features/log/life.ts";
import { openLog } from "../../features/log/logs.ts";
import {
  checkpointsOf,
  lastLife,
  LOG_NAMES,
} from "../../features/log/store.ts";
import {
  addWitness,
  nameOfWitness,
  removeWitness,
  witnessStatus,
} from "../../features/log/witness_operator.ts";
import { isContradiction } from "../../features/log/witnesses.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { keyGeneration } from "../../store/generation.ts";
import { keysPath } from "../../store/data_paths.ts";
import {
  addVerbs,
  type CommandContext,
  type DatabaseCall,
  type Said,
  type Verb,
} from "../verb.ts";

const VERBS: readonly Verb[] = [
  {
    usage: "show",
    description:
      "show the origin, the verifier key and the size of each log, for " +
      "witnesses and readers",
    example: "log show",
    access: "read",
    run: show,
  },
  {
    usage: "rebuild",
    description: "write the tiles of both logs again from the database",
    example: "log rebuild",
    access: "write",
    run: rebuild,
  },
];

const WITNESS_VERBS: readonly Verb[] = [
  {
    usage: "add <url> <verifier_key>",
    description:
      "ask a witness to cosign each checkpoint from now on; on the other " +
      "server, `strongroom witness key` prints both arguments",
    example: "log witness add https://photos.example/witness " +
      "photos.example/witness/0198c5f0+b9b9f4ed+BP…",
    access: "write",
    async run({ db, platform }, url, key) {
      const outcome = await addWitness(db, url, key, platform.now());
      const witness = nameOfWitness(key);
      return {
        json: { witness, outcome },
        lines: [
          {
            added: `${witness} is asked from now on, as soon as its operator ` +
              "has added the lines of `strongroom log show`",
            moved: `${witness} is asked at this address from now on`,
            unchanged: `${witness} was already asked`,
          }[outcome],
        ],
      };
    },
  },
  {
    usage: "ls",
    description: "list the witnesses and the last answer of each for each log",
    example: "log witness ls",
    access: "read",
    run: listWitnessStatus,
  },
  {
    usage: "rm <witness>",
    description: "stop asking a witness, given by its name, address or key",
    example: "log witness rm photos.example/witness/0198c5f0",
    access: "write",
    async run({ db }, which) {
      const witness = await removeWitness(db, which);
      return {
        json: { witness, outcome: "removed" },
        lines: [`${witness} is no longer asked`],
      };
    },
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
  const witness = log.command("witness")
    .description("the witnesses that cosign this server's logs");
  addVerbs(witness, context, WITNESS_VERBS);
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

async function listWitnessStatus({ db }: DatabaseCall): Promise<Said> {
  const all = await witnessStatus(db, await requireLife(db));
  const witnesses = [
    ...Map.groupBy(all, ({ witness }) => witness.verifier_key),
  ].map(([verifier_key, some]) => ({
    witness: nameOfWitness(verifier_key),
    url: some[0]?.witness.url ?? "",
    verifier_key,
    logs: some.map(({ origin, said }) => ({
      origin,
      size: said?.size ?? 0,
      cosigned_at: timeOf(said?.cosigned_at),
      fault: said?.fault ?? null,
      fault_since: timeOf(said?.fault_since),
    })),
  }));
  return {
    json: { witnesses },
    lines: witnesses.length === 0
      ? ["no witness is asked"]
      : witnesses.flatMap(({ url, verifier_key, logs }) => [
        verifier_key,
        `         at ${url}`,
        ...logs.map((one) => `         ${one.origin}: ${statusInWords(one)}`),
      ]),
    isBad: all.some(({ said }) => isContradiction(said?.fault ?? null)),
  };
}

const FAULTS: Readonly<Record<string, string>> = {
  silent: "does not answer",
  busy: "asks to wait",
  unknown_log: "its operator has not added this log",
  signature_refused: "its operator has added another key of this log",
  wrong_answer: "it does not answer as a witness with this key",
  ahead: "has seen a larger log than this server has",
  contradicts: "has seen another log than this server has",
};

function statusInWords(
  { size, cosigned_at, fault, fault_since }: {
    readonly size: number;
    readonly cosigned_at: string | null;
    readonly fault: string | null;
    readonly fault_since: string | null;
  },
): string {
  if (fault !== null) {
    return `${FAULTS[fault] ?? fault}, since ${fault_since ?? "now"}`;
  }
  return cosigned_at === null
    ? "not asked yet"
    : `${entriesInWords(size)}, cosigned ${cosigned_at}`;
}

function timeOf(instant: number | null | undefined): string | null {
  return typeof instant === "number" ? toRfc3339(instant) : null;
}

async function requireLife(db: Db): Promise<Life> {
  const life = await lastLife(db);
  if (life !== undefined) return life;
  throw new OperatorFault(
    "there are no logs yet: start the server once",
  );
}

/** A number of entries in words. */
export function entriesInWords(count: number): string {
  return `${numberInWords(count)} ${count === 1 ? "entry" : "entries"}`;
}
