/**
 * Malicious CBOR where the server parses any: the device directory. Each is 400
 * `error.directory.malformed` and never an error of the server's own.
 *
 * @module
 */
import { concatBytes, utf8 } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import { type TestApp } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  ciphertext,
  directoryBytes,
  type Person,
  registerPerson,
} from "../support/people.ts";
import { withFaultlessApp } from "../support/api.ts";

/** CBOR that is broken, malicious, or merely not canonical. */
function maliciousCbor(): Uint8Array<ArrayBuffer>[] {
  const hex = (text: string) => Uint8Array.fromHex(text);
  const repeated = (byte: number, count: number) =>
    new Uint8Array(count).fill(byte);
  return [
    hex("ff"),
    hex("f6"),
    hex("00"),
    hex("a0"),
    hex("80"),
    hex("40"),
    hex("60"),
    // Arrays, maps, tags inside each other.
    repeated(0x81, 10_000),
    repeated(0xa1, 10_000),
    repeated(0xc1, 10_000),
    repeated(0x9f, 10_000),
    repeated(0xbf, 10_000),
    // Lengths that nothing could hold.
    hex("5bffffffffffffffff"),
    hex("7b7fffffffffffffff"),
    hex("9b00ffffffffffffff"),
    hex("bb00ffffffffffffff"),
    hex("ba7fffffff"),
    hex("9a7fffffff00"),
    hex("5a7fffffff00"),
    // Reserved additional information, a break outside, an odd simple value.
    hex("1c"),
    hex("5c"),
    hex("fc"),
    hex("f818"),
    // Floats, undefined, tags, bignums.
    hex("f97e00"),
    hex("fb7ff0000000000000"),
    hex("f7"),
    hex("c249010000000000000000"),
    hex("d9d9f7a0"),
    // Text that is not UTF-8; a map whose keys are no text.
    hex("62c328"),
    hex("a10000"),
    hex("a1f600"),
  ];
}

function publish(
  app: TestApp,
  person: Person,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  return app.send("PUT", "/v1/auth/devices/directory", {
    token: person.token,
    headers: {
      "Content-Type": "application/cbor",
      "X-Service-Identity-Key": "null",
    },
    body,
  });
}

Deno.test("garbage for a directory is 400, as the envelope and inside it", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    for (const garbage of maliciousCbor()) {
      const bodies = [
        garbage,
        encodeCanonical({ payload: garbage, signature: new Uint8Array() }),
        // A map that begins like an envelope.
        concatBytes(
          utf8("\u0000").fill(0xa2),
          encodeCanonical("payload"),
          garbage,
        ),
      ];
      for (const body of bodies) {
        await expectProblem(
          await publish(app, ada, body),
          "error.directory.malformed",
        );
      }
    }
    await expectProblem(
      await publish(app, ada, ciphertext("noise", 100_000)),
      "error.directory.malformed",
    );
  });
});

Deno.test("a directory cut off anywhere, or with a byte more, is 400", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const whole = await directoryBytes(ada, 1);
    const cuts = [1, 2, 9, 10, 50, 100, 101, 500, whole.length - 1];
    for (const cut of cuts) {
      await expectProblem(
        await publish(app, ada, whole.slice(0, cut)),
        "error.directory.malformed",
      );
    }
    await expectProblem(
      await publish(app, ada, concatBytes(whole, new Uint8Array(1))),
      "error.directory.malformed",
    );
    await expectProblem(
      await publish(app, ada, concatBytes(whole, whole)),
      "error.directory.malformed",
    );
  });
});

Deno.test("a directory that is CBOR but not canonical is 400", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const type = encodeCanonical("service-device-directory/v1");
    const typeKey = encodeCanonical("type");
    const versionKey = encodeCanonical("directory_version");
    const bytes = (...parts: (Uint8Array | number)[]) =>
      concatBytes(
        ...parts.map((part) =>
          typeof part === "number" ? new Uint8Array([part]) : part
        ),
      );
    const payloads = [
      // 1 in two bytes, in nine, as a float; keys out of order, twice, more.
      bytes(0xa2, typeKey, type, versionKey, 0x18, 0x01),
      bytes(0xa2, typeKey, type, versionKey, 0x1b, 0, 0, 0, 0, 0, 0, 0, 1),
      bytes(0xa2, typeKey, type, versionKey, 0xf9, 0x3c, 0x00),
      bytes(0xa2, versionKey, 1, typeKey, type),
      bytes(0xa3, typeKey, type, typeKey, type, versionKey, 1),
      bytes(0xa3, typeKey, type, versionKey, 1, versionKey, 2),
      bytes(0xbf, typeKey, type, versionKey, 1, 0xff),
      bytes(0xb8, 2, typeKey, type, versionKey, 1),
      bytes(0xa2, typeKey, type, versionKey, 0xc2, 0x41, 1),
      bytes(
        0xa2,
        typeKey,
        type,
        versionKey,
        0x1b,
        0,
        0x20,
        0,
        0,
        0,
        0,
        0,
        0,
      ),
    ];
    for (const payload of payloads) {
      await expectProblem(
        await publish(
          app,
          ada,
          encodeCanonical({ payload, signature: new Uint8Array(1) }),
        ),
        "error.directory.malformed",
      );
    }
    // The same map in its canonical form is a directory.
    const canonical = bytes(0xa2, typeKey, type, versionKey, 1);
    await expectJson(
      await publish(
        app,
        ada,
        encodeCanonical({ payload: canonical, signature: new Uint8Array(1) }),
      ),
      200,
    );
  });
});
