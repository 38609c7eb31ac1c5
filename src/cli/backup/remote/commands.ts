/**
 * `strongroom backup list`, `prune` and `unlock`, and `backup verify` of what
 * lies off the premises.
 *
 * @module
 */
import type { Command } from "commander";
import { OperatorFault } from "../../../core/operator.ts";
import { blobsInWords, bytesInWords, counted } from "../../../core/sizes.ts";
import {
  type GenerationName,
  listGenerations,
  readGeneration,
} from "../../../features/backup/remote_backup/generation.ts";
import { unlock } from "../../../features/backup/remote_backup/lock.ts";
import { prune } from "../../../features/backup/remote_backup/prune.ts";
import { verifyRemoteBackup } from "../../../features/backup/remote_backup/verify.ts";
import { denoFiles } from "../../../store/files/deno_files.ts";
import type { Repository } from "../../../store/remote/backup/repository.ts";
import { toHex } from "../../../core/bytes.ts";
import { findingLines } from "../backup_damage.ts";
import { blobProgress } from "../backup_place.ts";
import {
  addVerb,
  type Call,
  type CommandContext,
  type Said,
} from "../../verb.ts";
import { addPassphraseCommand } from "./passphrase.ts";
import { onRepository, withLock } from "./place.ts";
import { POLICY_OPTIONS, policyOf, type PolicyOptions } from "./policy.ts";

/** Adds them to `backup`. */
export function addRemoteBackupCommands(
  backup: Command,
  context: CommandContext,
): void {
  addVerb(backup, context, {
    usage: "list <place>",
    description: "list the generations of a remote backup",
    example: "backup list s3://backups/strongroom",
    run: runList,
  });
  addVerb(backup, context, {
    usage: "prune <place>",
    description:
      "remove the generations that no --keep rule keeps, and the objects " +
      "that only they needed",
    options: [
      ...POLICY_OPTIONS,
      ["--dry-run", "list what would be removed, and remove nothing"],
    ],
    example: "backup prune s3://backups/strongroom --keep-daily 7 " +
      "--keep-weekly 5 --keep-monthly 12",
    run: runPrune,
  });
  addVerb(backup, context, {
    usage: "unlock <place>",
    description:
      "remove locks that have not been renewed for half an hour, left by " +
      "killed commands",
    options: [
      [
        "--force",
        "remove all locks; use it only if you know that no command runs",
      ],
    ],
    example: "backup unlock s3://backups/strongroom",
    run: runUnlock,
  });
  addPassphraseCommand(backup, context);
}

async function runList(call: Call, name: string): Promise<Said> {
  const rows = await onRepository(
    call,
    name,
    async (repository) =>
      await Promise.all(
        (await listGenerations(repository)).map((one) => row(repository, one)),
      ),
  );
  const bad = rows.filter(({ state }) => state !== "whole");
  return {
    json: { target: name, generations: rows },
    lines: rows.length === 0
      ? [`${name} has no generation yet`]
      : rows.map(({ generation, made_at, blobs, state }) =>
        `${generation}  ${made_at ?? "?"}  ` +
        (blobs === null ? `its record is ${state}` : blobsInWords(blobs))
      ),
    isBad: bad.length > 0,
  };
}

async function row(repository: Repository, name: GenerationName) {
  const read = await readGeneration(repository, name);
  const { number: generation, key } = name;
  if (typeof read === "string") {
    return { generation, key, state: read, made_at: null, blobs: null };
  }
  const { made_at, blobs } = read.record.snapshot;
  return { generation, key, state: "whole" as const, made_at, blobs };
}

async function runPrune(
  call: Call<PolicyOptions & { readonly dryRun?: true }>,
  name: string,
): Promise<Said> {
  const policy = policyOf(call.options);
  if (policy === undefined) {
    throw new OperatorFault(
      "without a rule, every generation would be removed: give " +
        "--keep-last, --keep-daily, --keep-weekly, --keep-monthly or " +
        "--keep-yearly",
    );
  }
  const dryRun = call.options.dryRun === true;
  const report = await onRepository(call, name, (repository) =>
    withLock(
      call,
      repository,
      dryRun ? "read" : "write",
      (lock) => prune(repository, lock, policy, { sweep: true, dryRun }),
    ));
  const { kept, removed, objects } = report;
  return {
    json: {
      target: name,
      dry_run: dryRun,
      kept: kept.map(({ generation, rules }) => ({
        generation: generation.number,
        made_at: generation.record.snapshot.made_at,
        rules,
      })),
      removed: removed.map(({ number }) => number),
      removed_objects: objects,
    },
    lines: [
      ...kept.map(({ generation, rules }) =>
        `keep ${generation.number}  ${generation.record.snapshot.made_at}  ` +
        rules.join(", ")
      ),
      ...removed.map(({ number, record }) =>
        `${dryRun ? "would remove" : "removed"} ${number}  ` +
        record.snapshot.made_at
      ),
      ...dryRun
        ? []
        : [`${counted(objects, "object")} removed that no generation needs`],
    ],
  };
}

async function runUnlock(
  call: Call<{ readonly force?: true }>,
  name: string,
): Promise<Said> {
  const { platform, options } = call;
  const owner = toHex(platform.random(16));
  const { removed, left } = await onRepository(
    call,
    name,
    (repository) =>
      unlock({ repository, platform, owner }, {
        force: options.force === true,
      }),
  );
  return {
    json: { target: name, removed, left },
    lines: [
      `${counted(removed, "lock")} removed` +
      (left === 0
        ? ""
        : `, ${left} left that were renewed in the last half hour`),
    ],
  };
}

/** `backup verify s3://…` */
export async function runRemoteBackupVerify(
  call: Call<{ readonly deep?: true }>,
  name: string,
): Promise<Said> {
  const deep = call.options.deep === true;
  const report = await onRepository(
    call,
    name,
    (repository) =>
      withLock(call, repository, "read", async () => {
        const work = await Deno.makeTempDir({ prefix: "strongroom-" });
        const progress = blobProgress(call, "verifying");
        try {
          return await verifyRemoteBackup(denoFiles, repository, {
            ...{ deep, work },
            onProgress: progress.show,
          });
        } finally {
          progress.end();
          await Deno.remove(work, { recursive: true });
        }
      }),
  );
  const { generations, findings, found, objects, receipts, leftovers } = report;
  return {
    json: {
      target: name,
      deep,
      generations: generations.map(({ number, record }) => ({
        generation: number,
        made_at: record.snapshot.made_at,
        blobs: record.snapshot.blobs,
      })),
      objects,
      receipts: receipts ?? null,
      leftovers,
      found,
      findings,
    },
    lines: [
      ...findingLines(report),
      ...leftovers > 0
        ? [
          `${counted(leftovers, "object")} belong to no generation: ` +
          "`strongroom backup prune` removes them",
        ]
        : [],
      `${counted(generations.length, "generation")}, ` +
      `${counted(objects.count, "object")} of ${
        bytesInWords(objects.bytes)
      }, ` +
      (found > 0
        ? counted(found, "fault")
        : deep
        ? "every byte as it was sent"
        : "all of them exist; --deep reads every byte"),
    ],
    isBad: found > 0,
  };
}
