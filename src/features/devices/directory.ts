/**
 * The signed device directory and the identity anchor (protocol/devices.md).
 * The bytes are stored as received: the server reads type and version and
 * checks no signature.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { equalBytes } from "../../core/bytes.ts";
import { CborError, decodeCanonical } from "../../core/cbor.ts";
import { scanOpaqueMap } from "../../core/opaque_cbor.ts";
import type { UserId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { EnvelopeError, splitEnvelope } from "../../crypto/envelope.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { transaction } from "../../store/sqlite/database.ts";
import { readAnchor } from "../anchor.ts";
import type { Call, CallBy } from "../call.ts";
import { appendEntry, directoryEntry } from "../log/entries.ts";
import { requireRecent } from "../sessions/recent.ts";
import {
  anchorIdentity,
  findDirectory,
  noteDirectoryVersion,
  putDirectory,
} from "./store.ts";

const DIRECTORY_TYPE = "service-device-directory/v1";
/** The document is its clients'; the bounds keep one request short. */
const LIMITS = { maxItems: 200_000, maxDepth: 64 };

/**
 * Publishes a directory above the version held, which wants a recent
 * presentation; the very bytes held already are a success that writes nothing.
 * `identityKey` is null where the client presents none.
 */
export async function publishDirectory(
  call: CallBy<
    "session",
    | "error.directory.malformed"
    | "error.directory.identity_mismatch"
    | "error.directory.version_conflict"
    | "error.auth.reauthentication_required"
  >,
  body: Uint8Array<ArrayBuffer>,
  identityKey: Uint8Array<ArrayBuffer> | null,
) {
  const { app, caller: { userId }, now, raise } = call;
  const version = readVersion(call, body);
  const bodyHash = createHash("sha256").update(body).digest("hex");
  return await transaction(app.db, async (tx) => {
    const before = await findDirectory(tx, userId);
    if (before !== undefined && before.body_hash !== bodyHash) {
      await requireRecent(call, tx);
    }
    if (identityKey !== null) await anchorIdentity(tx, userId, identityKey);
    const anchor = await readAnchor(tx, userId);
    if (
      identityKey !== null &&
      (anchor === null || !equalBytes(anchor, identityKey))
    ) throw raise("error.directory.identity_mismatch");
    const published = await putDirectory(tx, {
      userId,
      version,
      body,
      bodyHash,
      publishedAt: now,
    });
    if (published) {
      await noteDirectoryVersion(tx, userId, version);
      const id = anchor === null ? null : keyId(anchor);
      await appendEntry(tx, directoryEntry(userId, version, bodyHash, id));
    }
    const held = await findDirectory(tx, userId);
    if (held === undefined || held.body_hash !== bodyHash) {
      throw raise("error.directory.version_conflict", {
        extra: { current_version: held?.version ?? 0 },
      });
    }
    return {
      user_id: userId,
      directory_version: held.version,
      published_at: toRfc3339(held.published_at),
    };
  });
}

/** Reads the two fields that the server looks at. */
function readVersion(
  { raise }: Call<"error.directory.malformed">,
  body: Uint8Array,
): number {
  try {
    const { payloadBytes } = splitEnvelope(body);
    const fields = scanOpaqueMap(
      payloadBytes,
      ["type", "directory_version"],
      LIMITS,
    );
    const [type, version] = ["type", "directory_version"].map((name) =>
      decodeCanonical(fields.get(name) ?? new Uint8Array())
    );
    if (
      type === DIRECTORY_TYPE && typeof version === "number" && version >= 1
    ) {
      return version;
    }
  } catch (cause) {
    if (!(cause instanceof EnvelopeError || cause instanceof CborError)) {
      throw cause;
    }
    throw raise("error.directory.malformed", { cause });
  }
  throw raise("error.directory.malformed");
}

/** A user's directory, the exact signed bytes, with the identity anchor. */
export async function fetchDirectory(
  { app, raise }: Call<"error.directory.not_found">,
  userId: UserId,
) {
  const held = await findDirectory(app.db, userId);
  if (held === undefined) throw raise("error.directory.not_found");
  return {
    body: held.body,
    bodyHash: held.body_hash,
    identityKey: await readAnchor(app.db, userId),
  };
}
