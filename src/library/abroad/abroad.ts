/**
 * People and albums of other servers (protocol/albums-abroad.md): what a program
 * does with them, over an open library.
 *
 * @module
 */
import { DocumentError } from "../../client/documents/fields.ts";
import { after } from "../base/merging.ts";
import type { Library } from "../library.ts";
import { clearAbroadStore } from "./abroad_store.ts";
import { orAsHeld } from "./membership.ts";
import { abroadOf, withAlbumAbroad } from "./joining.ts";
import { replyTo } from "./replying.ts";

export {
  addContact,
  type ContactAbroad,
  forgetContact,
  listContacts,
  type MadeCard,
  makeCard,
  type ReadCard,
  withdrawCard,
} from "./contacts.ts";
export { inviteAbroad, keepGiven, removeAbroad } from "./giving.ts";
export {
  acceptAbroad,
  pickupLinkOf,
  type ReadPickup,
  readPickup,
} from "./joining.ts";
export {
  type AbroadAlbum,
  followAbroad,
  type OpenAbroad,
  openAbroad,
  type Pause,
} from "./following.ts";
export { declineAbroad, invitationsAbroad, knock } from "./knocking.ts";
export { type MailRead, putAskAway, readMailbox } from "./mailbox.ts";
export { askOwner, mayAsk } from "./replying.ts";
export { AbroadError, type AbroadFault } from "./abroad_fault.ts";

/** The albums of other servers that the person is in, by their ids. */
export async function joinedAbroad(
  library: Library,
): Promise<readonly string[]> {
  const slot = await library.abroad();
  await orAsHeld(slot.read());
  return slot.joined.list().map(([id]) => id);
}

/**
 * Leaves an album of another server: nothing of it is kept but what is known of
 * its owner and its roster. Whether the owner's program could be told.
 */
export async function leaveAbroad(
  library: Library,
  id: string,
): Promise<boolean> {
  const slot = await library.abroad();
  await slot.read();
  const joined = slot.joined.get(id);
  if (joined === undefined) {
    throw new DocumentError(`you are not in the album ${id}`);
  }
  const at = id.indexOf("@");
  const of = { album_id: id.slice(0, at), server_id: id.slice(at + 1) };
  const { now } = library.vault.session.platform;
  await library.trust.change((record) => {
    const seen = abroadOf(record, of.server_id, of.album_id);
    if (seen === undefined) return record;
    const left_at = after(now(), seen.accepted_at, seen.left_at);
    return withAlbumAbroad(record, of, { ...seen, left_at });
  });
  await slot.joined.put(id, undefined);
  await clearAbroadStore(library.store, id);
  await library.trust.settle();
  return await replyTo(library, { ...joined, id }, { kind: "left" });
}
