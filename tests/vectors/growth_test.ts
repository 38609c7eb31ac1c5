/**
 * Today's reader over documents of tomorrow's writer
 * (protocol/client-cryptography.md#room-to-grow).
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64Url, utf8 } from "../../src/core/bytes.ts";
import type { CborMap } from "../../src/core/cbor.ts";
import { openEnvelope, signEnvelope } from "../../src/crypto/envelope.ts";
import { parseEnrollmentLink } from "../../src/client/enrollment/enrollment_link.ts";
import { verifyDirectory } from "../../src/client/documents/directory.ts";
import { parseFrameLink } from "../../src/client/documents/frame_link.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import {
  decodeTrust,
  encodeTrust,
  mergeTrust,
} from "../../src/library/trust/trust_record.ts";
import { trustStatusOf } from "../../src/library/trust/trust_status.ts";
import { verifyManifest } from "../../src/client/documents/manifest.ts";
import { verifyRoster } from "../../src/client/documents/roster.ts";
import { parseShareLink } from "../../src/client/documents/share.ts";
import { parseUploadLink } from "../../src/client/documents/upload_link.ts";
import { provisionAlbum, putRoster, rosterBytes } from "../support/albums.ts";
import { withTestApp } from "../support/app.ts";
import { registerWriter } from "../support/people.ts";
import { base64, hex } from "../support/vectors.ts";
import documents from "./documents.json" with { type: "json" };
import identity from "./identity.json" with { type: "json" };

const newer = { name: "NewerDocumentError" };
const refused = { name: "DocumentError" };

/** The signed documents, as a reader opens each. */
const DOCUMENTS = [
  [
    "directory",
    documents.directory.cbor,
    (bytes: Uint8Array, key: Uint8Array) =>
      verifyDirectory(bytes, key, documents.wrapped_amk.member),
  ],
  ["roster", documents.roster, verifyRoster],
  ["manifest", documents.manifests[0]?.cbor ?? "", verifyManifest],
] as const;

/** A document as a newer program signs it, and the key that signed it. */
async function signedAnew(cbor: string, over: CborMap) {
  const { payload } = openEnvelope(base64(cbor));
  const { signer } = await openIdentity(hex(identity.master_key));
  const bytes = await signEnvelope(signer, {
    ...payload,
    ...over,
    type: String(over["type"] ?? payload["type"]),
  });
  return [bytes, signer.publicKey] as const;
}

for (const [what, cbor, verify] of DOCUMENTS) {
  Deno.test(`a ${what} with entries that may be passed over reads as without them, and one with an entry that must be known is a newer program's`, async () => {
    const plain = await verify(...await signedAnew(cbor, {}));
    const deep = { of: [[{ tomorrow: new Uint8Array(3) }], 7] };
    const grown = await verify(
      ...await signedAnew(cbor, { more: { likes: true, deep } }),
    );
    const { hash: _plain, ...before } = { hash: "", ...plain };
    const { hash: _grown, ...now } = { hash: "", ...grown };
    assert.deepEqual(now, before);
    for (const more of [{ "!co-owner": "x" }, { likes: 1, "!": null }]) {
      await assert.rejects(verify(...await signedAnew(cbor, { more })), newer);
    }
    for (const over of [{ likes: true }, { more: [] }, { "!more": 1 }]) {
      await assert.rejects(verify(...await signedAnew(cbor, over)), refused);
    }
  });
}

for (const [what, cbor, verify] of DOCUMENTS) {
  Deno.test(`the succession of an identity in place of a ${what} is a newer program's, if that identity signed it`, async () => {
    const type = "service-identity-succession/v1";
    const [bytes, key] = await signedAnew(cbor, { type });
    await assert.rejects(verify(bytes, key), newer);
    const { signer } = await openIdentity(new Uint8Array(32));
    await assert.rejects(verify(bytes, signer.publicKey), refused);
    const other = await signedAnew(cbor, { type: "service-something/v1" });
    await assert.rejects(verify(...other), refused);
  });
}

Deno.test("a manifest of another suite is a newer program's", async () => {
  const { cbor } = documents.manifests[0] ?? { cbor: "" };
  await assert.rejects(
    verifyManifest(...await signedAnew(cbor, { crypto_suite_id: 2 })),
    newer,
  );
});

Deno.test("the server takes a roster with entries that may be passed over, and none with one that must be known", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "summer");
    const publish = async (version: number, more: CborMap) =>
      (await (await putRoster(
        app,
        ada,
        albumId,
        await rosterBytes(ada, albumId, version, [], { more }),
      )).json()).code;
    assert.equal(await publish(1, { likes: [[["x"]]] }), undefined);
    assert.equal(
      await publish(2, { "!co-owner": "x" }),
      "error.roster.invalid",
    );
  });
});

Deno.test("a link whose fragment begins with a tilde is a newer program's", () => {
  const origin = "https://photos.example";
  const id = "0123456789abcdef0123456789abcdef";
  const secret = toBase64Url(new Uint8Array(32));
  for (
    const [parse, link] of [
      [parseShareLink, `${origin}/s/${id}#~${secret}`],
      [parseUploadLink, `${origin}/u/${id}#~2`],
      [parseFrameLink, `${origin}/#/frame/${id}.~${secret}`],
      [parseEnrollmentLink, `${origin}/#/join/ABCDE-FGHJK.~${secret}`],
    ] as const
  ) assert.throws(() => parse(link), newer);
});

Deno.test("words of a newer program stay in a trust record, and count as the most cautious", () => {
  const at = "2026-11-01T00:00:00Z";
  const record = decodeTrust(utf8(JSON.stringify({
    v: 1,
    devices: { d: { came: "passkey", at } },
    server: { origins: { "https://a.example": { how: "inherited", at } } },
    logs: { evidence: { x: { kind: "a_new_kind", detail: "x", at } } },
  })));
  assert.equal(trustStatusOf(record, "d"), "unconfirmed");
  const again = decodeTrust(encodeTrust(mergeTrust(record, record)));
  assert.equal(again.devices["d"]?.came, "passkey");
  assert.equal(again.logs?.evidence["x"]?.kind, "a_new_kind");
  assert.equal(again.server.origins["https://a.example"]?.how, "inherited");
});
