/**
 * Who can do what with an album of another server, and who cannot: each who may
 * lie or steal, as protocol/albums-abroad.md#who-can-do-what lists them.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  equalBytes,
  fromBase64Url,
  fromUtf8,
  toBase64,
  utf8,
} from "../../src/core/bytes.ts";
import {
  IdentityChanged,
  type Library,
  openLibrary,
} from "../../src/library/mod.ts";
import {
  acceptAbroad,
  addContact,
  followAbroad,
  inviteAbroad,
  joinedAbroad,
  makeCard,
  pickupLinkOf,
  readPickup,
  removeAbroad,
  withdrawCard,
} from "../../src/library/abroad/abroad.ts";
import { parseAbroadLink } from "../../src/client/documents/abroad_links.ts";
import { ConnectionError } from "../../src/client/api/transport.ts";
import {
  cardInBetween,
  type Cast,
  DAY,
  forgedPickup,
  HOME,
  letIn,
  phoneOf,
  seen,
  take,
  withTwoServers,
} from "../support/abroad.ts";
import { idOf, photo } from "../support/album_cast.ts";
import { ORIGIN } from "../support/app.ts";
import { expectProblem } from "../support/expect.ts";
import {
  beginLibrary,
  fileOf,
  wholeOf,
  type Wire,
} from "../support/library.ts";

const MINUTE = 60_000;
const FIRST = { names: ["first"], paused: undefined };

/** Whether a request carries a capability and not the token of a session. */
function isWithCapability({ headers }: Request): boolean {
  const token = /^Bearer ([\w-]+)\./.exec(headers.get("Authorization") ?? "");
  const header = fromBase64Url(token?.[1] ?? "") ?? new Uint8Array();
  return fromUtf8(header)?.includes("service-capability+jwt") ?? false;
}

/** The calls that may carry a capability, and no others. */
const CARRYING =
  /^(GET \/v1\/albums\/[^/]+\/roster|GET \/v1\/sync|POST \/v1\/assets\/(query|blobs)|GET \/v1\/assets\/[^/]+(\/blobs\/[^/]+)?|POST \/v1\/users\/lookup|POST \/v1\/federation\/capabilities\/refresh)$/;

/** What passes a server: each request with its body, and the answers' bodies. */
function watch(wire: Wire) {
  const requests: Request[] = [];
  const bodies: Uint8Array[] = [];
  wire.intercept = async (request, pass) => {
    requests.push(request.clone());
    bodies.push(await request.clone().bytes());
    const answer = await pass(request);
    bodies.push(await answer.clone().bytes());
    return answer;
  };
  return {
    requests,
    has: (part: Uint8Array | string) => {
      const bytes = typeof part === "string" ? utf8(part) : part;
      return bodies.some((body) => indexOf(body, bytes) >= 0);
    },
  };
}

function indexOf(body: Uint8Array, part: Uint8Array): number {
  for (let at = body.indexOf(part[0] ?? 0); at >= 0;) {
    if (equalBytes(body.subarray(at, at + part.length), part)) return at;
    at = body.indexOf(part[0] ?? 0, at + 1);
  }
  return -1;
}

/** Has a server answer Bob's requests to a path with something else. */
function lie(
  wire: Wire,
  path: RegExp,
  answer: (honest: () => Promise<Response>, request: Request) =>
    | Promise<Response>
    | Response,
): void {
  wire.intercept = async (request, pass) => {
    const isIt = path.test(new URL(request.url).pathname) &&
      isWithCapability(request);
    if (!isIt) return await pass(request);
    return await answer(() => pass(request), request);
  };
}

