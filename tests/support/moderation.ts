/**
 * The operator's hand in a test, and what an account reads of it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { OperatorFault } from "../../src/core/operator.ts";
import {
  type Act,
  holdAsset,
  reinstateAccount,
  reinstateAsset,
  releaseAsset,
  suspendAccount,
  takeDownAsset,
} from "../../src/features/moderation/operator.ts";
import { type TestApp, withTestApp } from "./app.ts";
import { type Cast, castAlbum } from "./cast.ts";
import { expectJson, type Json } from "./expect.ts";
import { FEDERATES } from "./peers.ts";
import {
  createAsset,
  type LiveAsset,
  type Person,
  registerWriter,
} from "./people.ts";
import { expectNoErrors } from "./api.ts";

const COMMANDS = {
  suspend: suspendAccount,
  reinstateAccount,
  takeDown: takeDownAsset,
  reinstate: reinstateAsset,
  hold: holdAsset,
  release: releaseAsset,
};
export type Command = keyof typeof COMMANDS;

/** Runs an operator's command about an account or an asset, now. */
export async function operate(
  app: TestApp,
  command: Command,
  what: string,
  reason?: string,
  db: Parameters<typeof suspendAccount>[0] = app.app.db,
): Promise<void> {
  const act: Act = { now: app.clock.now, reason };
  await COMMANDS[command](db, what, act);
}

/** Expects that the operator is refused, with what to do about it. */
export async function expectFault(
  done: Promise<unknown>,
  text: RegExp,
): Promise<void> {
  await assert.rejects(done, (thrown) => {
    assert(thrown instanceof OperatorFault, String(thrown));
    assert.match(thrown.message, text);
    // What is refused and why, then what to do.
    assert.match(thrown.message, /: .+/s);
    return true;
  });
}

/** A person's own moderation record. */
export async function recordOf(app: TestApp, person: Person): Promise<Json> {
  return await expectJson(
    await app.send("GET", "/v1/moderation/record", { token: person.token }),
    200,
  );
}

/** What a person's record tells that happened, oldest first. */
export async function actionsOf(
  app: TestApp,
  person: Person,
): Promise<string[]> {
  const { events } = await recordOf(app, person);
  return events.map((one: Json) => one.action);
}

/** The cast, and an asset of Bob's in their album. */
interface SharedAlbum extends Cast {
  readonly asset: LiveAsset;
}

/** Runs a test over such an album; no error may be the server's own. */
export async function withSharedAlbum(
  test: (app: TestApp, album: SharedAlbum) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const cast = await castAlbum(app, "trip");
    const { bob, albumId } = cast;
    const asset = await createAsset(app, bob, "photo", { albumId });
    await test(app, { ...cast, asset });
    expectNoErrors(app);
  }, { settings: FEDERATES });
}

/** Runs a test over one asset that is in no album. */
export async function withOwnAsset(
  test: (app: TestApp, ada: Person, asset: LiveAsset) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await test(app, ada, await createAsset(app, ada, "photo"));
    expectNoErrors(app);
  });
}

/** The status of an answer whose body does not matter. */
export async function statusOf(response: Response): Promise<number> {
  await response.body?.cancel();
  return response.status;
}
