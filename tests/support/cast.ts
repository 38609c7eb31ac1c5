/**
 * The people of the tests: an album with one in each role, and a stranger.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { TestApp } from "./app.ts";
import { provisionAlbum, publishRoster } from "./albums.ts";
import {
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
  uuidOf,
} from "./people.ts";
import {
  expectBytes,
  expectSameAnswers,
  readAsset,
  readBlob,
  withFaultlessApp,
} from "./api.ts";

/** Ada owns the album; Bob contributes, Vic views, Eve is a stranger. */
export interface Cast {
  readonly ada: Person;
  readonly bob: Person;
  readonly vic: Person;
  readonly eve: Person;
  readonly albumId: string;
}

/** Makes the album and everybody; each may write, as far as the album goes. */
export async function castAlbum(
  app: TestApp,
  name: string,
  protocol?: string,
): Promise<Cast> {
  const [ada, bob, vic, eve] = [
    await registerWriter(app, "ada"),
    await registerWriter(app, "bob"),
    await registerWriter(app, "vic"),
    await registerWriter(app, "eve"),
  ];
  const albumId = await provisionAlbum(app, ada, name, protocol);
  await publishRoster(app, ada, albumId, 1, [
    { member: bob.userId, role: "contributor" },
    { member: vic.userId, role: "viewer" },
  ]);
  return { ada, bob, vic, eve, albumId };
}

/** Runs a test over them, after which the log holds no error. */
export async function withCast(
  test: (app: TestApp, cast: Cast) => Promise<void>,
): Promise<void> {
  await withFaultlessApp(async (app) => {
    await test(app, await castAlbum(app, "holidays"));
  });
}

/** Expects that a person reads all of an asset, whole and in part. */
export async function expectReads(
  app: TestApp,
  person: Person,
  asset: LiveAsset,
): Promise<void> {
  const read = await readAsset(app, person, asset.assetId);
  assert.equal(read.chain_head, hashOf(asset.manifest));
  assert.equal(read.blobs.length, 3);
  for (const bytes of [asset.original, asset.metadata, asset.manifest]) {
    const whole = await readBlob(app, person, asset.assetId, hashOf(bytes));
    assert.equal(whole.status, 200);
    expectBytes(await whole.arrayBuffer(), bytes);
    const part = await readBlob(app, person, asset.assetId, hashOf(bytes), {
      Range: "bytes=10-19",
    });
    assert.equal(part.status, 206);
    expectBytes(await part.arrayBuffer(), bytes.slice(10, 20));
  }
}

/** Expects that an asset is to a person as one that is not there. */
export async function expectReadsNothing(
  app: TestApp,
  person: Person,
  asset: LiveAsset,
): Promise<void> {
  const hash = hashOf(asset.original);
  const { token } = person;
  const path = `/v1/assets/${asset.assetId}`;
  const answer = await expectSameAnswers({
    "an asset": await app.send("GET", path, { token }),
    "no asset": await app.send("GET", `/v1/assets/${uuidOf("no asset")}`, {
      token,
    }),
    "a blob": await readBlob(app, person, asset.assetId, hash),
    "a part": await readBlob(app, person, asset.assetId, hash, {
      Range: "bytes=0-1",
    }),
    "a blob that it has": await readBlob(app, person, asset.assetId, hash, {
      "If-None-Match": `"${hash}"`,
    }),
    "no blob": await readBlob(app, person, asset.assetId, hashOf("nothing")),
    "receipts": await app.send("GET", `${path}/receipts`, { token }),
  });
  assert.equal(JSON.parse(answer).code, "error.asset.not_found");
}

/** Reads the feed of one album. */
export function readFeedOf(
  app: TestApp,
  person: Person,
  albumId: string,
): Promise<Response> {
  return app.send("GET", `/v1/sync?album_id=${albumId}`, {
    token: person.token,
  });
}
