/**
 * The identity keys of those who put photos into an album of another server.
 *
 * @module
 */
import { type Bytes, fromBase64 } from "../../core/bytes.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { ApiProblem, type CapabilityCalls } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { isOfEverything } from "../base/faults.ts";
import type { Store } from "../base/store.ts";
import type { RowOpener } from "../rows/opening.ts";

/**
 * The identity keys of authors: the owner's, those that the owner names, and
 * others as they are seen first, for this album alone.
 */
export function anchorsOf(
  { store, calls }: { readonly store: Store; readonly calls: CapabilityCalls },
  { owner, ownerKey, named }: {
    readonly owner: string;
    readonly ownerKey: Bytes;
    readonly named: () => Readonly<Record<string, string>>;
  },
): RowOpener["anchorOf"] {
  const place = (userId: string) =>
    ({ space: "pins", key: `user/${userId}` }) as const;
  return async (userId) => {
    if (userId === owner) return ownerKey;
    const { space, key } = place(userId);
    const pinned = await store.get(space, key);
    const names = named();
    const told = Object.hasOwn(names, userId) ? names[userId] : undefined;
    // What was seen first yields to what the owner says.
    const holds = pinned !== undefined &&
      (told === undefined || told === keyId(pinned));
    if (holds) return pinned;
    const anchor = await shownKey(calls, userId);
    if (told !== undefined && told !== keyId(anchor)) {
      throw new DocumentError(
        "its author has another identity than the owner says",
      );
    }
    await store.write([{ space, key, value: anchor }]);
    return anchor;
  };
}

async function shownKey(
  calls: CapabilityCalls,
  userId: string,
): Promise<Uint8Array> {
  try {
    const { identity_key } = await calls.lookUp({ user_id: userId });
    const anchor = fromBase64(identity_key ?? "");
    if (anchor !== undefined && anchor.length > 0) return anchor;
  } catch (error) {
    if (isOfEverything(error) || !(error instanceof ApiProblem)) throw error;
  }
  throw new DocumentError("its author's identity is not known");
}
