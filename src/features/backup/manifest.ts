/**
 * `strongroom-backup.json`: what a backup consists of. Putting it in place is
 * what makes a backup; until then the one before it stands.
 *
 * @module
 */
import { z } from "zod";
import { equalBytes, fromUtf8, utf8 } from "../../core/bytes.ts";
import { isBlobHash } from "../../core/ids.ts";
import { parseRfc3339 } from "../../core/time.ts";
import { sha256Hex } from "../../crypto/sha256.ts";

/** The database's file, as it is called in a data directory too. */
export const DATABASE = "strongroom.sqlite" as const;

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

/** Under what a server ran: who restores it goes on with that. */
const ServerSettings = z.strictObject({
  /** Its address; null if it was not configured. */
  origin: z.string().nullable(),
  /** Those that were given, but where data and backups lie. */
  given: z.array(z.strictObject({
    name: z.string(),
    /** Null for a secret, which is in no backup. */
    value: z.string().nullable(),
  })),
});
export type ServerSettings = z.infer<typeof ServerSettings>;

/** What a server was at one moment. */
export const Snapshot = z.strictObject({
  /** Its directory in `snapshots/`, or its generation. */
  name: z.string().regex(/^[1-9]\d{0,8}$/),
  made_at: z.string().refine((text) => parseRfc3339(text) !== undefined),
  /** The origin that its last receipt names. */
  server_id: z.string().nullable(),
  schema: z.int().min(1),
  /** The database and the keys. */
  files: z.array(z.strictObject({
    path: z.enum([
      DATABASE,
      "keys/access.json",
      "keys/attestation.json",
      "keys/sealing.json",
      "keys/log.json",
    ]),
    bytes: count,
    sha256: digest,
  })).length(5),
  blobs: z.strictObject({ count, bytes: count }),
  /** Blobs that the server itself had lost when it was backed up. */
  lost: z.array(z.string().refine(isBlobHash)),
  settings: ServerSettings,
});

const ManifestBody = z.strictObject({
  format: z.literal(1),
  /** Version of the program that wrote it. */
  program: z.string(),
  server: z.strictObject({
    /** The first attestation key, by which a server is known. */
    attestation_key: digest,
  }),
  /** Null until the first backup is complete. */
  snapshot: Snapshot.nullable(),
});

export type Manifest = z.infer<typeof ManifestBody>;
export type SnapshotRecord = z.infer<typeof Snapshot>;

const Summed = z.looseObject({ sha256: digest });
const Newer = z.looseObject({ format: z.int().min(2).max(99) });

/** The file's bytes: the record, and last a SHA-256 over the rest of it. */
export function renderManifest(manifest: Manifest): Uint8Array {
  const text = (value: unknown) => JSON.stringify(value, null, 2) + "\n";
  // Its fields come out in the order above, whatever the maker wrote.
  const body = ManifestBody.parse(manifest);
  const sha256 = sha256Hex(utf8(text(body)));
  return utf8(text({ ...body, sha256 }));
}

/**
 * Reads a manifest of {@link renderManifest}. Returns `newer` for one of a later
 * version, and `changed` for any other bytes.
 */
export function parseManifest(
  bytes: Uint8Array,
): Manifest | "newer" | "changed" {
  try {
    const whole: unknown = JSON.parse(fromUtf8(bytes) ?? "");
    if (Newer.safeParse(whole).success) return "newer";
    const { sha256: _, ...body } = Summed.parse(whole);
    const manifest = ManifestBody.parse(body);
    // An unchanged manifest renders to the same bytes again.
    return equalBytes(renderManifest(manifest), bytes) ? manifest : "changed";
  } catch {
    return "changed";
  }
}
