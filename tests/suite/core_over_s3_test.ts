/**
 * The core of what touches blobs, once more with a server whose blobs lie in a
 * bucket: the same tests, of the same files. By night all of them are
 * (`deno task test:nightly`).
 *
 * @module
 */
import { placeInBucket } from "../support/blob_place.ts";
import { ROOT } from "./parts.ts";

const CORE = [
  "stories/uploads",
  "stories/upload_finalize",
  "stories/upload_bytes",
  "stories/blob_access",
  "stories/storage_verify_deep",
  "stories/collection",
  "stories/shares",
  "stories/many_blobs",
  "stories/contributions",
  "stories/lifecycle",
  "stories/departure",
  "serving/two_servers",
];

await placeInBucket();
for (const name of CORE) {
  await import(new URL(`tests/${name}_test.ts`, ROOT).href);
}
