import assert from "node:assert/strict";
import { importJWK, jwtVerify } from "jose";
import { fromBase64, toBase64Url } from "../../src/core/bytes.ts";
import { ORIGIN, START_MS } from "../support/app.ts";
import {
  DAY,
  fromNow,
  HOUR,
  MEMBER,
  PEER,
  successorOf,
  withSharedAlbum,
} from "../support/capabilities.ts";
import { expectJson } from "../support/expect.ts";
import { partsOf } from "../support/forgery.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/;

Deno.test("a token is a JWT of exactly the listed claims, good under signing_key", async () => {
  await withSharedAlbum(async ({ app, albumId, minted }) => {
    const answer = await minted({
      scope: "read-derivative-only",
      ttl_seconds: 3_600,
      renewable_until: fromNow(app, DAY),
    });
    const info = await expectJson(
      await app.send("GET", "/.well-known/service/server-info"),
      200,
    );
    assert.equal(info.signing_algorithm, "EdDSA");
    const raw = fromBase64(info.signing_key) ?? new Uint8Array();
    const key = await importJWK({
      kty: "OKP",
      crv: "Ed25519",
      x: toBase64Url(raw),
    }, "EdDSA");
    const { payload, protectedHeader } = await jwtVerify(answer.token, key, {
      issuer: info.server_id,
      audience: PEER,
      typ: "service-capability+jwt",
      currentDate: new Date(app.clock.now),
    });
    const { kid, ...header } = protectedHeader;
    assert.equal(typeof kid, "string");
    assert.deepEqual(header, { alg: "EdDSA", typ: "service-capability+jwt" });
    const { grant, ...claims } = payload;
    assert.match(String(grant), UUID_V7);
    assert.deepEqual(claims, {
      iss: ORIGIN,
      aud: PEER,
      sub: MEMBER,
      jti: answer.jti,
      iat: START_MS / 1_000,
      exp: (START_MS + HOUR) / 1_000,
      album: albumId,
      scope: "read-derivative-only",
    });
    // Every mint is a grant of its own.
    const other = await minted({ scope: "read-derivative-only" });
    assert.notEqual(partsOf(other.token)[1].grant, grant);
    assert.notEqual(other.jti, answer.jti);
  });
});

Deno.test("a token is never stored and never logged", async () => {
  await withSharedAlbum(async ({ app, minted }) => {
    const { token, jti } = await minted({
      renewable_until: fromNow(app, DAY),
    });
    const successor = await successorOf(app, token);
    const tokens: string[] = [token, successor.token];
    const secrets = tokens.flatMap((one) => [one, one.split(".")[2] ?? ""]);
    let scanned = "";
    for await (const entry of Deno.readDir(`${app.dataDir}/db`)) {
      const bytes = await Deno.readFile(`${app.dataDir}/db/${entry.name}`);
      const text = new TextDecoder("latin1").decode(bytes);
      scanned += text;
      for (const secret of secrets) {
        assert(!text.includes(secret), entry.name);
      }
    }
    // The claims are there, so what was scanned is what was written.
    assert(scanned.includes(jti));
    const log = JSON.stringify(app.logged);
    for (const secret of secrets) assert(!log.includes(secret));
  });
});
