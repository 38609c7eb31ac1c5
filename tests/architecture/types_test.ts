/**
 * What must not compile. Each `@ts-expect-error` is itself an error as soon as
 * the line below it compiles, so that `deno check` proves every sentence here.
 *
 * @module
 */
import assert from "node:assert/strict";
import { z } from "zod";
import * as zMini from "zod/mini";
import { askingOver } from "../../src/client/api/asking.ts";
import { problem, type Raise } from "../../src/core/problem.ts";
import { route as appRoute } from "../../src/features/app.ts";
import { charge } from "../../src/features/charge.ts";
import { asOfNow, type Call, type CallBy } from "../../src/features/call.ts";
import { routesOver } from "../../src/http/route.ts";
import { open as openAnswer } from "../../src/wire/open.ts";

const rateLimited = { extra: { retry_after: 1 }, retryAfterSeconds: 1 };

const route = routesOver<{ readonly name: string }>();

const spec = {
  operation: "example",
  method: "GET",
  path: "/v1/example/{id}",
  summary: "An example",
  credential: "none",
  params: {
    id: { parse: (text: string) => text, schema: {}, description: "" },
  },
  success: {
    200: { kind: "json", schema: z.strictObject({ name: z.string() }) },
    204: { kind: "empty", headers: ["ETag"] },
  },
  problems: ["error.share.not_found", "error.share.rate_limited"],
} as const;

Deno.test("a handler that answers what it declares compiles", () => {
  const declared = [
    route(spec).by(({ app }) => ({ status: 200, json: { name: app.name } })),
    route(spec).by(() => ({ status: 204, headers: { ETag: '"x"' } })),
    route(spec).by(({ raise }) => {
      throw raise("error.share.not_found");
    }),
  ];
  assert.equal(declared.length, 3);
});

Deno.test("a handler that answers an undeclared status does not compile", () => {
  // @ts-expect-error: 201 is not declared.
  route(spec).by(() => ({ status: 201, json: { name: "" } }));
});

Deno.test("a handler that answers an undeclared field does not compile", () => {
  // @ts-expect-error: `name` is missing and `secret` is not declared.
  route(spec).by(() => ({ status: 200, json: { secret: "" } }));
});

Deno.test("a handler that sends an undeclared header does not compile", () => {
  // @ts-expect-error: Set-Cookie is not declared.
  route(spec).by(() => ({ status: 204, headers: { "Set-Cookie": "" } }));
});

Deno.test("a handler that raises an undeclared code does not compile", () => {
  route(spec).by(({ raise }) => {
    // @ts-expect-error: the code is in the catalogue, not in the declaration.
    throw raise("error.album.not_found");
  });
});

Deno.test("a handler reads only the parameters that it declares", () => {
  route(spec).by(({ params }) => ({
    status: 200,
    // @ts-expect-error: there is no such path group.
    json: { name: params.other },
  }));
});

Deno.test("a handler without a credential has no caller", () => {
  route(spec).by(({ caller }) => ({
    status: 200,
    // @ts-expect-error: no one is signed in here.
    json: { name: caller.userId },
  }));
});

Deno.test("a handler for readers knows an account only once it has seen a session", () => {
  const readers = { ...spec, credential: "reader" } as const;
  route(readers).by(({ caller }) => ({
    status: 200,
    // @ts-expect-error: the caller may be a capability, which has no account.
    json: { name: caller.userId },
  }));
  route(readers).by(({ caller }) => ({
    status: 200,
    json: { name: caller.kind === "session" ? caller.userId : caller.member },
  }));
});

Deno.test("a handler for capabilities has no account", () => {
  const capability = { ...spec, credential: "capability" } as const;
  route(capability).by(({ caller }) => ({
    status: 200,
    // @ts-expect-error: no one of this server is signed in here.
    json: { name: caller.userId },
  }));
  route(capability).by(({ caller }) => ({
    status: 200,
    json: { name: caller.albumId },
  }));
});

Deno.test("a handler for sessions is never given a capability", () => {
  const session = { ...spec, credential: "session" } as const;
  route(session).by(({ caller }) => ({
    status: 200,
    // @ts-expect-error: there is no overlap, so there is nothing to ask.
    json: { name: caller.kind === "capability" ? "" : caller.userId },
  }));
  route(session).by(({ caller }) => ({
    status: 200,
    // @ts-expect-error: a session has no album of its own.
    json: { name: caller.albumId },
  }));
});

