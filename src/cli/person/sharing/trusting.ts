/**
 * What a person is told of albums: those that are frozen, and invitations.
 *
 * @module
 */
import type { Library, TrustDamage } from "../../../library/mod.ts";
import { printable, quoted } from "../../phrasing.ts";
import type { OpenProfile } from "../cli_context.ts";

/** What a device says that cannot know what others knew. */
const BEHIND = "THE SERVER DOES NOT SHOW WHAT YOUR OTHER DEVICES KNOW. " +
  "This device trusts no one new. Run strongroom on another device of yours. If " +
  "you have none, `strongroom whoami --go-on` trusts what the server shows now.";
/** What a device says that the server gives an older state. */
const LIBRARY_BEHIND =
  "THE SERVER SHOWS AN OLDER LIBRARY THAN YOUR OTHER DEVICES KNOW. Photos " +
  "that you have hidden may show here. Run strongroom on another device of " +
  "yours. If you have none, `strongroom whoami --go-on` takes what the server " +
  "shows now.";
/** What a device says before anyone vouches for its state. */
export const LIBRARY_UNCONFIRMED =
  "which photos are hidden is not yet confirmed by another device: this one " +
  "adds nothing to picture frames";
/** What a device says that came by words alone. */
export const UNCONFIRMED =
  "not yet confirmed by another device or a witness: compare safety numbers " +
  "again with the people who matter";

/** What it says right after the words opened the keys: nothing is wrong. */
export const OPENED_WITH_WORDS =
  "your words opened the keys. Another device of yours confirms this one " +
  "by itself when it connects next. If you have no other and share with " +
  "people, compare safety numbers with them once more";

/** What a device says that found the shared record of trust unreadable. */
const DAMAGED: Readonly<Record<TrustDamage, string>> = {
  unreadable:
    "THE SERVER SHOWS A DAMAGED COPY of what your devices know about " +
    "people and albums. This device keeps its own copy and still " +
    "compares with it. Run `strongroom verify` to store it again.",
  stored_again:
    "THE SERVER SHOWED A DAMAGED COPY of what your devices know about " +
    "people and albums. This device has stored its own copy again.",
};

/** What is wrong with the shared record of trust, as lines for people. */
export function trustFaults({ trust }: Library): readonly string[] {
  return [
    ...(trust.damage === undefined ? [] : [DAMAGED[trust.damage]]),
    ...(trust.status === "behind" ? [BEHIND] : []),
    ...(trust.library === "behind" ? [LIBRARY_BEHIND] : []),
  ];
}

type Told =
  & Pick<OpenProfile, "tell" | "warn">
  & { readonly library: Library };

/** Tells of frozen albums and of invitations that wait. */
export function tellTrust(cli: Told): void {
  tellFrozen(cli);
  const { library, tell, warn } = cli;
  const { damage, library: copy, status } = library.trust;
  if (damage !== undefined) tell({ event: "trust_damaged", damage }, "");
  if (status === "behind") tell({ event: "trust_behind" }, "");
  if (copy === "behind") tell({ event: "library_behind" }, "");
  for (const fault of trustFaults(library)) warn(fault);
  for (const { id, title, owner } of library.albums.invitations()) {
    tell({ event: "invitation", album_id: id, title, owner }, "");
    const name = quoted(title ?? id.slice(0, 8));
    warn(
      `you are invited to the album ${name}: see \`strongroom album ls\``,
    );
  }
}

/** Tells of frozen albums. */
export function tellFrozen({ library, tell, warn }: Told): void {
  for (const { id, title, fault, tombstoned } of library.albums.list()) {
    if (fault === undefined || tombstoned) continue;
    tell({ event: "album_frozen", album_id: id, title, fault }, "");
    const name = title === undefined ? id.slice(0, 8) : quoted(title);
    warn(
      `THE ALBUM ${name} IS FROZEN: ${printable(fault)}. ` +
        "Nothing is added to it.",
    );
  }
}
