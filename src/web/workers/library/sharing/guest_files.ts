/**
 * The vault's calls about guests' files, which wait until they are accepted.
 *
 * @module
 */
import type { AcceptOptions } from "../../../../library/mod.ts";
import { Moved } from "../../../../client/stream/threads/thread_messages.ts";
import { listOf } from "../../../../library/sharing/link_notes.ts";
import type { VaultContext } from "../../vault/context.ts";
import { type OwnCame, OwnFiles } from "./accepting_own.ts";
import type { WaitingCard } from "./sharing_cards.ts";

/** Largest guest's file that can be previewed (bytes). */
const PEEK_MAX_BYTES = 64 * 1024 * 1024;

/** The calls of the group `sharing` about files that wait. */
export function guestFiles(context: VaultContext) {
  const ownFiles = new OwnFiles(context);
  return {
    /** Number of files that wait: guests', and the person's own. */
    async waiting(): Promise<
      { readonly guests: number; readonly own: number }
    > {
      const inbox = await context.opened().inbox();
      const own = inbox.filter((one) => ownFiles.isOwn(one)).length;
      return { guests: inbox.length - own, own };
    },
    /**
     * Accepts what came by links that are marked as the person's own. The page
     * behind the port makes the small pictures.
     */
    acceptOwn: (port: MessagePort): Promise<OwnCame> => ownFiles.accept(port),
    /** The guests' files that wait, the newest first. */
    async inbox(): Promise<readonly WaitingCard[]> {
      const library = context.opened();
      const waiting = await library.inbox();
      return waiting.map((one): WaitingCard => {
        const { file } = one;
        const { title: note, into } = library.state.held.links[one.opaqueId] ??
          {};
        const list = listOf(into ?? "");
        return {
          opaqueId: one.opaqueId,
          uploadId: one.uploadId,
          size: file?.size ?? one.size,
          receivedAt: one.receivedAt,
          ...(note === undefined ? {} : { note }),
          ...(list === undefined ? {} : { into: list }),
          ...(file?.from === undefined ? {} : { from: file.from }),
          ...(file === undefined ? {} : {
            name: file.name,
            mime: file.mime,
            ...(file.taken_at === undefined ? {} : { takenAt: file.taken_at }),
            ...(file.thumbnail === undefined
              ? {}
              : { thumbnail: new Uint8Array(file.thumbnail) }),
          }),
        };
      }).toSorted((a, b) => a.receivedAt < b.receivedAt ? 1 : -1);
    },
    /** Opens a guest's file to look at it. */
    async peek(opaqueId: string, uploadId: string): Promise<
      Moved<{ readonly bytes: Uint8Array<ArrayBuffer> }>
    > {
      const { bytes } = await context.opened()
        .peek(opaqueId, uploadId, PEEK_MAX_BYTES);
      return new Moved({ bytes }, [bytes.buffer]);
    },
    /** Takes a guest's file in; `known` where it is here already. */
    async accept(
      opaqueId: string,
      uploadId: string,
      options: AcceptOptions = {},
      collectionId?: string,
    ): Promise<"kept" | "known"> {
      const library = context.opened();
      const { outcome, row } = await library.accept(
        opaqueId,
        uploadId,
        options,
      );
      if (collectionId !== undefined) {
        await library.collections.add(collectionId, [row.id]);
      }
      context.changed();
      context.tell("guests", {});
      return outcome;
    },
    async refuse(opaqueId: string, uploadId: string): Promise<void> {
      await context.opened().refuse(opaqueId, uploadId);
      context.tell("guests", {});
    },
  };
}
