/**
 * `strongroom witness`: the logs whose checkpoints this server cosigns.
 *
 * @module
 */
import type { Command } from "commander";
import { OperatorFault } from "../../core/operator.ts";
import { toRfc3339 } from "../../core/time.ts";
import { verifierKey } from "../../crypto/logs/signed_note.ts";
import { openCosigner } from "../../features/witness/identity.ts";
import { unwitnessLog, witnessLog } from "../../features/witness/operator.ts";
import {
  keysOfLog,
  listWitnessed,
  type WitnessedRow,
} from "../../features/witness/store.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { keysPath } from "../../store/data_paths.ts";
import { entriesInWords } from "./log.ts";
import {
  addVerbs,
  type CommandContext,
  type DatabaseCall,
  type Said,
  type Verb,
} from "../verb.ts";

const VERBS: readonly Verb[] = [
  {
    usage: "key",
    description:
      "show the address at which this server cosigns and its verifier " +
      "key, for the operator of another server",
    example: "witness key",
    access: "read",
    run: showKey,
  },
  {
    usage: "add <origin> <verifier_key>",
    description:
      "cosign the checkpoints of a log from now on, if each follows the " +
      "one before; on the other server, `strongroom log show` prints " +
      "both arguments. If you add another key of the same log, both are " +
      "accepted",
    example: "witness add photos.example/keys/0198c5f0 " +
      "photos.example/keys/0198c5f0+b9b9f4ed+Af…",
    access: "write",
    async run({ db, config, platform }, origin, key) {
      const isNew = await witnessLog(db, origin, key, platform.now());
      const isOn = config.STRONGROOM_WITNESS === "on";
      return {
        json: { origin, outcome: isNew ? "added" : "unchanged" },
        lines: [
          isNew
            ? `${origin} is witnessed from now on`
            : `${origin} was already witnessed with this key`,
          ...isOn
            ? []
            : ["nothing is cosigned until STRONGROOM_WITNESS=on is set"],
        ],
      };
    },
  },
  {
    usage: "ls",
    description:
      "list the witnessed logs, the last checkpoint of each, and logs " +
      "that contradicted themselves",
    example: "witness ls --json",
    access: "read",
    run: list,
  },
  {
    usage: "rm <origin>",
    description:
      "stop cosigning a log; its last checkpoint counts again if you add " +
      "it again",
    example: "witness rm photos.example/keys/0198c5f0",
    access: "write",
    async run({ db, platform }, origin) {
      await unwitnessLog(db, origin, platform.now());
      return {
        json: { origin, outcome: "removed" },
        lines: [`${origin} is no longer witnessed`],
      };
    },
  },
];

/** Adds `witness key`, `add`, `ls` and `rm` to the program. */
export function addWitnessCommands(
  program: Command,
  context: CommandContext,
): void {
  const witness = program.command("witness")
    .description("the logs of other servers that this one cosigns");
  addVerbs(witness, context, VERBS);
}

async function showKey({ db, config }: DatabaseCall): Promise<Said> {
  const cosigner = await openCosigner(db, {
    files: denoFiles,
    directory: keysPath(config.STRONGROOM_DATA_DIR),
  });
  if (cosigner === undefined) {
    throw new OperatorFault(
      "there is no key yet: start the server once",
    );
  }
  const server = await db.selectFrom("server_name")
    .select("server_id")
    .where("ended_at", "is", null)
    .executeTakeFirst();
  const url = `${server?.server_id ?? ""}/witness`;
  const verifier_key = verifierKey(cosigner.key);
  const isOn = config.STRONGROOM_WITNESS === "on";
  return {
    json: { url, verifier_key, is_on: isOn },
    lines: [
      "to get this server's cosignatures, the other operator runs",
      `strongroom log witness add ${url} ${verifier_key}`,
      ...isOn ? [] : ["and gets none until STRONGROOM_WITNESS=on is set here"],
    ],
  };
}

async function list({ db }: DatabaseCall): Promise<Said> {
  const rows = await listWitnessed(db);
  const logs = [];
  for (const row of rows) {
    const keys = await keysOfLog(db, row.origin);
    logs.push({
      origin: row.origin,
      verifier_keys: keys.map(({ verifier_key }) => verifier_key),
      size: row.size,
      cosigned_at: timeOf(row.cosigned_at),
      contradicted_at: timeOf(row.contradicted_at),
      ...row.contradiction === null
        ? {}
        : { checkpoints: [row.forked_note, row.contradiction] },
    });
  }
  return {
    json: { logs },
    lines: rows.length === 0 ? ["no log is witnessed"] : rows.flatMap(linesOf),
    isBad: rows.some(({ contradiction }) => contradiction !== null),
  };
}

function linesOf(row: WitnessedRow): string[] {
  const { origin, size, cosigned_at, contradicted_at } = row;
  return [
    origin,
    cosigned_at === null
      ? "         nothing cosigned yet"
      : `         ${entriesInWords(size)}, cosigned ${toRfc3339(cosigned_at)}`,
    ...contradicted_at === null ? [] : [
      "         contradicted itself " + toRfc3339(contradicted_at) +
      ": it signed two trees of one size (--json has both checkpoints)",
    ],
  ];
}

function timeOf(instant: number | null): string | null {
  return instant === null ? null : toRfc3339(instant);
}
