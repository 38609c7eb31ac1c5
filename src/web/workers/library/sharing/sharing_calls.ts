/**
 * The vault's calls about share links, upload links and guests' files.
 *
 * @module
 */
import { DocumentError } from "../../../../library/mod.ts";
import { parseShareLink } from "../../../../client/documents/share.ts";
import type { SavedShared } from "../../../../library/sharing/saving_shared.ts";
import type { VaultContext } from "../../vault/context.ts";
import { guestFiles } from "./guest_files.ts";
import { makingLinks } from "./making_links.ts";
import { ownLinks } from "./own_links.ts";
import { uploadLinks } from "./upload_links.ts";

/** The calls of the group `sharing`. */
export function sharingCalls(context: VaultContext) {
  return {
    ...makingLinks(context),
    ...ownLinks(context),
    ...savingLinks(context),
    ...uploadLinks(context),
    ...guestFiles(context),
  };
}

/** The calls about links of others. */
function savingLinks(context: VaultContext) {
  return {
    /**
     * Saves what a link of this server shows to the library. `fragment` is what
     * follows `#` in its address.
     */
    async saveShared(
      opaqueId: string,
      fragment: string,
      passphrase: string | undefined,
      port: MessagePort,
    ): Promise<SavedShared> {
      const address = `${location.origin}/s/${opaqueId}#${fragment}`;
      const link = parseShareLink(address);
      if (link === undefined) throw new DocumentError("no link");
      const { saveShared } = await import(
        "../../../../library/sharing/saving_shared.ts"
      );
      try {
        return await saveShared(
          context.opened(),
          passphrase === undefined ? link : { ...link, passphrase },
          { onFile: (_, __, at) => port.postMessage(at) },
        );
      } finally {
        port.close();
        context.changed();
      }
    },
  };
}
