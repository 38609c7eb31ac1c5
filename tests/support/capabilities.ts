/**
 * An album that is shared with a peer's member, for the stories of federation
 * capabilities.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  mint,
  provisionAlbum,
  publishRoster,
  refreshCapability,
} from "./albums.ts";
import { type TestApp, withTestApp } from "./app.ts";
import { expectJson, expectProblem, type Json } from "./expect.ts";
import { type Person, registerWriter, uuidOf } from "./people.ts";
import { expectNoErrors, refreshed } from "./api.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const PEER = "https://peer.example.org";
/** A member of that peer, as a roster names one. */
export const MEMBER = `${uuidOf("a member of the peer")}@${PEER}`;
export const FEDERATED = { STRONGROOM_FEDERATION: "on" };

/** An album whose roster names {@link MEMBER}, and its owner. */
export interface SharedAlbum {
  readonly app: TestApp;
  readonly ada: Person;
  readonly albumId: string;
  /** The owner with an access token of now. */
  readonly owner: () => Promise<Person>;
  /** Publishes the next version of the roster, with these members. */
  readonly roster: (...members: readonly string[]) => Promise<void>;
  /** Mints for {@link MEMBER}, if not said; returns the answer. */
  readonly minted: (over?: Json) => Promise<Json>;
  /** Revokes by a jti, as the owner. */
  readonly revoke: (jti: string, albumId?: string) => Promise<Response>;
  /** Another album of the same owner, shared alike. */
  readonly another: (name: string) => Promise<SharedAlbum>;
  /** The same album over another opening of the application. */
  readonly over: (app: TestApp) => SharedAlbum;
}

/** Runs a test over an album shared with {@link MEMBER}. */
export async function withSharedAlbum(
  test: (shared: SharedAlbum) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withTestApp(async (app) => {
    await test(await shareAlbum(app));
    expectNoErrors(app);
  }, { settings: { ...FEDERATED, ...settings } });
}

/** Registers an owner and shares an album with {@link MEMBER}. */
export async function shareAlbum(app: TestApp): Promise<SharedAlbum> {
  return await shareNamed(app, await registerWriter(app, "ada"), "shared");
}

async function shareNamed(
  app: TestApp,
  ada: Person,
  name: string,
): Promise<SharedAlbum> {
  const albumId = await provisionAlbum(app, ada, name);
  const shared = sharedAlbum(app, ada, albumId, { version: 0 });
  await shared.roster(MEMBER);
  return shared;
}

function sharedAlbum(
  app: TestApp,
  ada: Person,
  albumId: string,
  published: { version: number },
): SharedAlbum {
  const owner = () => refreshed(app, ada);
  return {
    app,
    ada,
    albumId,
    owner,
    roster: async (...members) => {
      published.version += 1;
      await publishRoster(
        app,
        await owner(),
        albumId,
        published.version,
        members.map((member) => ({ member })),
      );
    },
    minted: async (over = {}) =>
      await expectJson(
        await mint(app, await owner(), albumId, {
          peer: PEER,
          member: MEMBER,
          ...over,
        }),
        201,
      ),
    revoke: async (jti, of = albumId) =>
      await app.send("DELETE", `/v1/albums/${of}/capabilities/${jti}`, {
        token: (await owner()).token,
      }),
    another: async (name) => await shareNamed(app, await owner(), name),
    over: (other) => sharedAlbum(other, ada, albumId, published),
  };
}

/** RFC 3339, so many milliseconds from now. */
export function fromNow(app: TestApp, ms: number): string {
  return new Date(app.clock.now + ms).toISOString();
}

/** Refreshes a capability and expects its successor. */
export async function successorOf(app: TestApp, token: string): Promise<Json> {
  return await expectJson(await refreshCapability(app, token), 200);
}

/** Expects that a capability reads its album's feed, and so is accepted. */
export async function expectReads(app: TestApp, token: string): Promise<void> {
  await expectJson(await app.send("GET", "/v1/sync", { token }), 200);
}

/** Expects a refusal of the capability that was presented. */
export async function expectInvalid(
  response: Response,
  what = "a capability",
): Promise<void> {
  const text = await response.clone().text();
  const challenge = response.headers.get("www-authenticate") ?? "";
  assert.equal(response.status, 401, `${what}: ${text}`);
  assert.match(challenge, /^Bearer\b.*error="invalid_token"/, what);
  await expectProblem(response, "error.federation.capability_invalid");
}

/** Expects that a capability is refused as a reader and for a refresh. */
export async function expectDead(
  app: TestApp,
  token: string,
  what?: string,
): Promise<void> {
  await expectInvalid(await app.send("GET", "/v1/sync", { token }), what);
  await expectInvalid(await refreshCapability(app, token), what);
}

/** The revoked-jti record. */
export async function revokedRecord(app: TestApp): Promise<Json> {
  return await expectJson(
    await app.send("GET", "/.well-known/service/revoked-jti", {
      protocol: null,
    }),
    200,
  );
}

/** What the revoked-jti record lists, in its order. */
export async function revokedJtis(app: TestApp): Promise<string[]> {
  const { revoked } = await revokedRecord(app);
  return revoked.map(({ jti }: Json) => jti);
}
