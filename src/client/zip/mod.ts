/**
 * Reading zips in place: their directory, and the bytes of each file.
 *
 * @module
 */
export { dataOf, readZipEntry } from "./contents.ts";
export {
  readZipDirectory,
  type ZipDirectory,
  type ZipEntry,
} from "./directory.ts";
export { MalformedZip } from "./faults.ts";
