/**
 * Where the servers of tests place blobs: in their directories, or all in one
 * bucket, so that one list of tests covers both. `TEST_BLOBS=s3` chooses the
 * bucket for a run; a part of the suite chooses it for itself.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { TestBucket } from "./bucket.ts";

/** A server's place in the bucket. */
interface BlobPlace {
  readonly settings: Record<string, string>;
  /** The network; what is not for the bucket goes on to `others`. */
  readonly fetchBeside: (others: typeof fetch) => typeof fetch;
  /** Where its objects lie. */
  readonly root: string;
}

let bucket: TestBucket | undefined;

/** From now on servers of this isolate place blobs in a bucket. */
export async function placeInBucket(): Promise<void> {
  if (bucket !== undefined) return;
  // Whoever has none need not load it.
  const { startBucket } = await import("./bucket.ts");
  const started = await startBucket({ strict: true });
  bucket = started.bucket;
  globalThis.addEventListener("unload", started.remove);
}

/** The place of a data directory; undefined where blobs lie in it. */
export function blobPlaceOf(dataDir: string): BlobPlace | undefined {
  if (bucket === undefined) return undefined;
  const { settings, fetch, root } = bucket;
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const { STRONGROOM_S3_ENDPOINT: endpoint = "" } = settings;
  return {
    settings: { ...settings, STRONGROOM_S3_PREFIX: `${name}/` },
    fetchBeside: (others) => (input, init) => {
      const { url } = new Request(input, init);
      return url.startsWith(`${endpoint}/`)
        ? fetch(input, init)
        : others(input, init);
    },
    root: `${root}/${name}`,
  };
}

if (Deno.env.get("TEST_BLOBS") === "s3") await placeInBucket();
