/**
 * An attacker with a key that the server retired helps it to lie: what the key
 * signs after its time counts for nothing
 * (protocol/discovery.md#attestation-keys, protocol/logs.md#keys).
 *
 * @module
 */
import assert from "node:assert/strict";
import { fromBase64, toBase64 } from "../../src/core/bytes.ts";
import { HOUR_MS, toRfc3339 } from "../../src/core/time.ts";
import type { HybridSigner } from "../../src/crypto/hybrid.ts";
import { readReceipt, signReceipt } from "../../src/crypto/receipt.ts";
import {
  formatCheckpoint,
  formatNote,
  parseCheckpoint,
  parseNote,
  signNoteHybrid,
} from "../../src/crypto/logs/signed_note.ts";
import {
  endorsedFor,
  hybridSignerFromSeed,
} from "../../src/crypto/succession.ts";
import { rotateKey } from "../../src/features/keys/keys.ts";
import { keysPath } from "../../src/store/data_paths.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { openBesideServer } from "../../src/store/store.ts";
import { readKeyRing } from "../../src/store/keys.ts";
import type { Library } from "../../src/library/mod.ts";
import { ORIGIN, type TestApp, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";

/** A device that saw the server retire a key two hours ago. */
async function withRetired(
  test: (given: {
    readonly app: TestApp;
    readonly wire: Wire;
    readonly ada: Library;
    readonly retired: HybridSigner;
    readonly seed: Uint8Array<ArrayBuffer>;
  }) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await ada.take(fileOf("0.jpg", ciphertext("0", 100)));
    await app.advanceLogs();
    assert.deepEqual((await ada.logs.check()).findings, []);
    const place = { files: denoFiles, directory: keysPath(app.dataDir) };
    const beside = await openBesideServer(app.dataDir);
    app.clock.advance(60_000);
    await rotateKey(beside, place, "attestation", {
      random: app.app.platform.random,
      now: () => app.clock.now,
      serverId: ORIGIN,
    }).finally(() => beside.destroy());
    app.clock.advance(2 * HOUR_MS);
    await ada.take(fileOf("1.jpg", ciphertext("1", 100)));
    const [{ seed } = { seed: undefined }] =
      readKeyRing(denoFiles, place.directory, "attestation") ?? [];
    assert(seed !== undefined);
    const retired = await hybridSignerFromSeed(seed);
    await test({ app, wire, ada, retired, seed });
  });
}

const kindsOf = (report: { findings: readonly { kind: string }[] }) =>
  report.findings.map(({ kind }) => kind);

Deno.test("a checkpoint that a retired key signs counts for nothing, and the server signs again what it had signed", async () => {
  await withRetired(async ({ app, wire, ada, retired }) => {
    // The log of keys has not grown: its checkpoint was the retired key's.
    await app.advanceLogs();
    assert.deepEqual((await ada.logs.check()).findings, []);
    const active = app.app.secrets.attestationKeys.at(-1)?.signer;
    assert(active !== undefined && active.keyId !== retired.keyId);
    const other = (signer: HybridSigner) => {
      wire.intercept = (request, pass) => {
        const { pathname } = new URL(request.url);
        if (pathname !== "/log/keys/checkpoint") return undefined;
        return pass(request).then(async (answer) => {
          const note = parseNote(await answer.text());
          const head = parseCheckpoint(note?.text ?? "");
          assert(head !== undefined);
          const { origin, size } = head;
          const root = new Uint8Array(32).fill(6);
          const text = formatCheckpoint({ origin, size, root });
          const signatures = [await signNoteHybrid(signer, origin, text)];
          return new Response(formatNote({ text, signatures }));
        });
      };
    };
    other(retired);
    const report = await ada.logs.check();
    assert.deepEqual(kindsOf(report), ["not_signed"]);
    assert.match(report.findings[0]?.detail ?? "", /that it retired/);
    // The same tree would be evidence if the key were in force.
    other(active);
    assert.deepEqual(kindsOf(await ada.logs.check()), ["contradiction"]);
  });
});

Deno.test("a receipt that a retired key signs is refused, whatever the server says of the time in which it signed", async () => {
  await withRetired(async ({ wire, ada, retired }) => {
    wire.intercept = (request, pass) => {
      const { pathname } = new URL(request.url);
      const isKeys = pathname.endsWith("/attestation-keys");
      if (!isKeys && !/^\/v1\/upload\/[^/]+$/.test(pathname)) return undefined;
      return pass(request).then(async (answer) => {
        const json = await answer.json();
        if (isKeys) delete json.keys[0].active_to;
        const { receipt } = json;
        if (receipt !== undefined) {
          const said = readReceipt(
            fromBase64(receipt.receipt_cbor) ?? new Uint8Array(),
          );
          receipt.receipt_cbor = toBase64(await signReceipt(retired, said));
        }
        return Response.json(json, { status: answer.status });
      });
    };
    await assert.rejects(ada.take(fileOf("2.jpg", ciphertext("2", 100))), {
      name: "CustodyError",
      fault: "receipt_forged",
      message: /did not sign at/,
    });
    wire.intercept = undefined;
    await ada.take(fileOf("3.jpg", ciphertext("3", 100)));
  });
});

Deno.test("a key for which a retired one vouches is not followed, and the person is told that the newest one is skipped", async () => {
  await withRetired(async ({ app, wire, ada, seed }) => {
    const own = new Uint8Array(64).fill(66);
    const evil = await hybridSignerFromSeed(own);
    const activeFrom = app.clock.now;
    const succession = await endorsedFor(ORIGIN)(seed, {
      seed: own,
      activeFrom,
    });
    wire.intercept = (request, pass) => {
      const { pathname } = new URL(request.url);
      const isKeys = pathname.endsWith("/attestation-keys");
      if (!isKeys && !/^\/v1\/upload\/[^/]+$/.test(pathname)) return undefined;
      return pass(request).then(async (answer) => {
        const json = await answer.json();
        if (isKeys) {
          json.keys[1] = {
            ...json.keys[1],
            key_id: evil.keyId,
            public: toBase64(evil.publicKey),
            active_from: toRfc3339(activeFrom),
            succession: toBase64(succession),
          };
        }
        const { receipt } = json;
        if (receipt !== undefined) {
          const said = readReceipt(
            fromBase64(receipt.receipt_cbor) ?? new Uint8Array(),
          );
          receipt.receipt_cbor = toBase64(await signReceipt(evil, said));
        }
        return Response.json(json, { status: answer.status });
      });
    };
    await assert.rejects(ada.take(fileOf("2.jpg", ciphertext("2", 100))), {
      fault: "keys_replaced",
    });
    const [told, ...more] = ada.logs.findings();
    assert.deepEqual([told?.kind, more], ["key_skipped", []]);
    const renewed = () => ada.custody.keys({ renew: true });
    await assert.rejects(renewed(), { fault: "keys_replaced" });
    // The lie is whole: only a person can take it for a restore.
    await ada.logs.answer(told?.id ?? "");
    assert.equal((await renewed()).keys.at(-1)?.keyId, evil.keyId);
  });
});
