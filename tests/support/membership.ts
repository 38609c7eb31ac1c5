/**
 * Leaving an album, and the feed entries of that.
 *
 * @module
 */
import { readFeed } from "./albums.ts";
import { type TestApp } from "./app.ts";
import { type Json } from "./expect.ts";
import { type Person } from "./people.ts";

/** Leaves an album. */
export function leave(
  app: TestApp,
  person: Person,
  albumId: string,
): Promise<Response> {
  return app.send("DELETE", `/v1/albums/${albumId}/membership`, {
    token: person.token,
  });
}

/** The actions of an album's entries that a person's feed has. */
export async function actionsOf(
  app: TestApp,
  person: Person,
  albumId: string,
  after = 0,
): Promise<string[]> {
  const { entries } = await readFeed(app, person.token, `?after=${after}`);
  return entries.filter(({ album_id }: Json) => album_id === albumId)
    .map(({ action }: Json) => action);
}

/** The newest position of a person's feed. */
export async function positionOf(
  app: TestApp,
  person: Person,
): Promise<number> {
  return (await readFeed(app, person.token)).next_after;
}
