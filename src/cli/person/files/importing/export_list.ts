/**
 * Reading what an export of strongroom tells of itself: its listing and the
 * sidecar of a file.
 *
 * @module
 */
import { join } from "node:path";
import * as z from "zod";
import { EXPORT_FILES } from "../../../../library/showing/export_layout.ts";
import { decodeJson } from "../../../../client/documents/json.ts";
import {
  decodeMetadata,
  type Metadata,
} from "../../../../client/documents/metadata.ts";
import { DocumentError } from "../../../../library/mod.ts";
import { utf8 } from "../../../../core/bytes.ts";
import { OperatorFault } from "../../../../core/operator.ts";

/** A longer list is no export's (bytes). */
const MAX_LIST_BYTES = 512 * 1024 * 1024;
/** No sidecar of this program is longer (bytes). */
const MAX_SIDECAR_BYTES = 4 * 1024 * 1024;

const path = z.string().max(8_192).refine(
  (text) =>
    !text.includes("\\") && !text.includes("\0") &&
    text.split("/").every((part) =>
      part !== "" && part !== ".." && part !== "."
    ),
  "not a path inside the export",
);
const listSchema = z.object({
  files: z.array(z.object({
    asset_id: z.string(),
    path: path.optional(),
    video: path.optional(),
    sha256: z.string().optional(),
    favourite: z.boolean().optional(),
    hidden: z.boolean().optional(),
    archived: z.boolean().optional(),
  })),
  collections: z.array(z.object({
    collection_id: z.string(),
    title: z.string(),
    assets: z.array(z.string()),
  })),
  albums: z.array(z.object({
    album_id: z.string(),
    title: z.string().optional(),
    files: z.array(z.string()),
  })),
});
/** The listing of an export. */
export type List = z.infer<typeof listSchema>;
/** A file that was exported. */
export type Listed = List["files"][number] & { readonly path: string };

/** Reads the listing of an export. Throws OperatorFault. */
export async function listOf(root: string): Promise<List> {
  const list = join(root, EXPORT_FILES.list);
  try {
    if ((await Deno.stat(list)).size > MAX_LIST_BYTES) {
      throw new OperatorFault(`${list} is too long`);
    }
    return listSchema.parse(JSON.parse(await Deno.readTextFile(list)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new OperatorFault(
        `${root} is not an export of strongroom: it has no ` +
          `${EXPORT_FILES.list}`,
      );
    }
    if (error instanceof SyntaxError || error instanceof z.ZodError) {
      throw new OperatorFault(`${list} is damaged: nothing was imported`);
    }
    throw error;
  }
}

/** What is said of a file, without what its bytes and this account say. */
export function toldOf(
  { derivatives: _, size: _size, sha256: _hash, edited_of: _of, ...said }:
    Metadata,
) {
  return said;
}

/** Metadata without derivatives, whose blobs are not in an export. */
const sidecarSchema = z.looseObject({});

/** What the sidecar of a file says; undefined if there is none to read. */
export async function saidOf(sidecar: string): Promise<Metadata | undefined> {
  try {
    if ((await Deno.stat(sidecar)).size > MAX_SIDECAR_BYTES) return undefined;
    const bytes = await Deno.readFile(sidecar);
    const said = decodeJson(sidecarSchema, bytes, "sidecar");
    const whole = { ...said, derivatives: [] };
    return decodeMetadata(utf8(JSON.stringify(whole)));
  } catch (error) {
    const isNone = error instanceof Deno.errors.NotFound ||
      error instanceof DocumentError;
    if (isNone) return undefined;
    throw error;
  }
}
