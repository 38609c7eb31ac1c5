/**
 * Generations: what each backup in a place off the premises consists of. It is
 * there once its record is, which is put last, and at once.
 *
 * @module
 */
import { z } from "zod";
import { fromUtf8, toHex, utf8 } from "../../../core/bytes.ts";
import { OperatorFault } from "../../../core/operator.ts";
import type { Repository } from "../../../store/remote/backup/repository.ts";
import { sealedSize } from "../../../store/remote/backup/sealing.ts";
import { Snapshot } from "../manifest.ts";

const GENERATIONS = "generations/";
const KEY = /^generations\/(\d{8})-[0-9a-f]{16}$/;
const RECORD_MAX_BYTES = 64 * 1024 * 1024;
/** A database goes in pieces of this size (bytes). */
export const PIECE_BYTES = 4 * 1024 * 1024;

const objectName = z.string().regex(/^[0-9a-f]{64}$/);

const Record = z.strictObject({
  format: z.literal(1),
  /** Version of the program that wrote it. */
  program: z.string(),
  attestation_key: z.string().regex(/^[0-9a-f]{64}$/),
  snapshot: Snapshot,
  /** The key files, base64. */
  keys: z.strictObject({
    "keys/access.json": z.base64(),
    "keys/attestation.json": z.base64(),
    "keys/sealing.json": z.base64(),
    "keys/log.json": z.base64(),
  }),
  /** The pieces of the database, all of them of one size but the last. */
  database: z.array(objectName),
  piece_bytes: z.literal(PIECE_BYTES),
  /** The objects that name all others, and the bytes of their content. */
  index: z.array(z.strictObject({ name: objectName, bytes: z.int().min(1) })),
});

export type GenerationRecord = z.infer<typeof Record>;

const Newer = z.looseObject({ format: z.int().min(2).max(99) });

/** A generation, as a list has it. */
export interface GenerationName {
  /** Counted from 1 on, whatever a clock says. */
  readonly number: number;
  readonly key: string;
  /** Of its record as it lies there, sealed (bytes). */
  readonly bytes: number;
}

export interface Generation extends GenerationName {
  readonly record: GenerationRecord;
}

/** Every generation, oldest first. */
export async function listGenerations(
  { remote }: Repository,
): Promise<GenerationName[]> {
  const found: GenerationName[] = [];
  for await (const page of remote.list(GENERATIONS)) {
    for (const { key, size: bytes } of page) {
      const number = KEY.exec(key)?.[1];
      if (number === undefined) continue;
      found.push({ number: Number(number), key, bytes });
    }
  }
  return found.toSorted((a, b) =>
    a.number - b.number || (a.key < b.key ? -1 : 1)
  );
}

/** Reads one; what keeps it from being read is an answer. */
export async function readGeneration(
  repository: Repository,
  name: GenerationName,
): Promise<Generation | "missing" | "damaged" | "newer"> {
  const bytes = await repository.record(name.key, RECORD_MAX_BYTES);
  if (typeof bytes === "string") return bytes;
  const read: unknown = JSON.parse(fromUtf8(bytes) ?? "null");
  if (Newer.safeParse(read).success) return "newer";
  const record = Record.safeParse(read);
  return record.success ? { ...name, record: record.data } : "damaged";
}

const HOW = {
  missing: "is missing",
  damaged: "was changed since the backup",
  newer: "was made by a newer program: run that one",
} as const;

/** Reads one, or says what is wrong with it ({@link OperatorFault}). */
export async function requireGeneration(
  repository: Repository,
  name: GenerationName,
): Promise<Generation> {
  const read = await readGeneration(repository, name);
  if (typeof read === "object") return read;
  throw new OperatorFault(
    `generation ${name.number} of ${repository.name} (${name.key}) ` +
      `${HOW[read]}; \`strongroom backup list ${repository.name}\` lists ` +
      "the others",
  );
}

/** The one that is asked for, or the newest. */
export async function chooseGeneration(
  repository: Repository,
  asked: number | undefined,
): Promise<GenerationName> {
  const all = await listGenerations(repository);
  const chosen = asked === undefined
    ? all.at(-1)
    : all.find(({ number }) => number === asked);
  if (chosen !== undefined) return chosen;
  throw new OperatorFault(
    asked === undefined
      ? `${repository.name} contains no complete backup: make one with ` +
        `\`strongroom backup ${repository.name}\``
      : `${repository.name} has no generation ${asked}: \`strongroom ` +
        `backup list ${repository.name}\` lists them`,
  );
}

/** Puts the record of a new one in place, at once. */
export async function putGeneration(
  repository: Repository,
  number: number,
  record: GenerationRecord,
  random: (length: number) => Uint8Array,
): Promise<GenerationName> {
  const digits = String(number).padStart(8, "0");
  const key = `${GENERATIONS}${digits}-${toHex(random(8))}`;
  const bytes = utf8(JSON.stringify(Record.parse(record)));
  if (bytes.length > RECORD_MAX_BYTES) {
    throw new OperatorFault("the database is too large for one generation");
  }
  await repository.putRecord(key, bytes);
  return { number, key, bytes: sealedSize(bytes.length) };
}

/** What a generation's number is asked for by. */
export function parseGeneration(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new OperatorFault(
    `${JSON.stringify(text)} is not a generation: give its number, as ` +
      "`strongroom backup list` shows it",
  );
}
