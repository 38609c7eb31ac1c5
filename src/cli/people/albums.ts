/**
 * `strongroom album`: albums with other people.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import type { Album } from "../../client/library/mod.ts";
import { counted } from "../../core/sizes.ts";
import { printable, quoted } from "../words.ts";
import type { Person } from "./person.ts";

/** Lists them. */
export async function listAlbums(person: Person): Promise<void> {
  await person.library.sync({ signal: person.signal });
  const albums = person.library.albums.list()
    .filter(({ tombstoned }) => !tombstoned);
  for (const album of albums) {
    const rows = [...person.library.index.rows()]
      .filter((row) => row.album === album.id && row.state === "live");
    person.tell(
      {
        event: "album",
        album_id: album.id,
        title: album.title,
        role: album.role,
        owner: album.owner,
        members: album.members,
        files: rows.length,
        fault: album.fault,
      },
      [
        album.id.slice(0, 8),
        String(album.role).padEnd(11),
        counted(rows.length, "file").padStart(9),
        counted(album.members.length, "person").replace("persons", "people"),
        printable(album.title ?? album.fault ?? ""),
      ].join("  "),
    );
  }
  person.tell(
    { event: "end", status: 0, count: albums.length },
    counted(albums.length, "album"),
  );
}

/** Makes one. */
export async function createAlbum(
  person: Person,
  title: string,
): Promise<void> {
  const album = await person.library.albums.create({ title });
  person.tell(
    { event: "album_made", album_id: album.id },
    `the album ${quoted(title)} is made (${album.id.slice(0, 8)})`,
  );
}

/** Lets somebody in; the identity that is pinned is told, to be compared. */
export async function invite(
  person: Person,
  given: string,
  address: string,
  { role }: { readonly role: string },
): Promise<void> {
  if (role !== "viewer" && role !== "contributor") {
    throw new OperatorFault("--role is viewer or contributor");
  }
  const album = await albumOf(person, given);
  const { userId } = await person.library.people.find({ address });
  const { safetyNumber } = await person.library.people.known(userId);
  await person.library.albums.invite(album.id, userId, role);
  person.tell(
    {
      event: "invited",
      album_id: album.id,
      user_id: userId,
      safety_number: safetyNumber,
    },
    `${printable(address)} is in. Compare this with them, by voice or in ` +
      `person:\n  ${safetyNumber}`,
  );
}

/** Takes somebody out; what comes after, they cannot read. */
export async function removeMember(
  person: Person,
  given: string,
  address: string,
): Promise<void> {
  const album = await albumOf(person, given);
  const { userId } = await person.library.people.find({ address });
  await person.library.albums.remove(album.id, userId);
  person.tell(
    { event: "removed", album_id: album.id, user_id: userId },
    `${printable(address)} is out, and the album has a new key`,
  );
}

/** Leaves an album of somebody's, or ends an empty one of one's own. */
export async function leave(person: Person, given: string): Promise<void> {
  const album = await albumOf(person, given);
  if (album.owner === person.session.userId) {
    await person.library.albums.end(album.id);
    person.tell({ event: "album_ended", album_id: album.id }, "it is ended");
    return;
  }
  await person.library.albums.leave(album.id);
  person.tell({ event: "left", album_id: album.id }, "you have left it");
}

/** The album of a title, or of the first letters of its id. */
export async function albumOf(
  { library, signal }: Person,
  given: string,
): Promise<Album> {
  await library.sync({ signal });
  const meant = library.albums.list().filter(({ id, title, tombstoned }) =>
    !tombstoned &&
    (title === given || (given.length >= 4 && id.startsWith(given)))
  );
  const [album] = meant;
  if (album !== undefined && meant.length === 1) return album;
  throw new OperatorFault(
    `${meant.length === 0 ? "no album is" : "several albums are"} called ` +
      `${quoted(given)}: see \`strongroom album ls\``,
  );
}
