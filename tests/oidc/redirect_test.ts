/**
 * Which redirects begin a ceremony, and what they are charged to
 * (protocol/authentication.md#redirects).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import { authorize, begin } from "../support/ceremony.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { withParty } from "../support/malicious_provider.ts";
import { REDIRECT_URL } from "../support/provider.ts";

const MINUTE_MS = 60_000;
const LOOPBACK = { OIDC_ALLOW_LOOPBACK_REDIRECT: "on" };

const ADMITTED_ON_LOOPBACK = [
  "http://127.0.0.1",
  "http://127.0.0.1/",
  "http://127.0.0.1:1/",
  "http://127.0.0.1:8080/back?from=here&to=%2F",
  "http://127.0.0.1:65535/back",
  "http://[::1]/",
  "http://[::1]:49152/back",
];

/** Never admitted, loopback or not. */
const REFUSED = [
  // Anything but the configured text.
  `${REDIRECT_URL}/`,
  `${REDIRECT_URL}?`,
  `${REDIRECT_URL}?a=b`,
  `${REDIRECT_URL}#`,
  ` ${REDIRECT_URL}`,
  `${REDIRECT_URL}\n`,
  REDIRECT_URL.replace("https:", "HTTPS:"),
  REDIRECT_URL.replace("photos", "Photos"),
  REDIRECT_URL.replace(".org", ".org:443"),
  REDIRECT_URL.replace(".org", ".org."),
  REDIRECT_URL.replace("signed-in", "signed%2din"),
  REDIRECT_URL.replace("/signed-in", "/./signed-in"),
  REDIRECT_URL.replace("https:", "http:"),
  "https://other.example/signed-in",
  "https://photos.example.org",
  "",
  "back",
  "/signed-in",
  "//photos.example.org/signed-in",
  "javascript:alert(1)",
  "data:text/html,x",
  "com.example.app:/back",
  // Other names of the own machine.
  "http://localhost/",
  "http://localhost:8080/back",
  "http://LOCALHOST/",
  "http://127.1/",
  "http://127.0.1/",
  "http://127.0.0.2/",
  "http://127.000.000.001/",
  "http://0177.0.0.1/",
  "http://0x7f.0.0.1/",
  "http://0x7f000001/",
  "http://2130706433/",
  "http://127.0.0.1./",
  "http://127.0.0.1.evil.example/",
  "http://\uff11\uff12\uff17.0.0.1/",
  "http://127%2e0.0.1/",
  "http://0.0.0.0/",
  "http://[::]/",
  "http://[::0001]/",
  "http://[0::1]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::1%25lo]/",
  "http://::1/",
  // Other schemes, cases and ports on loopback.
  "https://127.0.0.1/",
  "https://127.0.0.1:8443/back",
  "https://[::1]/",
  "HTTP://127.0.0.1/",
  "Http://[::1]/",
  "ws://127.0.0.1/",
  "http:127.0.0.1/",
  "http:/127.0.0.1/",
  "http:///127.0.0.1/",
  "http:\\\\127.0.0.1/",
  "http://127.0.0.1:/",
  "http://127.0.0.1:65536/",
  "http://127.0.0.1:99999/",
  "http://127.0.0.1:123456/",
  "http://127.0.0.1:-1/",
  "http://127.0.0.1:+80/",
  "http://127.0.0.1:80a/",
  "http://127.0.0.1: 80/",
  // Fragments and user information.
  "http://127.0.0.1/#",
  "http://127.0.0.1/back#at",
  "http://127.0.0.1#at",
  "http://127.0.0.1?#",
  "http://ada@127.0.0.1/",
  "http://ada:secret@127.0.0.1/",
  "http://@127.0.0.1/",
  "http://127.0.0.1@evil.example/",
  "http://127.0.0.1:80@evil.example/",
  "http://127.0.0.1\\@evil.example/",
  "http://127.0.0.1;evil.example/",
  // What a browser would take out or escape.
  " http://127.0.0.1/",
  "http://127.0.0.1/ ",
  "http://127.0.0.1/\n",
  "http://127.0.0.1/\r\nx",
  "http://127.0.0.1/a b",
  "http://127.0.0.1/\t",
  "http://127.0.0.1/\u0000",
  "http://127.0.0.1/\u00e9",
  "http://127.0.0.1\n/",
];

Deno.test("a redirect that is not exactly the configured one, nor a loopback literal, is 400", async () => {
  for (const settings of [{}, LOOPBACK]) {
    await withParty(async ({ app }) => {
      const answers = new Set<string>();
      for (const redirectUri of REFUSED) {
        const response = await authorize(app, redirectUri);
        answers.add(await response.clone().text());
        assert.equal(response.status, 400, JSON.stringify(redirectUri));
        await expectProblem(response, "error.auth.oidc_redirect_invalid");
      }
      assert.equal(answers.size, 1);
      await begin(app);
    }, { settings });
  }
});

