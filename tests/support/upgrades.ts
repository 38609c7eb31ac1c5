/**
 * Upgrade ceremonies in tests.
 *
 * @module
 */
import {
  beginUpgrade,
  endUpgrade,
  intentBytes,
  OLD_PROTOCOL,
} from "./albums.ts";
import type { TestApp } from "./app.ts";
import { expectJson, type Json } from "./expect.ts";
import { type AlbumWorld, createByOp, withAlbum } from "./ops.ts";
import { type Person, putBytes, uuidOf } from "./people.ts";

export const SECOND = 1_000;
/** Where the ceremony "one" leads. */
export const SUCCESSOR = uuidOf("successor one");

/** Runs a test over an album of an older date. */
export function withOldAlbum(
  test: (world: AlbumWorld) => Promise<void>,
): Promise<void> {
  return withAlbum(test, { protocol: OLD_PROTOCOL });
}

/** Begins a ceremony a moment from now; returns its phase. */
export async function begin(
  { app, ada, albumId }: AlbumWorld,
  name: string,
  over: Json = {},
): Promise<Json> {
  app.clock.advance(SECOND);
  const intent = await intentBytes(ada, albumId, name, over);
  const phase = await expectJson(
    await beginUpgrade(app, ada, albumId, intent),
    200,
  );
  app.clock.advance(SECOND);
  return phase;
}

/** Commits a ceremony that has drained; returns the answer. */
export async function commit(
  { app, ada, albumId }: AlbumWorld,
  name: string,
): Promise<Json> {
  return await expectJson(
    await endUpgrade(app, ada, albumId, "commit", name),
    200,
  );
}

/** The phase of an album as a person reads it. */
export function getPhase(
  app: TestApp,
  person: Person,
  albumId: string,
): Promise<Response> {
  return app.send("GET", `/v1/albums/${albumId}/upgrade`, {
    token: person.token,
  });
}

export async function phaseOf(
  { app, ada, albumId }: AlbumWorld,
): Promise<Json> {
  return await expectJson(await getPhase(app, ada, albumId), 200);
}

/** Finalizes a session with its bytes. */
export async function finish(
  { app }: AlbumWorld,
  person: Person,
  upload: Json,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Json> {
  return await expectJson(
    await putBytes(app, person, upload.upload_id, bytes),
    200,
  );
}

/** An album that was upgraded, with an asset of Ada's and one of Bob's. */
export async function withForked(
  test: (
    world: AlbumWorld & {
      readonly adas: Awaited<ReturnType<typeof createByOp>>;
      readonly bobs: Awaited<ReturnType<typeof createByOp>>;
    },
  ) => Promise<void>,
): Promise<void> {
  await withOldAlbum(async (world) => {
    const adas = await createByOp(world, world.ada, "ada's");
    const bobs = await createByOp(world, world.bob, "bob's");
    await begin(world, "one");
    await commit(world, "one");
    await test({ ...world, adas, bobs });
  });
}
