/**
 * `strongroom keys`: which keys the server signs with, and their rotation.
 *
 * @module
 */
import type { Command } from "commander";
import { canonicalOrigin, type Config } from "../../config.ts";
import { toRfc3339 } from "../../core/time.ts";
import {
  type ListedKey,
  listKeys,
  rotateKey,
} from "../../features/keys/keys.ts";
import type { RotatedPurpose } from "../../features/keys/rings.ts";
import { listNames } from "../../features/keys/store.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { keysPath } from "../../store/data_paths.ts";
import {
  addVerbs,
  type CommandContext,
  type DatabaseCall,
  type Said,
  type Verb,
} from "../verb.ts";

/** What rotating a key means for what it has signed. */
const ROTATIONS: Readonly<Record<RotatedPurpose, string>> = {
  access: "sign access and capability tokens with a new key; tokens signed " +
    "with the old key work for 24 more hours",
  attestation:
    "sign receipts with a new key; the old key stays published, so its " +
    "receipts verify forever",
  log: "sign the checkpoints of the public logs with a new key; the old " +
    "key vouches for it, and both are published",
};

const LIST: Verb = {
  usage: "list",
  description: "list every key that ever signed, oldest first; never shows " +
    "private keys",
  example: "keys list",
  access: "read",
  async run({ db, config, platform }) {
    const listed = await listKeys(db, placeOf(config));
    const now = platform.now();
    return {
      json: { keys: listed.map(toJson) },
      lines: listed.map((key) => toLine(key, now)),
    };
  },
};

/** Adds `keys list` and `keys rotate` to the program. */
export function addKeyCommands(
  program: Command,
  context: CommandContext,
): void {
  const keys = program.command("keys")
    .description("the keys that the server signs with");
  addVerbs(keys, context, [LIST]);
  const rotate = keys.command("rotate")
    .description("replace a key with a new one");
  addVerbs(
    rotate,
    context,
    (["access", "attestation", "log"] as const).map((purpose): Verb => ({
      usage: purpose,
      description: ROTATIONS[purpose],
      example: `keys rotate ${purpose}`,
      access: "write",
      run: (call) => rotateOne(call, purpose),
    })),
  );
}

async function rotateOne(
  { db, config, platform }: DatabaseCall,
  purpose: RotatedPurpose,
): Promise<Said> {
  const place = placeOf(config);
  const name = (await listNames(db)).at(-1);
  await rotateKey(db, place, purpose, {
    now: platform.now,
    random: platform.random,
    serverId: name?.server_id ?? canonicalOrigin(config) ?? "http://localhost",
  });
  const [retired, active] = (await listKeys(db, place))
    .filter((key) => key.purpose === purpose)
    .slice(-2);
  if (retired === undefined || active === undefined) {
    throw new Error("a rotation left fewer than two keys");
  }
  return {
    json: { active: toJson(active), retired: toJson(retired) },
    lines: [
      `${purpose} key ${active.keyId} signs from now on`,
      ...active.activeFrom > platform.now()
        ? [
          `its time begins at ${toRfc3339(active.activeFrom)}, the date of ` +
          "the newest receipt: this machine's clock is behind that, or was " +
          "ahead then",
        ]
        : [],
      retired.graceEndsAt === null
        ? `${retired.keyId} is retired: its signatures verify forever`
        : `${retired.keyId} is retired: its tokens are valid until ` +
          toRfc3339(retired.graceEndsAt),
    ],
  };
}

function placeOf({ STRONGROOM_DATA_DIR: root }: Config) {
  return { files: denoFiles, directory: keysPath(root) };
}

function toJson({ purpose, keyId, ...times }: ListedKey) {
  const { activeFrom, activeTo, graceEndsAt } = times;
  return {
    purpose,
    key_id: keyId,
    active_from: toRfc3339(activeFrom),
    active_to: activeTo === null ? null : toRfc3339(activeTo),
    grace_ends_at: graceEndsAt === null ? null : toRfc3339(graceEndsAt),
  };
}

function toLine(key: ListedKey, now: number): string {
  const { purpose, keyId, activeFrom, activeTo, graceEndsAt } = key;
  const grace = graceEndsAt === null
    ? ""
    : graceEndsAt > now
    ? `, its tokens are valid until ${toRfc3339(graceEndsAt)}`
    : ", its tokens have expired";
  const until = activeTo === null ? "active" : `to ${toRfc3339(activeTo)}`;
  return `${purpose.padEnd(11)}  ${keyId}  from ${toRfc3339(activeFrom)} ` +
    `${until}${grace}`;
}