Deno.test("loopback literals on any port are admitted, but only when that is on", async () => {
  await withParty(async ({ app }) => {
    for (const redirectUri of ADMITTED_ON_LOOPBACK) {
      const { authorization_url } = await begin(app, redirectUri);
      const asked = new URL(authorization_url).searchParams;
      assert.equal(asked.get("redirect_uri"), redirectUri);
    }
  }, { settings: LOOPBACK });
  await withParty(async ({ app }) => {
    for (const redirectUri of ADMITTED_ON_LOOPBACK) {
      await expectProblem(
        await authorize(app, redirectUri),
        "error.auth.oidc_redirect_invalid",
      );
    }
  });
});

Deno.test("without a configured redirect only loopback is admitted", async () => {
  await withParty(async ({ app }) => {
    await begin(app, "http://[::1]:5001/");
    for (const redirectUri of [REDIRECT_URL, "", "undefined", "null"]) {
      await expectProblem(
        await authorize(app, redirectUri),
        "error.auth.oidc_redirect_invalid",
      );
    }
  }, { settings: { ...LOOPBACK, OIDC_REDIRECT_URL: "" } });
});

Deno.test("the log names the redirect expected and received, in bounds", async () => {
  await withParty(async ({ app }) => {
    await authorize(app, "https://photos.example.org/signed-out\nok");
    const [line] = app.logged;
    assert.equal(
      line?.properties["cause"],
      `expected "${REDIRECT_URL}", ` +
        'received "https://photos.example.org/signed-out\\nok"',
    );
    app.logged.length = 0;
    await expectProblem(
      await authorize(app, "x".repeat(500_000)),
      "error.auth.oidc_redirect_invalid",
    );
    assert(JSON.stringify(app.logged).length < 10_000);
  });
});

Deno.test("where no provider is configured authorize is 404 and server-info says null", async () => {
  await withTestApp(async (app) => {
    for (const redirectUri of [REDIRECT_URL, "http://127.0.0.1/", "nonsense"]) {
      await expectProblem(
        await authorize(app, redirectUri),
        "error.auth.oidc_not_configured",
      );
    }
    const info = await expectJson(
      await app.send("GET", "/.well-known/service/server-info"),
      200,
    );
    assert.equal(info.auth.oidc, null);
  });
});

/** Sends so many authorizations; expects each to end with one status. */
async function spend(
  app: TestApp,
  redirectUri: (n: number) => string,
  status: number,
  times = 60,
): Promise<void> {
  for (let n = 0; n < times; n++) {
    const response = await authorize(app, redirectUri(n));
    assert.equal(response.status, status, await response.text());
  }
}

async function expectSpent(response: Response, seconds: number): Promise<void> {
  assert.equal(response.headers.get("retry-after"), String(seconds));
  await expectProblem(response, "error.auth.rate_limited");
}

const DEFAULT_BUDGET = {
  ...LOOPBACK,
  STRONGROOM_LIMIT_OIDC_AUTHORIZE: "60",
};

Deno.test("a redirect's host may begin sixty ceremonies a minute, its ports together", async () => {
  await withParty(async ({ app }) => {
    await spend(app, (n) => `http://127.0.0.1:${5_000 + n}/`, 200);
    app.clock.advance(20_000);
    await expectSpent(await authorize(app, "http://127.0.0.1:80/other"), 40);
    await expectSpent(await authorize(app, "http://127.0.0.1"), 40);
    // Every other host has a budget of its own.
    await spend(app, () => REDIRECT_URL, 200);
    await expectSpent(await authorize(app), 60);
    await spend(app, () => "http://[::1]:5001/", 200);
    await expectSpent(await authorize(app, "http://[::1]/"), 60);
    await expectProblem(
      await authorize(app, "http://localhost/"),
      "error.auth.oidc_redirect_invalid",
    );
    app.clock.advance(40_000);
    await begin(app, "http://127.0.0.1:5000/");
    await expectSpent(await authorize(app), 20);
  }, { settings: DEFAULT_BUDGET });
});

Deno.test("refused redirects share one budget, and no other requests do", async () => {
  await withParty(async ({ app }) => {
    await spend(app, (n) => `https://host${n}.example/`, 400);
    app.clock.advance(15_000);
    await expectSpent(await authorize(app, "https://another.example/"), 45);
    await expectSpent(await authorize(app, "no URL"), 45);
    await expectSpent(await authorize(app, `${REDIRECT_URL}/`), 45);
    assert.equal(app.app.budgets.keysOf("oidc_authorize_refused"), 1);
    assert.equal(app.app.budgets.keysOf("oidc_authorize"), 0);
    await spend(app, () => REDIRECT_URL, 200);
    app.clock.advance(MINUTE_MS - 15_000);
    await expectProblem(
      await authorize(app, "https://another.example/"),
      "error.auth.oidc_redirect_invalid",
    );
  }, { settings: DEFAULT_BUDGET });
});

Deno.test("admitted redirects are counted under three keys at most", async () => {
  await withParty(async ({ app }) => {
    for (let n = 0; n < 20; n++) {
      await begin(app, `http://127.0.0.1:${n}/`);
      await begin(app, `http://[::1]:${n}/${n}`);
      await begin(app);
    }
    assert.equal(app.app.budgets.keysOf("oidc_authorize"), 3);
  }, { settings: DEFAULT_BUDGET });
});
