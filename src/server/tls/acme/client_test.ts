import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { AcmeError, orderCertificate } from "./client.ts";
import { isDue } from "./keeper.ts";

const ORIGIN = "https://authority.example";
const url = (path: string) => `${ORIGIN}/${path}`;

/** Answers of an authority, by the path, one after another. */
function authorityOf(answers: Record<string, (() => Response)[]>) {
  const asked: string[] = [];
  const all = new Map(
    Object.entries(answers).map(([path, list]) => [path, [...list]]),
  );
  return {
    asked,
    fetch: (input: string | URL | Request) => {
      const path = new URL(String(input)).pathname.slice(1);
      asked.push(path);
      const left = all.get(path) ?? [];
      const next = left.length > 1 ? left.shift() : left[0];
      assert(next !== undefined, path);
      const answer = next();
      answer.headers.set("Replay-Nonce", `nonce-${asked.length}`);
      return Promise.resolve(answer);
    },
  };
}

const json = (body: unknown, init: ResponseInit = {}) => () =>
  Response.json(body, init);
const refusing = (type: string, status: number, headers = {}) =>
  json({ type: `urn:ietf:params:acme:error:${type}`, detail: type }, {
    status,
    headers,
  });

const DIRECTORY = json({
  newNonce: url("nonce"),
  newAccount: url("account"),
  newOrder: url("new-order"),
});
const ACCOUNT = json({ status: "valid" }, {
  status: 201,
  headers: { Location: url("account/1") },
});
const order = (status: string, more = {}) => ({
  status,
  authorizations: [url("authorization")],
  finalize: url("finalize"),
  ...more,
});
const authorization = (status: string, error?: unknown) =>
  json({
    status,
    challenges: [{
      type: "http-01",
      url: url("challenge"),
      token: "a-token",
      ...(error === undefined ? {} : { error }),
    }],
  });
const GOOD = {
  dir: [DIRECTORY],
  nonce: [() => new Response(null)],
  account: [ACCOUNT],
  "new-order": [
    json(order("pending"), { headers: { Location: url("order") } }),
  ],
  authorization: [authorization("pending"), authorization("valid")],
  challenge: [json({})],
  order: [
    json(order("ready")),
    json(order("valid", { certificate: url("certificate") })),
  ],
  finalize: [json(order("processing"))],
  certificate: [() => new Response("-----BEGIN CERTIFICATE-----\n")],
};

function ask(answers: Record<string, (() => Response)[]>) {
  const { privateKey: accountKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
  });
  const shown: string[] = [];
  const waited: number[] = [];
  const authority = authorityOf({ ...GOOD, ...answers });
  let passed = 0;
  const chain = orderCertificate(
    { directory: url("dir"), email: undefined, accountKey },
    {
      name: "photos.example.org",
      csr: new Uint8Array(1),
      responder: {
        show: (token, text) => shown.push(`${token} ${text}`),
        hide: (token) => shown.push(`no ${token}`),
      },
    },
    {
      fetch: authority.fetch,
      monotonic: () => passed,
      sleep(ms) {
        waited.push(ms);
        passed += ms;
        return Promise.resolve();
      },
    },
  );
  return { chain, shown, waited, asked: authority.asked };
}

Deno.test("a certificate is ordered, and the token is shown only meanwhile", async () => {
  const { chain, shown } = ask({});
  assert.match(await chain, /BEGIN CERTIFICATE/);
  assert.match(shown[0] ?? "", /^a-token a-token\.[\w-]{43}$/);
  assert.equal(shown[1], "no a-token");
});

Deno.test("a nonce that is refused is followed by another try with a new one", async () => {
  const { chain, asked } = ask({
    "new-order": [refusing("badNonce", 400), ...GOOD["new-order"]],
  });
  await chain;
  assert.equal(asked.filter((path) => path === "new-order").length, 2);
});

Deno.test("an authority that refuses every nonce is not asked for ever", async () => {
  const { chain, asked } = ask({
    "new-order": [refusing("badNonce", 400)],
  });
  await assert.rejects(chain, AcmeError);
  assert.equal(asked.filter((path) => path === "new-order").length, 10);
});

Deno.test("an order that is pending is waited for as long as the authority says", async () => {
  const { chain, waited } = ask({
    authorization: [
      authorization("pending"),
      authorization("pending"),
      authorization("valid"),
    ],
    order: [
      json(order("ready")),
      json(order("processing"), { headers: { "Retry-After": "7" } }),
      ...GOOD.order.slice(1),
    ],
  });
  await chain;
  assert.deepEqual(waited, [2_000, 7_000]);
});

Deno.test("an order that stays pending is given up", async () => {
  const { chain } = ask({ order: [json(order("processing"))] });
  await assert.rejects(chain, /longer than five minutes/);
});

Deno.test("a rate limit says when to come again", async () => {
  const { chain } = ask({
    "new-order": [refusing("rateLimited", 429, { "Retry-After": "3600" })],
  });
  await assert.rejects(
    chain,
    (error) =>
      error instanceof AcmeError && error.retryAfterMs === 3_600_000 &&
      error.message.includes("rateLimited"),
  );
});

Deno.test("a challenge that failed tells why, and its token is taken away", async () => {
  const { chain, shown } = ask({
    authorization: [
      authorization("pending"),
      authorization("invalid", { detail: "connection refused" }),
    ],
  });
  await assert.rejects(
    chain,
    /did not find this server \(connection refused\)/,
  );
  assert.equal(shown.at(-1), "no a-token");
});

Deno.test("an order that was rejected tells why", async () => {
  const { chain } = ask({
    order: [
      json(order("ready")),
      json(order("invalid", { error: { detail: "policy forbids it" } })),
    ],
  });
  await assert.rejects(chain, /the order is invalid \(policy forbids it\)/);
});

Deno.test("a certificate is due when two thirds of its life are over", () => {
  const facts = { validFrom: 0, validTo: 90 };
  assert.equal(isDue(facts, 59), false);
  assert.equal(isDue(facts, 60), true);
});
