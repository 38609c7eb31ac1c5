/**
 * Editing a photo of one's own by a recipe, or taking that back
 * (protocol/client-cryptography.md#edited-photos).
 *
 * @module
 */
import { DocumentError } from "../fields.ts";
import type { Metadata, PhotoEdit } from "../metadata.ts";
import type { Library } from "./library.ts";
import type { NewDerivative } from "./upload.ts";

/** The small pictures that were made by the recipe. */
export interface MadeByEdit extends
  Required<
    Pick<Metadata, "width" | "height" | "thumbhash">
  > {
  readonly smaller: readonly NewDerivative[];
}

/**
 * Edits a photo and its copies in albums, and changes the links that show it, so
 * that none goes on handing out what was cut away. Throws what changing an asset
 * or a link throws; tried again, it does the rest.
 */
export async function editPhoto(
  library: Pick<
    Library,
    | "amend"
    | "changeShare"
    | "index"
    | "shareContents"
    | "shares"
    | "state"
  >,
  id: string,
  edit: PhotoEdit | undefined,
  { smaller, ...about }: MadeByEdit,
): Promise<void> {
  const { index } = library;
  const row = index.get(id);
  const copies = index.allByPlaintext(row?.metadata?.sha256 ?? "")
    .filter(({ owner, state }) => owner === row?.owner && state === "live");
  // By what they had before: the small pictures are others afterwards.
  const byHash = new Map(
    copies.flatMap((copy) =>
      copy.blobs.map(({ hash }) => [hash, copy.id] as const)
    ),
  );
  for (const copy of copies) {
    await library.amend(copy.id, {
      about: { ...about, edit },
      derivatives: smaller,
      without: ["preview", "thumbnail"],
    });
  }
  for (const { opaque_id, metadata_hash, url } of await library.shares()) {
    const { follows } = library.state.held.links[opaque_id] ?? {};
    // A frame follows by itself.
    if (url === undefined || follows !== undefined) continue;
    const { items } = await library.shareContents(opaque_id, metadata_hash)
      .catch((error) => {
        // Its index is not in this library, whatever the server says of it.
        if (error instanceof DocumentError) return { items: [] };
        throw error;
      });
    const shown = items.filter(({ hash }) => byHash.has(hash));
    if (shown.length === 0) continue;
    await library.changeShare(opaque_id, {
      remove: shown.map(({ hash }) => hash),
      add: shown.map(({ hash }) => byHash.get(hash) ?? id),
    });
  }
}
