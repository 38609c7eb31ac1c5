/**
 * What backups off the premises are sealed by: of the settings, of a file, or
 * typed by a person, and never of the command line.
 *
 * @module
 */
import type { RemoteBackupSettings } from "../../../core/remote_backup_settings.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { secretLine } from "../../../core/secret_line.ts";
import type { Secret } from "../../../store/remote/backup/header.ts";
import { readSecretFile } from "../../../store/remote/backup/secret_file.ts";
import { CREDENTIALS, type Environment } from "../../environment.ts";
import { TypedLines } from "../../operator/account_password.ts";
import type { Streams } from "../../streams.ts";

const FROM_SETTINGS = "set STRONGROOM_BACKUP_PASSPHRASE_FILE or " +
  "STRONGROOM_BACKUP_KEY_FILE";
/** Fewer characters of a new passphrase are soon tried. */
const LEAST = 12;

interface SecretPlace {
  readonly settings: RemoteBackupSettings;
  readonly streams: Streams;
  readonly environment: Environment | undefined;
}

/** The secret of a backup; a new one is asked for twice. */
export async function secretOf(
  { settings, streams, environment }: SecretPlace,
  { isNew }: { readonly isNew: boolean },
): Promise<Secret> {
  const { keyFile } = settings;
  if (keyFile !== undefined) return await keyIn(keyFile, environment);
  const passphrase = settings.passphraseFile !== undefined
    ? await lineOf(settings.passphraseFile, environment)
    : settings.passphrase ?? await typed(streams, isNew ? "new" : "known");
  if (isNew) requireLong(passphrase);
  return { kind: "passphrase", passphrase };
}

export interface NextSecretOptions {
  readonly newPassphraseFile?: string;
  readonly newKeyFile?: string;
}

/**
 * The secret that a backup is to have; asked for twice where no file is named.
 */
export async function nextSecretOf(
  { newPassphraseFile, newKeyFile }: NextSecretOptions,
  { streams, environment }: Omit<SecretPlace, "settings">,
): Promise<Secret> {
  if (newPassphraseFile !== undefined && newKeyFile !== undefined) {
    throw new OperatorFault(
      "--new-passphrase-file and --new-key-file are both given: give " +
        "only one",
    );
  }
  if (newKeyFile !== undefined) return await keyIn(newKeyFile, environment);
  const passphrase = newPassphraseFile !== undefined
    ? await lineOf(newPassphraseFile, environment)
    : await typed(streams, "next");
  requireLong(passphrase);
  return { kind: "passphrase", passphrase };
}

async function keyIn(
  path: string,
  environment: Environment | undefined,
): Promise<Secret> {
  const text = await lineOf(path, environment);
  if (/^[0-9a-f]{64}$/.test(text)) {
    return { kind: "key_file", key: Uint8Array.fromHex(text) };
  }
  throw new OperatorFault(
    `${path} contains no key: its first line must be 64 hex digits, as ` +
      "openssl rand -hex 32 makes them",
  );
}

function requireLong(passphrase: string): void {
  if ([...passphrase].length >= LEAST) return;
  throw new OperatorFault(
    `a passphrase of fewer than ${LEAST} characters is easy to guess ` +
      "for anyone who has the backup: choose a longer one",
  );
}

/** How a passphrase is asked for, and what to give without a terminal. */
const ASKED = {
  known: ["Passphrase of the backup: ", FROM_SETTINGS],
  new: ["Passphrase of the backup: ", FROM_SETTINGS],
  next: ["New passphrase: ", "give --new-passphrase-file or --new-key-file"],
} as const;

async function typed(
  streams: Streams,
  which: keyof typeof ASKED,
): Promise<string> {
  const { stdin } = streams;
  const [question, otherwise] = ASKED[which];
  if (!stdin.isTerminal()) {
    throw new OperatorFault(
      `there is no terminal to ask for the passphrase: ${otherwise}`,
    );
  }
  const lines = new TypedLines(
    "no passphrase was given, so nothing was done",
    streams,
  );
  stdin.setRaw(true);
  try {
    const passphrase = await lines.ask(question);
    if (which === "known" || await lines.ask("Once more: ") === passphrase) {
      return passphrase;
    }
  } finally {
    stdin.setRaw(false);
  }
  throw new OperatorFault(
    "the two passphrases differ, so nothing was done: run this again",
  );
}

/** The first line of a file that no one else may read. */
async function lineOf(
  path: string,
  environment: Environment | undefined,
): Promise<string> {
  const text = await readSecretFile(path, credentialsOf(environment));
  const line = secretLine(text, path);
  if (line !== "") return line;
  throw new OperatorFault(`the first line of ${path} is empty`);
}

/** Where systemd puts the credentials of this process, if it does. */
export function credentialsOf(
  environment: Environment | undefined,
): string | undefined {
  return environment === undefined
    ? Deno.env.get(CREDENTIALS)
    : environment[CREDENTIALS];
}
