/**
 * What an operator is told of a provider with which signing in fails.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  diagnoseProvider,
  type Finding,
} from "../../src/features/oidc/diagnosis.ts";
import { type Party, withParty } from "../support/malicious_provider.ts";
import { serveHere } from "../support/program.ts";

Deno.test("half a relying party does not start, and the missing half is named", async () => {
  const half = [
    { OIDC_ISSUER: "https://idp.example" },
    { OIDC_CLIENT_ID: "strongroom" },
  ];
  const [issuerOnly, clientOnly] = await Promise.all(
    half.map(async (settings) => {
      const program = await serveHere(settings);
      assert.equal(await program.exited, 1);
      assert.equal(program.line, "");
      return await program.complaint();
    }),
  );
  assert.match(issuerOnly ?? "", /^strongroom: OIDC_CLIENT_ID: /);
  assert.match(clientOnly ?? "", /^strongroom: OIDC_ISSUER: /);
});

async function findings({ app, provider }: Party): Promise<Finding[]> {
  assert(app.app.oidc !== undefined);
  return await diagnoseProvider(app.app.oidc.provider, provider.issuer);
}

Deno.test("a sound provider is diagnosed as sound", async () => {
  await withParty(async (party) => {
    const found = await findings(party);
    assert.equal(found.length, 3);
    assert(found.every((one) => one.ok && one.mend === undefined));
  });
});

Deno.test("each fault of a provider is diagnosed with its fix", async () => {
  await withParty(async (party) => {
    const { provider, app } = party;
    const sound = provider.metadata;
    const faulty = async (what: RegExp) => {
      app.clock.advance(24 * 3_600_000);
      const faults = (await findings(party)).filter((one) => !one.ok);
      assert.equal(faults.length, 1, JSON.stringify(faults));
      assert.match(faults[0]?.what ?? "", what);
      assert((faults[0]?.mend ?? "").length > 20);
      provider.metadata = sound;
      provider.answers.clear();
    };
    provider.metadata = { ...sound, issuer: `${provider.issuer}/` };
    await faulty(/expected .*, received .*\/$/);
    provider.metadata = { ...sound, scopes_supported: ["openid"] };
    await faulty(/scope email/);
    provider.metadata = { ...sound, token_endpoint: "http://localhost/t" };
    await faulty(/token_endpoint.*localhost/);
    provider.answers.set("discovery", () => new Response("", { status: 503 }));
    await faulty(/503/);
    provider.answers.set("keys", () => Response.json({ keys: [] }));
    await faulty(/no signing keys/);
    provider.answers.set("keys", () => new Response("", { status: 403 }));
    await faulty(/403/);
    provider.metadata = { ...sound, scopes_supported: 5 };
    app.clock.advance(24 * 3_600_000);
    assert((await findings(party)).some((one) => !one.ok));
  });
});
