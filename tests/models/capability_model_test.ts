/**
 * Federation capabilities against a model of a few lines: whatever order they
 * are minted, refreshed, revoked and read in, both give the same answers
 * (protocol/federation.md#capability).
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { mint, refreshCapability } from "../support/albums.ts";
import { START_MS } from "../support/app.ts";
import {
  DAY,
  HOUR,
  MEMBER,
  MINUTE,
  PEER,
  revokedRecord,
  SECOND,
  type SharedAlbum,
  withSharedAlbum,
} from "../support/capabilities.ts";
import { expectEmpty, type Json } from "../support/expect.ts";
import { uuidOf } from "../support/people.ts";
import { partsOf } from "../support/forgery.ts";
import { modelRuns } from "../support/models.ts";

interface Grant {
  readonly album: number;
  readonly ttl: number;
  readonly end: number;
  readonly renewable: boolean;
  revoked: boolean;
}

interface Token {
  readonly grant: Grant;
  readonly expiry: number;
  /** As the server told it. */
  token: string;
  jti: string;
  successor?: Token;
}

/** What the specification says of all capabilities of a server. */
class Model {
  now = START_MS;
  readonly onRoster = [true, true];
  readonly tokens: Token[] = [];

  mint(album: number, ttl: number, lasts: number | null): Token | number {
    if (!this.onRoster[album]) return 409;
    const renewable = lasts !== null;
    const end = this.now + (lasts ?? ttl);
    return this.issue({ album, ttl, end, renewable, revoked: false });
  }

  refresh(token: Token): Token | number {
    if (!this.isLive(token)) return 401;
    if (!token.grant.renewable) return 403;
    if (!this.onRoster[token.grant.album]) return 409;
    return token.successor ??= this.issue(token.grant);
  }

  revoke(album: number, token: Token): void {
    if (token.grant.album === album) token.grant.revoked = true;
  }

  read(token: Token): number {
    return this.isLive(token) && this.onRoster[token.grant.album] ? 200 : 401;
  }

  listed(): Token[] {
    return this.tokens.filter(({ grant, expiry }) =>
      grant.revoked && expiry > this.now
    );
  }

  isLive({ grant, expiry }: Token): boolean {
    return expiry > this.now && !grant.revoked;
  }

  private issue(grant: Grant): Token {
    const expiry = Math.min(this.now + grant.ttl, grant.end);
    const token = { grant, expiry, token: "", jti: "" };
    this.tokens.push(token);
    return token;
  }
}

/** Expects a refusal, or a token: a new one, or the one that is known. */
async function expectToken(
  model: Model,
  expected: Token | number,
  isNew: boolean,
  response: Response,
): Promise<void> {
  const body: Json = await response.json();
  if (typeof expected === "number") {
    assert.equal(response.status, expected, JSON.stringify(body));
    return;
  }
  assert.ok(response.ok, JSON.stringify(body));
  if (isNew) {
    const known = model.tokens.map(({ jti }) => jti);
    assert.ok(!known.includes(body.jti));
    expected.token = body.token;
    expected.jti = body.jti;
  }
  assert.equal(body.token, expected.token);
  assert.equal(body.jti, expected.jti);
  assert.equal(Date.parse(body.expires_at), expected.expiry);
  assert.equal(Date.parse(body.not_after), expected.grant.end);
  assert.equal(partsOf(body.token)[1].exp * SECOND, expected.expiry);
  if (body.replayed !== undefined) assert.equal(body.replayed, !isNew);
}

const album = fc.constantFrom(0, 1);
const which = fc.nat(1_000);
// Mostly short: what has died gives one answer only.
const spans = [SECOND, 59 * SECOND, MINUTE, HOUR, HOUR, DAY] as const;

function kind<const K extends string>(name: K): fc.Arbitrary<K> {
  return fc.constant(name);
}

const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind("mint"),
      album,
      ttl: fc.constantFrom(MINUTE, HOUR, 6 * HOUR, DAY),
      lasts: fc.constantFrom(null, 90 * SECOND, 3 * HOUR, 2 * DAY, 90 * DAY),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: kind("refresh"), which }) },
  { weight: 6, arbitrary: fc.record({ kind: kind("read"), which }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("revoke"), album, which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind("roster"),
      album,
      named: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind("wait"),
      ms: fc.constantFrom(...spans),
      purge: fc.boolean(),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Does a step to the model and to the server, and compares their answers. */
async function take(
  step: Step,
  model: Model,
  albums: readonly [SharedAlbum, SharedAlbum],
): Promise<void> {
  const { app, owner } = albums[0];
  const { albumId, revoke, roster } =
    albums["album" in step ? step.album : 0] ?? albums[0];
  // Any token ever seen; there is none at first.
  const token = "which" in step
    ? model.tokens[step.which % Math.max(model.tokens.length, 1)]
    : undefined;
  if (step.kind === "mint") {
    const { ttl, lasts } = step;
    const until = lasts === null ? null : new Date(model.now + lasts);
    const response = await mint(app, await owner(), albumId, {
      peer: PEER,
      member: MEMBER,
      ttl_seconds: ttl / SECOND,
      renewable_until: until?.toISOString() ?? null,
    });
    const expected = model.mint(step.album, ttl, lasts);
    await expectToken(model, expected, true, response);
  } else if (step.kind === "revoke") {
    if (token !== undefined) model.revoke(step.album, token);
    const jti = token?.jti ?? uuidOf("no capability");
    await expectEmpty(await revoke(jti, albumId), 204);
  } else if (step.kind === "roster") {
    model.onRoster[step.album] = step.named;
    await (step.named ? roster(MEMBER) : roster());
  } else if (step.kind === "wait") {
    model.now += step.ms;
    app.clock.advance(step.ms);
    if (step.purge) await app.purge();
  } else if (token !== undefined && step.kind === "refresh") {
    const isNew = token.successor === undefined;
    const response = await refreshCapability(app, token.token);
    await expectToken(model, model.refresh(token), isNew, response);
  } else if (token !== undefined) {
    await expectRead(model, albums[0], token);
  }
}

async function expectRead(
  model: Model,
  { app }: SharedAlbum,
  token: Token,
): Promise<void> {
  const response = await app.send("GET", "/v1/sync?limit=1", {
    token: token.token,
  });
  const text = await response.text();
  assert.equal(response.status, model.read(token), text);
}

async function expectListed(model: Model, { app }: SharedAlbum): Promise<void> {
  const { revoked } = await revokedRecord(app);
  const expiries = revoked.map((one: Json) => Date.parse(one.expires_at));
  assert.deepEqual(
    expiries,
    expiries.toSorted((a: number, b: number) => a - b),
  );
  assert.deepEqual(
    new Map(revoked.map((one: Json) => [one.jti, Date.parse(one.expires_at)])),
    new Map(model.listed().map(({ jti, expiry }) => [jti, expiry])),
  );
}

Deno.test("in any order of mints, refreshes, revocations, roster changes and time, every answer is the specification's", async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 30, maxLength: 60 }),
      async (steps) => {
        await withSharedAlbum(async (first) => {
          const albums = [first, await first.another("second")] as const;
          const model = new Model();
          for (const one of steps) {
            await take(one, model, albums);
            await expectListed(model, first);
            taken += 1;
          }
          for (const token of model.tokens) {
            await expectRead(model, first, token);
          }
        }, { STRONGROOM_LIMIT_CAPABILITY_REFRESH: "1000000" });
      },
    ),
    { seed: 20_261_121, numRuns: modelRuns(12) },
  );
  assert.ok(taken > 100);
});
