/**
 * Members as a roster names them (protocol/albums.md#roster): a user id of this
 * server, or `<user_id>@<server_id>` of a peer.
 *
 * @module
 */
import { isUuid, type UserId } from "../../core/ids.ts";
import { isServerId } from "../../core/origin.ts";

/** Whether a text names a member: one person has one name. */
export function isMember(text: string, ownServerId: string): boolean {
  const at = text.indexOf("@");
  if (at < 0) return isUuid<UserId>(text);
  const server = text.slice(at + 1);
  return isUuid<UserId>(text.slice(0, at)) && isServerId(server) &&
    server !== ownServerId;
}

/** The peer that a member belongs to; undefined for one of this server. */
export function serverOf(member: string): string | undefined {
  const at = member.indexOf("@");
  return at < 0 ? undefined : member.slice(at + 1);
}
