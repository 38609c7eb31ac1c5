/**
 * The real program behind a real provider whose certificate a private
 * authority has issued (OIDC_CA_BUNDLE).
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectJson, expectProblem } from "../support/expect.ts";
import { serveHere, withDataDir } from "../support/program.ts";
import {
  REDIRECT_URL,
  type RunningProvider,
  walkThrough,
  withProvider,
} from "../support/provider.ts";

const PKI = new URL("../support/pki/", import.meta.url);
const CA_BUNDLE = decodeURIComponent(new URL("ca.pem", PKI).pathname);

Deno.test("a provider behind a private authority is trusted through OIDC_CA_BUNDLE", async () => {
  await withPrivateProvider(async (provider, browse) => {
    const settings = { ...provider.settings, OIDC_CA_BUNDLE: CA_BUNDLE };
    await withProgram(settings, async (post) => {
      const begun = await expectJson(
        await post("authorize", { redirect_uri: REDIRECT_URL }),
        200,
      );
      const { state, code } = await walkThrough(
        begun.authorization_url,
        "ada",
        browse,
      );
      await expectJson(await post("callback", { state, code }), 200);
    });
  });
});

Deno.test("a bundle that holds more than the authority is trusted as well", async () => {
  await withPrivateProvider(async (provider) => {
    const bundle = await Deno.makeTempFile({ suffix: ".pem" });
    const [server, ca] = [await pem("server.pem"), await pem("ca.pem")];
    await Deno.writeTextFile(
      bundle,
      `a note in between\r\n${server}\n# another\n${ca}`,
    );
    const settings = { ...provider.settings, OIDC_CA_BUNDLE: bundle };
    await withProgram(settings, async (post) => {
      await expectJson(
        await post("authorize", { redirect_uri: REDIRECT_URL }),
        200,
      );
    });
    await Deno.remove(bundle);
  });
});

Deno.test("the bundle is trusted together with the authorities of the system", async () => {
  await withPrivateProvider(async (provider) => {
    const settings = {
      ...provider.settings,
      // An anchor that vouches for no one, next to one that Deno has anyway.
      OIDC_CA_BUNDLE: decodeURIComponent(new URL("server.pem", PKI).pathname),
      DENO_CERT: CA_BUNDLE,
    };
    await withProgram(settings, async (post) => {
      await expectJson(
        await post("authorize", { redirect_uri: REDIRECT_URL }),
        200,
      );
    });
  });
});

Deno.test("without the bundle the same provider is unavailable, and the log says why", async () => {
  await withPrivateProvider(async (provider) => {
    const log = await withProgram(provider.settings, async (post) => {
      await expectProblem(
        await post("authorize", { redirect_uri: REDIRECT_URL }),
        "error.auth.oidc_unavailable",
      );
      assert.deepEqual(provider.requested, []);
    });
    assert.match(log, /UnknownIssuer/);
  });
});

const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";

const UNUSABLE = {
  "is missing": undefined,
  "is empty": "",
  "holds no certificate":
    "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----",
  "is no base64": `${BEGIN}\n!!!!\n${END}\n`,
  "is base64 of no certificate": `${BEGIN}\nbm90IGEgY2VydA==\n${END}\n`,
  "holds one certificate that is cut off": await Deno.readTextFile(CA_BUNDLE) +
    `${BEGIN}\nMIIBnzCCAUWgAwIBAgIU\n${END}\n`,
};

for (const [what, contents] of Object.entries(UNUSABLE)) {
  Deno.test(`a bundle that ${what} is a fault at start that names OIDC_CA_BUNDLE`, async () => {
    await withDataDir(async (dataDir) => {
      const bundle = `${dataDir}/bundle.pem`;
      if (contents !== undefined) await Deno.writeTextFile(bundle, contents);
      const program = await serveHere({
        STRONGROOM_DATA_DIR: `${dataDir}/data`,
        OIDC_ISSUER: "https://127.0.0.1:1",
        OIDC_CLIENT_ID: "strongroom",
        OIDC_CA_BUNDLE: bundle,
      });
      if (program.line !== "") await program.stop();
      assert.equal(program.line, "", "it must not come to serve");
      assert.equal(await program.exited, 1);
      const complaint = await program.complaint();
      assert.match(complaint, /^strongroom: OIDC_CA_BUNDLE: /);
      assert(complaint.includes(bundle), "the file is named");
      assert.equal(complaint.trim().split("\n").length, 1, complaint);
    });
  });
}

/** A provider with the private certificate, and what may browse it. */
async function withPrivateProvider(
  test: (provider: RunningProvider, browse: typeof fetch) => Promise<void>,
): Promise<void> {
  const tls = {
    cert: await pem("server.pem"),
    key: await pem("server-key.pem"),
  };
  using client = Deno.createHttpClient({ caCerts: [await pem("ca.pem")] });
  await withProvider(
    (provider) =>
      test(provider, (input, init) => fetch(input, { ...init, client })),
    { tls },
  );
}

function pem(name: string): Promise<string> {
  return Deno.readTextFile(new URL(name, PKI));
}

/** Posts to the running program's OIDC operations; resolves to its log. */
async function withProgram(
  settings: Record<string, string>,
  test: (
    post: (operation: string, body: unknown) => Promise<Response>,
  ) => Promise<void>,
): Promise<string> {
  let log = "";
  await withDataDir(async (dataDir) => {
    const program = await serveHere({
      STRONGROOM_DATA_DIR: dataDir,
      ...settings,
    });
    try {
      await test((operation, body) =>
        fetch(`${program.url}/v1/auth/oidc/${operation}`, {
          method: "POST",
          headers: {
            "X-Service-Protocol": "2026-11-01",
            "Content-Type": "application/json",
          },
          body: JSON.stringify(body),
        })
      );
    } finally {
      assert.equal(await program.stop(), 0);
      log = await program.complaint();
    }
  });
  return log;
}