/** A domain function that needs one code. */
function revoke(raise: Raise<"error.share.not_found">) {
  return raise("error.share.not_found");
}

/** A domain function that needs a code which the route lacks. */
function rename(raise: Raise<"error.album.not_found">) {
  return raise("error.album.not_found");
}

Deno.test("a domain function is limited to the codes of its route", () => {
  route(spec).by(({ raise }) => {
    throw revoke(raise);
  });
  route(spec).by(({ raise }) => {
    // @ts-expect-error: rename could raise what the route does not declare.
    throw rename(raise);
  });
});

Deno.test("a problem cannot be raised without its extension fields", () => {
  // @ts-expect-error: current_version is required.
  const raiseBare = () => problem("error.directory.version_conflict");
  const wrong = { extra: { at: 1 } };
  // @ts-expect-error: `offset` is required.
  const raiseWrong = () => problem("error.upload.offset_conflict", wrong);
  // @ts-expect-error: every 429 carries Retry-After.
  const raiseNow = () => problem("error.upload.too_many_open");
  assert.equal([raiseBare, raiseWrong, raiseNow].length, 3);
});

/** The rules of an operation, as features write them. */
function withdraw(call: Call<"error.share.not_found">) {
  return vanished(call);
}

function vanished({ raise }: Call<"error.share.not_found">) {
  return raise("error.share.not_found");
}

function relabel({ raise }: Call<"error.album.not_found">) {
  return raise("error.album.not_found");
}

function ownedBy({ caller }: CallBy<"session", never>) {
  return caller.userId;
}

Deno.test("rules that are handed a call are limited to the codes of its route", () => {
  appRoute(spec).by((call) => {
    throw withdraw(call);
  });
  appRoute(spec).by(({ params: _, ...call }) => {
    throw withdraw(call);
  });
  appRoute(spec).by((call) => {
    // @ts-expect-error: relabel could raise what the route does not declare.
    throw relabel(call);
  });
  appRoute(spec).by(({ params: _, ...call }) => {
    // @ts-expect-error: what is left of the context declares no more codes.
    throw relabel(call);
  });
  appRoute(spec).by((call) => {
    // @ts-expect-error: later on it declares no more codes either.
    throw relabel(asOfNow(call));
  });
});

Deno.test("rules raise no code beyond their own, for any caller", () => {
  const raiseMore = ({ raise }: Call<"error.share.not_found">) =>
    // @ts-expect-error: the route declares the code, and these rules do not.
    raise("error.share.rate_limited", rateLimited);
  const handOn = (call: Call<"error.share.not_found">) =>
    // @ts-expect-error: relabel could raise what these rules do not name.
    relabel(call);
  const handOnBoth = (
    call: Call<"error.share.not_found" | "error.album.not_found">,
  ) => [withdraw(call), relabel(call)];
  const raiseNone = ({ raise }: Call<never>) =>
    // @ts-expect-error: a call of no codes raises none.
    raise("error.share.not_found");
  assert.equal([raiseMore, handOn, handOnBoth, raiseNone].length, 4);
});

Deno.test("rules for a credential are handed no call without it", () => {
  const json = (name: string) => ({ status: 200, json: { name } }) as const;
  const session = { ...spec, credential: "session" } as const;
  appRoute(session).by((call) => json(ownedBy(call)));
  // @ts-expect-error: no one is signed in here.
  appRoute(spec).by((call) => json(ownedBy(call)));
  const reader = { ...spec, credential: "reader" } as const;
  // @ts-expect-error: a capability has no account.
  appRoute(reader).by((call) => json(ownedBy(call)));
});

Deno.test("a budget is spent under the key that its row says", () => {
  const spend = (call: Call<never>) => [
    charge(call, "report_account", ["peer", "account"]),
    // @ts-expect-error: whose account it is belongs to the key.
    charge(call, "report_account", ["peer"]),
    // @ts-expect-error: there is one bucket for the whole server.
    charge(call, "oidc_authorize_refused", ["host"]),
    // @ts-expect-error: there is no such budget.
    charge(call, "lookups", ["account"]),
  ];
  assert.equal(spend.length, 1);
});

Deno.test("a client reads no answer by a schema of its own", () => {
  const { get } = askingOver(() => Promise.reject(new Error("not sent")));
  const own = zMini.object({ name: zMini.string() });
  // @ts-expect-error: only what `open` makes of a declaration reads answers.
  const ask = () => get("/v1/version", own);
  const read = async () => (await get("/v1/version", openAnswer(own))).name;
  assert.equal([ask, read].length, 2);
});
