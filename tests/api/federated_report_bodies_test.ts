/**
 * What a report may look like, and what its signature covers
 * (protocol/federation.md#reports).
 *
 * @module
 */
import assert from "node:assert/strict";
import { concatBytes, toBase64, utf8 } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  acceptedReports,
  FEDERATES,
  makePeer,
  type Peer,
  pinnedPeer,
  reportFields,
  sendReport,
  signedReport,
} from "../support/peers.ts";
import { type Person, registerPerson, uuidOf } from "../support/people.ts";
import { expectNoErrors } from "../support/api.ts";

/** No budget is the subject here. */
const SETTINGS = {
  ...FEDERATES,
  STRONGROOM_LIMIT_REPORT_INTAKE: "10000",
  STRONGROOM_LIMIT_REPORT_ACCOUNT: "10000",
  STRONGROOM_LIMIT_REPORT_PEER: "10000",
};
const JSON_TYPE = { "Content-Type": "application/json" };

async function withPeer(
  test: (app: TestApp, peer: Peer, ada: Person) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await test(app, await pinnedPeer(app, "peer"), ada);
    expectNoErrors(app);
  }, { settings: SETTINGS });
}

/** Expects 422 about exactly this field. */
async function expectInvalid(
  response: Response,
  field: string,
  what: string,
): Promise<void> {
  const { errors } = await expectProblem(response, "error.request.invalid");
  const paths = new Set(errors.map((one: Json) => one.path));
  assert.deepEqual([...paths], [`/${field}`], what);
}

/** The caps in characters; the rest of the shapes leave no room above them. */
const CAPS: Readonly<Record<string, number>> = {
  reporting_server: 255,
  reported_user: 64,
  album_id: 36,
  reason: 2_000,
};

Deno.test("every field is capped in characters, whichever they are", async () => {
  await withPeer(async (app, peer, ada) => {
    for (const [field, cap] of Object.entries(CAPS)) {
      for (const character of ["x", "é", "字", "𝒳"]) {
        const longest = character.repeat(cap);
        const report = await signedReport(peer, ada.userId, {
          [field]: longest,
        });
        const answer = await sendReport(app, report);
        // No server of that name is pinned.
        if (field !== "reporting_server") await expectJson(answer, 202);
        else await expectProblem(answer, "error.federation.peer_unknown");
        await expectInvalid(
          await sendReport(app, { ...report, [field]: longest + character }),
          field,
          character,
        );
      }
    }
    const report = await signedReport(peer, ada.userId);
    for (
      const [field, value] of [
        ["asset_hash", report.asset_hash + "0"],
        ["reported_at", `2026-11-21T11:59:00.${"0".repeat(21)}Z`],
        ["signature", toBase64(new Uint8Array(69))],
        ["signature", "A".repeat(500_000)],
        ["reason", "x".repeat(500_000)],
        ["reporting_server", "x".repeat(500_000)],
      ] as const
    ) {
      await expectInvalid(
        await sendReport(app, { ...report, [field]: value }),
        field,
        value.slice(0, 100),
      );
    }
  });
});

/** Values that no field takes. */
const NEVER: readonly Json[] = [
  7,
  0,
  true,
  [],
  ["x"],
  {},
  { value: "x" },
  "a\ud800b",
  "\udc00",
  "\ud83d",
];

/** More values that a field refuses, by field. */
const REFUSED: Readonly<Record<string, readonly Json[]>> = {
  reporting_server: ["", "https://peer.example\n", "\u0000", "a\u007fb", null],
  reported_user: ["", "a\u0000b", "\u0085", "a\tb", null],
  album_id: ["", "a\nb", "\u009f", null],
  // SQLite's text ends there for whoever reads it.
  reason: ["\u0000", "in the \u0000 middle"],
  asset_hash: [
    "",
    "a".repeat(63),
    "A".repeat(64),
    "g".repeat(64),
    `${"a".repeat(63)}\n`,
    `0x${"a".repeat(62)}`,
    "字".repeat(64),
    null,
  ],
  reported_at: [
    "",
    "now",
    "2026-11-21",
    "2026-11-21T11:59:00",
    "2026-11-21 11:59:00Z",
    "2026-02-30T11:59:00Z",
    "2026-11-21T25:59:00Z",
    "1763726340",
    " 2026-11-21T11:59:00Z",
    null,
  ],
  signature: ["A", "AAA", "AAAA=", "AB==", "AAA-", "_AAA", "AA AA", "字", null],
};

Deno.test("what is not of its field's shape is 422 and named", async () => {
  await withPeer(async (app, peer, ada) => {
    const report = await signedReport(peer, ada.userId, { reason: "because" });
    assert.deepEqual(
      Object.keys(REFUSED).toSorted(),
      Object.keys(report).toSorted(),
    );
    for (const [field, values] of Object.entries(REFUSED)) {
      for (const value of [...NEVER, ...values]) {
        await expectInvalid(
          await sendReport(app, { ...report, [field]: value }),
          field,
          `${field}: ${JSON.stringify(value)}`,
        );
      }
      if (field === "reason") continue;
      const { [field]: _, ...rest } = report;
      await expectInvalid(await sendReport(app, rest), field, field);
    }
    assert.equal(await acceptedReports(app), 0);
  });
});

