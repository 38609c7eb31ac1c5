/**
 * `strongroom backup passphrase`: another passphrase, or key file, for a backup
 * off the premises.
 *
 * @module
 */
import type { Command } from "commander";
import { OperatorFault } from "../../../core/operator.ts";
import { HEADER } from "../../../store/remote/backup/header.ts";
import {
  addVerb,
  type Call,
  type CommandContext,
  type Said,
} from "../../verb.ts";
import { onRepository, withLock } from "./place.ts";
import { nextSecretOf, type NextSecretOptions } from "./secret.ts";

const KINDS = {
  passphrase: "passphrase",
  key_file: "key file",
} as const;

/** Adds it to `backup`. */
export function addPassphraseCommand(
  backup: Command,
  context: CommandContext,
): void {
  addVerb(backup, context, {
    usage: "passphrase <place>",
    description:
      "change the passphrase or key file of a remote backup, so that the " +
      "old one no longer opens it; a new passphrase is asked for on the " +
      "terminal",
    options: [
      [
        "--new-passphrase-file <file>",
        "a file whose first line is the new passphrase",
      ],
      ["--new-key-file <file>", "a key file that opens the backup from now on"],
    ],
    example: "backup passphrase s3://backups/strongroom",
    run: runPassphrase,
  });
}

async function runPassphrase(
  call: Call<NextSecretOptions>,
  name: string,
): Promise<Said> {
  const kind = await onRepository(call, name, async (repository) => {
    const next = await nextSecretOf(call.options, {
      streams: call.streams,
      environment: call.environment,
    });
    // A backup that runs meanwhile would find another header than it read.
    await withLock(call, repository, "write", async (lock) => {
      if (!await repository.isStillThis()) {
        throw new OperatorFault(
          `someone changed the passphrase of ${name} meanwhile, so nothing was ` +
            "changed here: run this again with the passphrase that is set now",
        );
      }
      try {
        await repository.reseal(next);
      } catch (error) {
        // What was sent may arrive yet, and after it nothing else may be there.
        lock.age();
        throw error;
      }
    });
    return next.kind;
  });
  return {
    json: { target: name, opened_by: kind },
    lines: [
      `from now on, the new ${KINDS[kind]} opens ${name}: put it into ` +
      "the settings of every machine that backs up there, and keep a new " +
      "copy of " +
      HEADER,
    ],
  };
}
