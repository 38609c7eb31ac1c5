/**
 * A malicious provider: a network that fails, and what is logged of it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { brokenListener, dripping, UNUSABLE } from "../support/bad_answers.ts";
import { authorize, begin, callback } from "../support/ceremony.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  type Endpoint,
  signed,
  withParty,
} from "../support/malicious_provider.ts";
import { CLIENT_ID, CLIENT_SECRET, REDIRECT_URL } from "../support/provider.ts";
import { freePort } from "../../src/server/free_port.ts";

Deno.test("a provider that is gone, or breaks off, is 500 oidc_unavailable", async () => {
  const broken = brokenListener();
  for (const url of [`http://127.0.0.1:${freePort()}`, broken.url]) {
    await withParty(async ({ app, provider, signIn, sentBack }) => {
      provider.metadata["token_endpoint"] = `${url}/token`;
      await expectProblem(await signIn(), "error.auth.oidc_unavailable");
      provider.metadata["token_endpoint"] = `${provider.origin}/token`;
      provider.metadata["jwks_uri"] = `${url}/keys`;
      app.clock.advance(86_400_000);
      await expectProblem(
        await callback(app, await sentBack()),
        "error.auth.oidc_unavailable",
      );
    });
    await withTestApp(async (app) => {
      await expectProblem(await authorize(app), "error.auth.oidc_unavailable");
    }, {
      settings: {
        OIDC_ISSUER: url,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_REDIRECT_URL: REDIRECT_URL,
      },
      fetch,
    });
  }
  await broken.close();
});

/** Has no timer of a request run out but when it is told to. */
function holdTimeouts(): Disposable & {
  readonly lengths: readonly number[];
  readonly runOut: () => void;
} {
  const { timeout } = AbortSignal;
  const held: AbortController[] = [];
  const lengths: number[] = [];
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    held.push(controller);
    lengths.push(ms);
    return controller.signal;
  };
  return {
    lengths,
    runOut: () => {
      for (const one of held) {
        one.abort(new DOMException("it took too long", "TimeoutError"));
      }
    },
    [Symbol.dispose]: () => AbortSignal.timeout = timeout,
  };
}

Deno.test("an answer that never comes, or never ends, is given up after ten seconds", async () => {
  const silent = (signal: AbortSignal) =>
    new Promise<Response>((resolve) => {
      signal.addEventListener("abort", () => resolve(new Response()));
    });
  const late = async (
    endpoint: Endpoint,
    answer: (signal: AbortSignal) => Response | Promise<Response>,
  ) => {
    await withParty(async ({ app, provider, signIn, sentBack }) => {
      const begins = endpoint === "discovery";
      const sent = begins ? undefined : await sentBack();
      const asked = Promise.withResolvers<void>();
      provider.answers.set(endpoint, (_, signal) => {
        asked.resolve();
        return answer(signal);
      });
      using timeouts = holdTimeouts();
      const answered = sent === undefined
        ? authorize(app)
        : callback(app, sent);
      await asked.promise;
      timeouts.runOut();
      await expectProblem(await answered, "error.auth.oidc_unavailable");
      assert.deepEqual([...new Set(timeouts.lengths)], [10_000]);
      provider.answers.clear();
      await expectJson(await signIn(), 200);
    });
  };
  await late("token", silent);
  await late("token", dripping);
  await late("keys", dripping);
  await late("discovery", silent);
});

Deno.test("no secret of a ceremony comes into the log", async () => {
  await withParty(async ({ app, provider }) => {
    const secrets = new Set<string>([CLIENT_SECRET]);
    const failing = async (change: () => void, claims = {}) => {
      const begun = await begin(app);
      const nonce = new URL(begun.authorization_url).searchParams.get("nonce");
      const sent = provider.approve(begun.authorization_url, claims);
      secrets.add(sent.code).add(sent.state).add(nonce ?? "");
      change();
      const response = await callback(app, sent);
      assert(response.status >= 400, await response.text());
      provider.answers.clear();
    };
    provider.idToken = async (claims) => {
      const token = await signed(provider.signer, claims);
      secrets.add(token);
      secrets.add(token.slice(token.lastIndexOf(".")));
      return token;
    };
    await failing(() => {}, { iss: "https://other.example" });
    await failing(() => {}, { nonce: "another" });
    await failing(() => {}, { exp: 1 });
    const issued = "an access token that was issued";
    secrets.add(issued);
    await failing(() =>
      provider.answers.set(
        "token",
        () => Response.json({ access_token: issued }, { status: 201 }),
      )
    );
    for (const answer of Object.values(UNUSABLE)) {
      await failing(() => provider.answers.set("token", answer));
    }
    for (const { path, body } of provider.seen) {
      if (path !== "/token") continue;
      secrets.add(new URLSearchParams(body).get("code_verifier") ?? "");
    }
    const log = JSON.stringify(app.logged);
    for (const secret of secrets) {
      assert(secret.length > 5 && !log.includes(secret), secret);
    }
  });
});
