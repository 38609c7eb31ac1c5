/**
 * The core of what touches blobs, once more with a server whose blobs lie in a
 * bucket: the same tests, of the same files. By night all of them are
 * (`deno task test:nightly`).
 *
 * @module
 */
import { placeInBucket } from "../../support/blob_place.ts";
import { ROOT } from "../parts.ts";

const CORE = [
  "api/uploads",
  "api/upload_finalize",
  "api/upload_bytes",
  "api/blob_access",
  "api/storage_verify_deep",
  "api/garbage_collection",
  "api/shares",
  "api/many_blobs",
  "api/contributions",
  "api/lifecycle",
  "api/departure",
  "serving/two_servers",
];

await placeInBucket();
for (const name of CORE) {
  await import(new URL(`tests/${name}_test.ts`, ROOT).href);
}
