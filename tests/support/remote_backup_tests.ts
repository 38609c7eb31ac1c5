/**
 * Stories of a server with a photo that is backed up off the premises, told
 * over every kind of place.
 *
 * @module
 */
import { type Running, withServer } from "./backups.ts";
import {
  doneOn,
  type PlaceKind,
  PLACES,
  type RemoteBackupPlace,
  withPlace,
} from "./remote_backup.ts";
import {
  createAsset,
  type LiveAsset,
  type Person,
  registerWriter,
} from "./people.ts";

/** A server with a photo, and what is known of it. */
export interface World {
  readonly place: RemoteBackupPlace;
  readonly data: string;
  readonly server: Running;
  readonly ada: Person;
  readonly photo: LiveAsset;
}

/** What takes a hundred commands is told of those that need no handshake. */
export const NEAR: readonly PlaceKind[] = ["a bucket", "a directory"];

/** What is sealed and opened is the same wherever it lies. */
export const ANYWHERE: readonly PlaceKind[] = ["a directory"];

/** Over every kind of place. */
export function story(
  what: string,
  tell: (world: World) => Promise<void>,
  kinds: readonly PlaceKind[] = PLACES,
): void {
  for (const kind of kinds) {
    Deno.test(`${what} (${kind})`, async () => {
      await withPlace(kind, async (place) => {
        const data = `${place.room}/data`;
        await withServer(data, async (server) => {
          const ada = await registerWriter(server, "ada");
          const photo = await createAsset(server, ada, "photo", {
            length: 150_000,
          });
          await tell({ place, data, server, ada, photo });
        });
      });
    });
  }
}

export function backUp({ place, data }: World, ...more: readonly string[]) {
  return doneOn(place, "backup", place.name, "--data-dir", data, ...more);
}

export function restore(
  { place }: World,
  to: string,
  ...more: readonly string[]
) {
  return doneOn(place, "restore", place.name, "--data-dir", to, ...more);
}
