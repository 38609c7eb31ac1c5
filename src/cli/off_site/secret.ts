/**
 * What backups off the premises are sealed by: of the settings, of a file, or
 * typed by a person, and never of the command line.
 *
 * @module
 */
import type { OffSiteSettings } from "../../core/off_site_settings.ts";
import { OperatorFault } from "../../core/operator.ts";
import { reasonOf } from "../../core/reason.ts";
import type { Secret } from "../../store/off_site/header.ts";
import { CREDENTIALS, type Environment } from "../environment.ts";
import { TypedLines } from "../account_password.ts";
import type { Streams } from "../streams.ts";

const FILE_MAX_BYTES = 16 * 1024;
const OTHERS = 0o077;
/** Fewer characters of a new passphrase are soon tried. */
const LEAST = 12;

export interface SecretPlace {
  readonly settings: OffSiteSettings;
  readonly streams: Streams;
  readonly environment: Environment | undefined;
}

/** The secret of a backup; one that is new is asked for twice. */
export async function secretOf(
  { settings, streams, environment }: SecretPlace,
  { isNew }: { readonly isNew: boolean },
): Promise<Secret> {
  const { keyFile } = settings;
  if (keyFile !== undefined) {
    const text = await lineOf(keyFile, environment);
    if (!/^[0-9a-f]{64}$/.test(text)) {
      throw new OperatorFault(
        `${keyFile} holds no key: 64 hex digits on its first line, as ` +
          "openssl rand -hex 32 makes them",
      );
    }
    return { kind: "key_file", key: Uint8Array.fromHex(text) };
  }
  const passphrase = settings.passphraseFile !== undefined
    ? await lineOf(settings.passphraseFile, environment)
    : settings.passphrase ?? await typed(streams, isNew);
  if (isNew && [...passphrase].length < LEAST) {
    throw new OperatorFault(
      `a passphrase of fewer than ${LEAST} characters is soon guessed by ` +
        "whoever has the backup: take a longer one",
    );
  }
  return { kind: "passphrase", passphrase };
}

async function typed(streams: Streams, isNew: boolean): Promise<string> {
  const { stdin } = streams;
  if (!stdin.isTerminal()) {
    throw new OperatorFault(
      "there is no terminal to ask for the passphrase on: set " +
        "STRONGROOM_BACKUP_PASSPHRASE_FILE or STRONGROOM_BACKUP_KEY_FILE",
    );
  }
  const lines = new TypedLines(
    "no passphrase was given: nothing was done",
    streams,
  );
  stdin.setRaw(true);
  try {
    const passphrase = await lines.ask("Passphrase of the backup: ");
    if (!isNew || await lines.ask("Once more: ") === passphrase) {
      return passphrase;
    }
  } finally {
    stdin.setRaw(false);
  }
  throw new OperatorFault(
    "the two passphrases differ: nothing was done, begin again",
  );
}

/** The first line of a file that nobody else may read. */
async function lineOf(
  path: string,
  environment: Environment | undefined,
): Promise<string> {
  const credentials = environment?.[CREDENTIALS] ??
    (environment === undefined ? Deno.env.get(CREDENTIALS) : undefined);
  let text: string;
  try {
    const { mode, size } = await Deno.stat(path);
    // systemd alone says who reads its credentials.
    const isCredential = credentials !== undefined &&
      path.startsWith(`${credentials}/`);
    if (mode !== null && (mode & OTHERS) !== 0 && !isCredential) {
      throw new OperatorFault(
        `${path} opens the backup and is open to others: chmod 600 ${path}`,
      );
    }
    if (size > FILE_MAX_BYTES) throw new OperatorFault(`${path} is too large`);
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof OperatorFault) throw error;
    throw new OperatorFault(
      `${path} cannot be read (${reasonOf(error)}): see to it, and run this ` +
        "again",
    );
  }
  const [line = ""] = text.split(/\r?\n/);
  if (line !== "") return line;
  throw new OperatorFault(`${path} is empty on its first line`);
}