/** Asks a server what a thief of a token may ask. */
const ask = (
  { host, home }: Cast,
  origin: string,
  [token, method, path, body]: readonly [string, string, string, unknown?],
) =>
  (origin === HOME ? home : host).fetch(`${origin}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      "X-Service-Protocol": "2026-11-01",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const tokenOf = async (bob: Library, id: string) =>
  (await bob.abroad()).joined.get(id)?.token ?? "";

/** Bob's program, started again: it has asked no server yet. */
const again = ({ bob, bobsDevice }: Cast) =>
  openLibrary(bob.vault, bobsDevice.store);

const problem = (code: string, status: number) =>
  Response.json({ type: "about:blank", status, code }, {
    status,
    headers: { "Content-Type": "application/problem+json" },
  });

interface Row {
  readonly who: string;
  readonly test: (cast: Cast) => Promise<void>;
}

const ROWS: readonly Row[] = [{
  who: "the host can withhold, delay and claim that access ended, and takes " +
    "nothing of what a member has",
  async test(cast) {
    const { bob, host } = cast;
    const { id } = await letIn(cast);
    assert.deepEqual(await seen(bob, id), FIRST);
    const claims: readonly [() => Response, RegExp][] = [
      [() => problem("error.asset.not_found", 404), /answers with an error/],
      [() => new Response("?", { status: 418 }), /answers with an error/],
      [
        () => problem("error.album.member_not_on_roster", 409),
        /answers with an error/,
      ],
      [
        () => problem("error.federation.capability_invalid", 401),
        /does not take your invitation/,
      ],
    ];
    for (const [claim, told] of claims) {
      host.intercept = (request) =>
        isWithCapability(request) || /\/renew$/.test(request.url)
          ? Promise.resolve(claim())
          : undefined;
      const { names, paused } = await seen(bob, id);
      assert.deepEqual(names, ["first"]);
      assert.match(paused ?? "", told);
    }
    lie(host, /roster$/, () => {
      throw new TypeError("connection reset");
    });
    await assert.rejects(followAbroad(bob, id), ConnectionError);
    host.intercept = undefined;
    assert.deepEqual(await seen(bob, id), FIRST);
  },
}, {
  who: "the host can see the member's name and when they read, and nothing " +
    "but the calls of a member carries the token",
  async test(cast) {
    const { bob, host, home, pass } = cast;
    const [at, away] = [watch(host), watch(home)];
    const { id, member } = await letIn(cast);
    await seen(bob, id);
    pass(DAY * 0.6);
    assert.deepEqual(await seen(bob, id), FIRST);
    [host.intercept, home.intercept] = [undefined, undefined];
    assert.ok(at.has(member));
    const carrying = at.requests.filter(isWithCapability)
      .map(({ method, url }) => `${method} ${new URL(url).pathname}`);
    assert.ok(carrying.length > 0);
    assert.deepEqual(carrying.filter((one) => !CARRYING.test(one)), []);
    assert.deepEqual(away.requests.filter(isWithCapability), []);
    for (const sent of at.requests.filter(isWithCapability)) {
      assert.deepEqual(
        [sent.credentials, sent.redirect, sent.referrerPolicy],
        ["omit", "error", "no-referrer"],
      );
    }
    // Neither server, and no attacker in between, had the album's content.
    for (const watched of [at, away]) {
      assert.ok(!watched.has("Bornholm"));
      assert.ok(!watched.has("first.jpg"));
      assert.ok(!watched.has(photo("first").subarray(100, 140)));
    }
    assert.ok(!away.has(await tokenOf(bob, id)));
  },
}, {
  who: 'the host can hand originals to a "small pictures" member, and the ' +
    "program shows the small pictures all the same",
  async test(cast) {
    const { ada, bob, host } = cast;
    const { id: albumId } = await ada.albums.create({ title: "Bornholm" });
    const small = utf8("a small picture");
    await ada.take({
      ...fileOf("first.jpg", photo("first")),
      derivatives: [{ kind: "preview", mime: "image/webp", bytes: small }],
    }, { albumId });
    const { member } = await addContact(ada, (await makeCard(bob)).link);
    const link = await inviteAbroad(ada, albumId, member, { small: true });
    const read = await readPickup(bob, pickupLinkOf(link));
    await acceptAbroad(bob, read);
    const shown = async () => {
      const { rows, reading, paused } = await followAbroad(bob, read.id);
      assert.equal(paused, undefined);
      const [row] = rows;
      assert.equal(row?.metadata?.name, "first.webp");
      assert.equal(row.metadata.size, small.length);
      assert.deepEqual(await wholeOf(reading.read(row.id)), small);
      return row.blobs.map(({ role }) => role);
    };
    assert.ok(!(await shown()).includes("original"));
    // Let in again without a word of it, they see what they saw before.
    await removeAbroad(ada, albumId, member);
    await inviteAbroad(ada, albumId, member);
    assert.ok(!(await shown()).includes("original"));
    let asAda = "";
    host.intercept = (request, pass) => {
      const { pathname } = new URL(request.url);
      if (!isWithCapability(request)) {
        asAda = request.headers.get("Authorization") ?? asAda;
        return undefined;
      }
      if (pathname !== "/v1/assets/query") return undefined;
      const headers = new Headers(request.headers);
      headers.set("Authorization", asAda);
      return pass(new Request(request, { headers }));
    };
    await ada.vault.session.account.profile();
    await take(ada, "second", albumId);
    await followAbroad(bob, read.id);
    const { rows } = await followAbroad(bob, read.id);
    const second = rows.find(({ metadata }) => metadata?.name === "second.jpg");
    assert.ok(second?.blobs.some(({ role }) => role === "original"));
  },
}, {
  who: "the host cannot change photos or their texts, nor add any",
  async test(cast) {
    const { ada, bob, host } = cast;
    const { albumId, id } = await letIn(cast);
    assert.deepEqual(await seen(bob, id), FIRST);
    await take(ada, "second", albumId);
    const flip = (text: string) => {
      const bytes = utf8(text);
      bytes[40] = (bytes[40] ?? 0) ^ 1;
      return toBase64(bytes);
    };
    const changes: readonly ((asset: Record<string, unknown>) => unknown)[] = [
      (asset) => ({ ...asset, metadata: flip(String(asset["metadata"])) }),
      (asset) => ({ ...asset, provenance: flip(String(asset["provenance"])) }),
      (asset) => ({ ...asset, chain_head: "0".repeat(64) }),
      (asset) => ({ ...asset, blobs: [] }),
      (asset) => ({ ...asset, asset_id: albumId }),
    ];
    for (const change of changes) {
      lie(host, /assets\/query$/, async (honest) => {
        const { assets } = await (await honest()).json();
        return Response.json({ assets: assets.map(change) });
      });
      assert.deepEqual((await seen(bob, id)).names, ["first"]);
    }
    // What is served in place of a photo's bytes is no photo.
    host.intercept = undefined;
    cast.pass(DAY / 2);
    const { rows, reading } = await followAbroad(bob, id);
    assert.equal(rows.length, 2);
    lie(host, /blobs\/[0-9a-f]{64}$/, async (honest) => {
      const answer = await honest();
      const bytes = await answer.bytes();
      bytes[60] = (bytes[60] ?? 0) ^ 1;
      return new Response(bytes, answer);
    });
    await assert.rejects(wholeOf(reading.read(rows[0]?.id ?? "")), {
      name: "DamagedBlob",
    });
  },
}, {
  who: "the host cannot pass off one album as another, nor speak for its owner",
  async test(cast) {
    const { ada, bob, host, deviceOf } = cast;
    const one = await letIn(cast);
    const other = await letIn(cast);
    await seen(bob, one.id);
    await ada.albums.describe(one.albumId, { title: "Rügen" });
    await ada.albums.describe(other.albumId, { title: "Another" });
    await ada.albums.describe(other.albumId, { title: "Hiddensee" });
    const theirs = await ada.vault.session.account.roster(other.albumId);
    lie(host, /roster$/, () => new Response(theirs));
    const { names, paused } = await seen(bob, one.id);
    assert.deepEqual(names, ["first"]);
    assert.match(paused ?? "", /another album's/);
    host.intercept = undefined;
    const mallory = await beginLibrary(
      deviceOf(ORIGIN, "mallory's"),
      "mallory",
    );
    const told = { albumId: one.albumId, owner: idOf(ada) };
    const forged = await forgedPickup(cast, mallory, told);
    await assert.rejects(readPickup(bob, forged), IdentityChanged);
    assert.equal((await seen(bob, one.id)).paused, undefined);
  },
}, {
  who: "the home server can drop cards and know that one is read, and pauses " +
    "nothing that its member has",
  async test(cast) {
    const { ada, bob, home } = cast;
    const { albumId, id } = await letIn(cast);
    const { link } = await makeCard(bob);
    const { opaqueId, secret } = parseAbroadLink(link) ?? {};
    const cards = watch(home);
    await addContact(ada, link);
    assert.ok(cards.requests.some(({ url }) => url.includes(opaqueId ?? "?")));
    assert.ok(!cards.has(toBase64(secret ?? utf8("?"))));
    home.intercept = (request) =>
      request.url.includes(opaqueId ?? "?")
        ? Promise.resolve(problem("error.share.not_found", 404))
        : undefined;
    await assert.rejects(addContact(ada, link), { status: 404 });
    assert.deepEqual(await seen(bob, id), FIRST);
    const failures = [
      () => Promise.reject(new TypeError("connection refused")),
      () => Promise.resolve(problem("error.internal", 500)),
      () => Promise.resolve(new Response("?", { status: 418 })),
      () => Promise.resolve(problem("error.state.not_found", 404)),
    ];
    for (const [at, failure] of failures.entries()) {
      const restarted = await again(cast);
      await take(ada, `more ${at}`, albumId);
      // As long as it takes until the token has to be another one.
      cast.pass(DAY * 0.6);
      home.intercept = failure;
      const { names, paused } = await seen(restarted, id);
      assert.equal(paused, undefined, String(at));
      assert.equal(names.length, at + 2);
    }
  },
}, {
  who: "the home server cannot make or change a card",
  async test(cast) {
    const { ada, bob, home } = cast;
    const one = await makeCard(bob);
    const other = parseAbroadLink((await makeCard(bob)).link);
    const { opaqueId = "" } = parseAbroadLink(one.link) ?? {};
    home.intercept = (request, pass) => {
      const swapped = request.url.replace(opaqueId, other?.opaqueId ?? "");
      return pass(new Request(swapped, request));
    };
    await assert.rejects(addContact(ada, one.link), /does not open/);
    home.intercept = async (request, pass) => {
      const answer = await pass(request);
      if (!/\/blob\//.test(request.url)) return answer;
      const bytes = await answer.bytes();
      bytes[99] = (bytes[99] ?? 0) ^ 1;
      return new Response(bytes, answer);
    };
    await assert.rejects(addContact(ada, one.link), /shows something else/);
    home.intercept = undefined;
    await addContact(ada, one.link);
  },
}, {
  who:
    "both servers and whoever carried the links can put themselves between " +
    "at first sight, not once the numbers are compared, and not later",
  async test(cast) {
    const { ada, bob, deviceOf } = cast;
    const carl = await beginLibrary(deviceOf(HOME, "carl's"), "carl");
    const { forged } = await cardInBetween(carl);
    const between = await addContact(ada, forged);
    const real = (await makeCard(carl)).card;
    await assert.rejects(addContact(ada, real), IdentityChanged);
    const believes = carl.vault.identity.signer.keyId;
    const { safetyNumber } = await addContact(ada, real, { believes });
    assert.notEqual(safetyNumber, between.safetyNumber);
    // Later neither of the two is taken for another.
    await assert.rejects(addContact(ada, forged), IdentityChanged);
    const { id } = await letIn(cast);
    await assert.rejects(
      addContact(ada, (await cardInBetween(bob)).forged),
      IdentityChanged,
    );
    assert.deepEqual(await seen(bob, id), FIRST);
  },
}, {
  who: "who finds a card's link can read the keys and the name, and is not " +
    "taken for the album's owner",
  async test(cast) {
    const { ada, bob, deviceOf } = cast;
    const { safetyNumber } = await letIn(cast);
    const mallory = await beginLibrary(deviceOf(ORIGIN, "finder's"), "finder");
    const card = await makeCard(bob, { name: "Bob" });
    const { member, name } = await addContact(mallory, card.link);
    assert.deepEqual([member, name], [`${idOf(bob)}@${HOME}`, "Bob"]);
    const { id: albumId } = await mallory.albums.create({ title: "Bornholm" });
    const link = pickupLinkOf(await inviteAbroad(mallory, albumId, member));
    const read = await readPickup(bob, link);
    assert.notEqual(read.safetyNumber, safetyNumber);
    assert.notEqual(read.owner, `${idOf(ada)}@${ORIGIN}`);
    await withdrawCard(bob, card.cardId);
    await assert.rejects(readPickup(bob, link), {
      fault: "no_card_of_yours",
    });
    await assert.rejects(addContact(ada, card.link), { status: 404 });
  },
}, {
  who: "who finds a pickup's link can see that there is one, and not open it",
  async test(cast) {
    const { bob, host, deviceOf } = cast;
    const { link, id } = await letIn(cast);
    const finder = await beginLibrary(deviceOf(HOME, "thief's"), "thief");
    await makeCard(finder);
    const { opaqueId } = pickupLinkOf(link);
    const shown = await host.fetch(`${ORIGIN}/s/${opaqueId}`, {
      headers: { Accept: "application/json" },
    });
    assert.equal(shown.status, 200);
    await shown.body?.cancel();
    await assert.rejects(readPickup(finder, pickupLinkOf(link)), {
      fault: "not_yours",
    });
    assert.deepEqual(await joinedAbroad(finder), []);
    assert.deepEqual(await seen(bob, id), FIRST);
  },
}, {
  who: "who steals a token can read ciphertext, the roster and who has an " +
    "account until it is revoked, and open nothing; no other server takes it",
  async test(cast) {
    const { ada, bob } = cast;
    const { albumId, id } = await letIn(cast);
    await seen(bob, id);
    const { rows: [row] } = await followAbroad(bob, id);
    const token = await tokenOf(bob, id);
    const blob = row?.blobs.find(({ role }) => role === "original")?.hash;
    const paths: readonly [string, string, unknown?][] = [
      ["GET", `/v1/albums/${albumId}/roster`],
      ["GET", `/v1/assets/${row?.id}/blobs/${blob}`],
      ["POST", "/v1/users/lookup", { user_id: idOf(ada) }],
    ];
    const asked = async (origin: string, bearer: string) => {
      const answers = await Promise.all(
        paths.map((one) => ask(cast, origin, [bearer, ...one])),
      );
      for (const answer of answers) {
        const bytes = await answer.bytes();
        assert.ok(indexOf(bytes, utf8("Bornholm")) < 0);
        assert.ok(indexOf(bytes, photo("first").subarray(0, 40)) < 0);
      }
      return answers.map(({ status }) => status);
    };
    assert.deepEqual(await asked(ORIGIN, token), [200, 200, 200]);
    assert.deepEqual(await asked(HOME, token), [401, 401, 401]);
    const refresh = "/v1/federation/capabilities/refresh";
    const refreshed = await ask(cast, ORIGIN, [token, "POST", refresh]);
    assert.equal(refreshed.status, 200);
    const { token: next } = await refreshed.json();
    assert.deepEqual(await asked(ORIGIN, next), [200, 200, 200]);
    const written = await ask(cast, ORIGIN, [
      next,
      "DELETE",
      `/v1/assets/${row?.id}`,
    ]);
    await expectProblem(written, "error.auth.token_invalid");
    await removeAbroad(ada, albumId, `${idOf(bob)}@${HOME}`);
    for (const one of [token, next]) {
      assert.deepEqual(await asked(ORIGIN, one), [401, 401, 401]);
    }
  },
}, {
  who: "who steals a member's state reads as the member, until the owner " +
    "removes them",
  async test(cast) {
    const { ada, bob } = cast;
    const { albumId, id, member } = await letIn(cast);
    const thief = await phoneOf(cast);
    assert.deepEqual(await seen(thief, id), FIRST);
    await removeAbroad(ada, albumId, member);
    await take(ada, "second", albumId);
    for (const one of [bob, thief]) {
      const { names, paused } = await seen(one, id);
      assert.ok(!names.includes("second"));
      assert.equal(paused, "its owner ended it");
    }
  },
}, {
  who: "of the clocks the issuer's alone counts, and a card is judged with " +
    "ten minutes",
  async test(cast) {
    const { ada, bob, pass, deviceOf } = cast;
    const card = await makeCard(bob, { days: 1 });
    pass(DAY + 9 * MINUTE);
    await addContact(ada, card.card);
    pass(2 * MINUTE);
    await assert.rejects(addContact(ada, card.card), { fault: "expired" });
    const { id } = await letIn(cast);
    const skewed = {
      ...cast,
      deviceOf: (server: string, seed: string) => {
        const device = deviceOf(server, seed);
        const { platform } = device;
        const now = () => platform.now() + 400 * DAY;
        return { ...device, platform: { ...platform, now } };
      },
    };
    assert.deepEqual(await seen(await phoneOf(skewed), id), FIRST);
  },
}, {
  who: "federation that is turned off at the host pauses the album and loses " +
    "nothing",
  async test(cast) {
    const { bob, host } = cast;
    const { id } = await letIn(cast);
    await seen(bob, id);
    host.app = await host.app.reopen({ STRONGROOM_FEDERATION: "off" });
    const { names, paused } = await seen(bob, id);
    assert.deepEqual(names, ["first"]);
    assert.match(paused ?? "", /does not share with other servers/);
    const answer = await ask(cast, ORIGIN, [
      await tokenOf(bob, id),
      "GET",
      "/v1/sync",
    ]);
    assert.equal(answer.status, 401);
    await answer.body?.cancel();
    host.app = await host.app.reopen({ STRONGROOM_FEDERATION: "on" });
    assert.deepEqual(await seen(bob, id), FIRST);
  },
}, {
  who: "federation that is turned off at home makes no card, and what was " +
    "joined goes on",
  async test(cast) {
    const { bob, home } = cast;
    const { id } = await letIn(cast);
    const base = { STRONGROOM_BASE_URL: HOME };
    home.app = await home.app.reopen({ ...base, STRONGROOM_FEDERATION: "off" });
    await assert.rejects(makeCard(bob), { fault: "off" });
    assert.deepEqual(await seen(bob, id), FIRST);
    assert.deepEqual(await seen(await again(cast), id), FIRST);
    home.app = await home.app.reopen({ ...base, STRONGROOM_FEDERATION: "on" });
  },
}];

Deno.test("who can do what with an album of another server", async (t) => {
  await withTwoServers(async (cast) => {
    for (const { who, test } of ROWS) {
      await t.step(who, () => test(cast));
      [cast.host.intercept, cast.home.intercept] = [undefined, undefined];
    }
  });
});
