/**
 * Vectors of a server's attestation keys, one of which follows another.
 *
 * @module
 */
import { toBase64, toHex } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import { toRfc3339 } from "../../src/core/time.ts";
import { hybridSignerFromSeeds } from "../../src/crypto/hybrid.ts";
import { portableBackend } from "../../src/crypto/hybrid_portable.ts";
import { SUCCESSION_DOMAIN } from "../../src/crypto/succession.ts";
import { secretOf, SERVER_ID } from "./seeds.ts";

const FORMER_ID = "https://photos.example";

/** Three keys: the second followed under the id before, the third under this. */
export async function successionVectors() {
  const signerOf = (name: string) =>
    hybridSignerFromSeeds({
      ed25519: secretOf(`${name} ed25519`),
      mlDsa65: secretOf(`${name} ml-dsa`),
    }, portableBackend);
  const rows = [
    { name: "first attestation key", under: FORMER_ID, month: 8 },
    { name: "second attestation key", under: FORMER_ID, month: 9 },
    { name: "third attestation key", under: SERVER_ID, month: 10 },
  ];
  const keys = [];
  const payloads = [];
  let before: Awaited<ReturnType<typeof signerOf>> | undefined;
  for (const [i, { name, under, month }] of rows.entries()) {
    const signer = await signerOf(name);
    const from = toRfc3339(Date.UTC(2026, month - 1, 1));
    const payload = encodeCanonical([
      SUCCESSION_DOMAIN,
      under,
      signer.keyId,
      from,
    ]);
    const next = rows[i + 1];
    keys.push({
      key_id: signer.keyId,
      public: toBase64(signer.publicKey),
      algorithm: "Ed25519+ML-DSA-65",
      active_from: from,
      ...(next === undefined
        ? {}
        : { active_to: toRfc3339(Date.UTC(2026, next.month - 1, 1)) }),
      ...(before === undefined ? {} : {
        succession: toBase64(await before.sign(SUCCESSION_DOMAIN, payload)),
      }),
    });
    payloads.push({ key_id: signer.keyId, payload: toHex(payload) });
    before = signer;
  }
  return {
    attestation_keys: {
      server_id: SERVER_ID,
      server_ids: [
        {
          server_id: FORMER_ID,
          from: toRfc3339(Date.UTC(2026, 7, 1)),
          to: toRfc3339(Date.UTC(2026, 8, 15)),
        },
        { server_id: SERVER_ID, from: toRfc3339(Date.UTC(2026, 8, 15)) },
      ],
      keys,
    },
    payloads: payloads.slice(1),
  };
}