Deno.test("an unknown key is refused, though nothing signs for it", async () => {
  await withPeer(async (app, peer, ada) => {
    const report = await signedReport(peer, ada.userId);
    const signed = await signedReport(peer, ada.userId, { severity: "high" });
    await expectInvalid(await sendReport(app, signed), "severity", "signed");
    for (const key of ["report_id", "constructor", "toString", "__proto__"]) {
      const body = JSON.stringify(report).replace("{", `{"${key}":"x",`);
      await expectInvalid(
        await sendReport(app, undefined, { headers: JSON_TYPE, body }),
        key,
        key,
      );
    }
  });
});

Deno.test("of duplicate keys the last counts, for the signature too", async () => {
  await withPeer(async (app, peer, ada) => {
    const report = await signedReport(peer, ada.userId);
    const send = (body: string) =>
      sendReport(app, undefined, { headers: JSON_TYPE, body });
    const text = JSON.stringify(report);
    const first = text.replace("{", '{"album_id":"another",');
    await expectJson(await send(first), 202);
    await expectProblem(
      await send(text.replace(/}$/, ',"album_id":"another"}')),
      "error.federation.report_unsigned",
    );
  });
});

/** The signed fields in some order, each canonical, the map not. */
function inOrder(fields: Json, names: readonly string[]): Uint8Array {
  return concatBytes(
    new Uint8Array([0xa0 + names.length]),
    ...names.flatMap((name) => [
      encodeCanonical(name),
      encodeCanonical(fields[name]),
    ]),
  );
}

Deno.test("a signature over anything but the canonical CBOR of the other fields is 401", async () => {
  await withPeer(async (app, peer, ada) => {
    const fields = {
      ...reportFields(ada.userId),
      reporting_server: peer.serverId,
      // The one key that the alphabet and its length put in two places.
      reason: "because",
    };
    const canonical = encodeCanonical(fields);
    const stranger = await makePeer("stranger");
    const { reported_at: _, ...timeless } = fields;
    const { reason: __, ...unreasoned } = fields;
    const indefinite = concatBytes(
      new Uint8Array([0xbf]),
      canonical.subarray(1),
      new Uint8Array([0xff]),
    );
    const signatures: Record<string, Uint8Array> = {
      "another key's": await stranger.sign(canonical),
      "over JSON": await peer.sign(utf8(JSON.stringify(fields))),
      "over the keys as sent": await peer.sign(
        inOrder(fields, Object.keys(fields)),
      ),
      "over alphabetical keys": await peer.sign(
        inOrder(fields, Object.keys(fields).toSorted()),
      ),
      "over indefinite lengths": await peer.sign(indefinite),
      "with a reason of null": await peer.sign(
        encodeCanonical({ ...fields, reason: null }),
      ),
      "with an empty reason": await peer.sign(
        encodeCanonical({ ...fields, reason: "" }),
      ),
      "with an empty signature": await peer.sign(
        encodeCanonical({ ...fields, signature: "" }),
      ),
      "without the time": await peer.sign(encodeCanonical(timeless)),
      "without the reason": await peer.sign(encodeCanonical(unreasoned)),
      "with a domain": await peer.sign(
        concatBytes(utf8("service-federated-report/v1\0"), canonical),
      ),
      "with a zero byte": await peer.sign(
        concatBytes(new Uint8Array(1), canonical),
      ),
      "over the hash": await peer.sign(
        new Uint8Array(await crypto.subtle.digest("SHA-256", canonical)),
      ),
      "of no byte": new Uint8Array(),
      "of 63 bytes": (await peer.sign(canonical)).subarray(1),
      "of 65 bytes": concatBytes(
        await peer.sign(canonical),
        new Uint8Array(1),
      ),
      "of zeros": new Uint8Array(64),
      "of ones": new Uint8Array(64).fill(0xff),
    };
    for (const [name, signature] of Object.entries(signatures)) {
      const response = await sendReport(app, {
        ...fields,
        signature: toBase64(signature),
      });
      const challenge = response.headers.get("www-authenticate");
      const { status } = response;
      assert.equal(status, 401, name);
      assert.equal(challenge, "Bearer", name);
      await expectProblem(response, "error.federation.report_unsigned");
    }
    // The control: what the sentence asks for.
    const right = toBase64(await peer.sign(canonical));
    const report = { ...fields, signature: right };
    await expectJson(await sendReport(app, report), 202);
    assert.equal(await acceptedReports(app), 1);
  });
});

Deno.test("a field that is changed after the signature is 401", async () => {
  await withPeer(async (app, peer, ada) => {
    const other = await pinnedPeer(app, "other");
    const report = await signedReport(peer, ada.userId, {
      reason: "caf\u00e9",
      reported_at: "2026-11-21T11:59:00Z",
    });
    for (
      const [field, value] of [
        ["reporting_server", other.serverId],
        ["reported_user", uuidOf("somebody else")],
        ["asset_hash", "0".repeat(64)],
        ["album_id", uuidOf("another album")],
        ["album_id", report.album_id.toUpperCase()],
        ["reason", "cafe\u0301"],
        ["reason", "caf\u00e9 "],
        ["reason", null],
        // The same instants, other texts.
        ["reported_at", "2026-11-21T11:59:00.000Z"],
        ["reported_at", "2026-11-21T11:59:00+00:00"],
      ] as const
    ) {
      await expectProblem(
        await sendReport(app, { ...report, [field]: value }),
        "error.federation.report_unsigned",
      );
    }
    const { reason: _, ...without } = report;
    await expectProblem(
      await sendReport(app, without),
      "error.federation.report_unsigned",
    );
    await expectJson(await sendReport(app, report), 202);
  });
});
