/**
 * Places off the premises for a test: a bucket of s3rver, and a directory.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withRoom } from "./backups.ts";
import { withBucket } from "./bucket.ts";
import type { Json } from "./expect.ts";
import { type EndedProgram, runProgram } from "./program.ts";
import { hasSshd, type Sshd, withSshd } from "./sshd.ts";

const PASSPHRASE = "twelve tame owls on a wire";

export interface RemoteBackupPlace {
  /** As the command line names it. */
  readonly name: string;
  readonly settings: Record<string, string>;
  /** The keys of its objects, in order. */
  readonly keys: () => Promise<string[]>;
  /** The file of an object, to look into or to spoil. */
  readonly fileOf: (key: string) => string;
  /** A directory for a test. */
  readonly room: string;
}

export type PlaceKind = "a bucket" | "a directory" | "a machine over SSH";

export const PLACES: readonly PlaceKind[] = [
  "a bucket",
  "a directory",
  ...hasSshd() ? ["a machine over SSH" as const] : [],
];

/** Hands a place to a test. */
export async function withPlace(
  kind: PlaceKind,
  test: (place: RemoteBackupPlace) => Promise<void>,
  running?: Sshd,
): Promise<void> {
  await withRoom(async (room) => {
    // A passphrase would take most of a test's time.
    const keyFile = `${room}/backup-key`;
    await Deno.writeTextFile(keyFile, "5a".repeat(32), { mode: 0o600 });
    const secret = { STRONGROOM_BACKUP_KEY_FILE: keyFile };
    if (kind === "a directory") {
      const root = `${room}/usb`;
      return await test({
        name: `file://${root}`,
        settings: secret,
        keys: () => keysUnder(root),
        fileOf: (key) => `${root}/${key}`,
        room,
      });
    }
    if (kind === "a machine over SSH") {
      const root = `${room}/remote`;
      const over = ({ at, keyFile, hostKey }: Sshd) =>
        test({
          name: `sftp://${at}${root}`,
          settings: {
            ...secret,
            STRONGROOM_BACKUP_SFTP_KEY_FILE: keyFile,
            STRONGROOM_BACKUP_SFTP_HOST_KEY: hostKey,
          },
          keys: () => keysUnder(root),
          fileOf: (key) => `${root}/${key}`,
          room,
        });
      return running === undefined ? await withSshd(over) : await over(running);
    }
    await withBucket(async ({ settings, keys, pathOf }) => {
      await test({
        name: "s3://photos/home/backup",
        settings: {
          ...secret,
          STRONGROOM_BACKUP_S3_ENDPOINT: settings["STRONGROOM_S3_ENDPOINT"] ??
            "",
          STRONGROOM_BACKUP_S3_ACCESS_KEY_ID: "S3RVER",
          STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY: "S3RVER",
        },
        keys: async () =>
          (await keys()).map((key) => key.replace("home/backup/", "")),
        fileOf: (key) => pathOf(`home/backup/${key}`),
        room,
      });
    });
  });
}

async function keysUnder(root: string, at = ""): Promise<string[]> {
  const keys: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${root}/${at}`)) {
    const path = at === "" ? name : `${at}/${name}`;
    if (isDirectory) keys.push(...await keysUnder(root, path));
    else keys.push(path);
  }
  return keys.toSorted();
}

/** The same place, and what seals it is a passphrase. */
export function withPassphrase(
  place: RemoteBackupPlace,
  passphrase = PASSPHRASE,
): RemoteBackupPlace {
  const { STRONGROOM_BACKUP_KEY_FILE: _, ...settings } = place.settings;
  return {
    ...place,
    settings: { ...settings, STRONGROOM_BACKUP_PASSPHRASE: passphrase },
  };
}

/** Runs a command on a place, however it ends. */
export function onPlace(
  { settings }: Pick<RemoteBackupPlace, "settings">,
  ...args: readonly string[]
): Promise<EndedProgram> {
  return runProgram([...args, "--json"], settings);
}

/** The same for one that is done; returns its answer. */
export async function doneOn(
  place: Pick<RemoteBackupPlace, "settings">,
  ...args: readonly string[]
): Promise<Json> {
  const ended = await onPlace(place, ...args);
  assert.equal(ended.status, 0, ended.stderr + ended.stdout);
  assert.equal(ended.stderr, "");
  return JSON.parse(ended.stdout);
}

/** The same for one that is refused with one line and does nothing. */
export async function refusedOn(
  place: Pick<RemoteBackupPlace, "settings">,
  ...args: readonly string[]
): Promise<string> {
  const ended = await onPlace(place, ...args);
  assert.equal(ended.status, 1, ended.stdout);
  assert.equal(ended.stdout, "");
  assert.match(ended.stderr, /^strongroom: [^\n]+\n$/);
  return ended.stderr;
}

/** What a verification finds, as `kind subject`. */
export async function foundOn(
  { name, ...place }: RemoteBackupPlace,
  ...more: readonly string[]
): Promise<string[]> {
  const ended = await onPlace(place, "backup", "verify", name, ...more);
  assert.equal(ended.stderr, "");
  const { findings, found } = JSON.parse(ended.stdout);
  assert.equal(ended.status, found === 0 ? 0 : 1);
  return findings.map(({ kind, subject }: Json) => `${kind} ${subject}`);
}

/** Those of the keys that begin so. */
export async function keysOf(
  { keys }: RemoteBackupPlace,
  under: string,
): Promise<string[]> {
  return (await keys()).filter((key) => key.startsWith(under));
}
