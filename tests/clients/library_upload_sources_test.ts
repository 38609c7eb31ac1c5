/**
 * How files are read while they are taken in: small, empty and large ones, and
 * ones that change meanwhile.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  heldSource,
  plainOf,
  releaseHeld,
  SourceChanged,
} from "../../src/library/mod.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import { seededRandom, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";

Deno.test("a file of more than 12 MiB is sealed while it is read, and one that changes meanwhile is not sent", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const size = 13 * 1024 * 1024 + 5;
    const block = seededRandom("a video")(1024 * 1024);
    /** The block again and again, its first byte the number of the block. */
    let changed = false;
    const source = {
      size,
      read(offset: number, length: number) {
        const bytes = new Uint8Array(length);
        for (let i = 0; i < length;) {
          const at = (offset + i) % block.length;
          const part = block.subarray(at, at + length - i);
          bytes.set(part, i);
          i += part.length;
        }
        if (changed && offset <= 9_000_000 && 9_000_000 < offset + length) {
          bytes[9_000_000 - offset] = 1 + (bytes[9_000_000 - offset] ?? 0);
        }
        return Promise.resolve(bytes);
      },
    };
    const about = { name: "video.mp4", mime: "video/mp4" };
    const sha256 = await library.hash(source);
    changed = true;
    await assert.rejects(
      library.take({ source, about, sha256 }),
      SourceChanged,
    );
    changed = false;
    const { row } = await library.take({ source, about });
    assert.deepEqual(
      await library.range(row.id, { first: size - 70_000, last: size - 1 }),
      await source.read(size - 70_000, 70_000),
    );
    let read = 0;
    for await (const piece of library.read(row.id)) read += piece.length;
    assert.equal(read, size);
  });
});

Deno.test("what is small is read once, and a middling file that changes between hash and seal is not sent", async () => {
  await withTestApp(async (app) => {
    const device = deviceOf(wireTo(app), "laptop");
    let hashed = 0;
    const library = await beginLibrary({
      ...device,
      platform: {
        ...device.platform,
        primitives: {
          ...nativePrimitives,
          sha256: () => {
            const hash = nativePrimitives.sha256();
            return {
              update(bytes) {
                hashed += bytes.length;
                hash.update(bytes);
              },
              digest: () => hash.digest(),
            };
          },
        },
      },
    }, "ada");
    const sourceOf = (bytes: Uint8Array<ArrayBuffer>) => {
      let reads = 0;
      return {
        size: bytes.length,
        reads: () => reads,
        read(offset: number, length: number) {
          reads += 1;
          return Promise.resolve(bytes.slice(offset, offset + length));
        },
      };
    };
    const about = { name: "a.raw", mime: "image/x-raw" };
    const small = seededRandom("small")(3_000_000);
    const once = sourceOf(new Uint8Array(small));
    const held = await heldSource(once);
    const sha256 = await library.hash(held);
    hashed = 0;
    const { row } = await library.take({ source: held, about, sha256 });
    assert.equal(once.reads(), 1);
    // The ciphertext, and nothing of the plaintext a second time.
    assert(hashed >= small.length && hashed < small.length + 10_000);
    assert.equal(row.metadata?.sha256, sha256);

    const middling = new Uint8Array(seededRandom("middling")(9_000_000));
    const read = sourceOf(middling);
    const known = await library.hash(await heldSource(read));
    middling[8_000_000] = 1 + (middling[8_000_000] ?? 0);
    await assert.rejects(
      library.take({ source: read, about, sha256: known }),
      SourceChanged,
    );
  });
});

Deno.test("an empty file is a file", async () => {
  await withTestApp(async (app) => {
    const library = await beginLibrary(
      deviceOf(wireTo(app), "laptop"),
      "ada",
    );
    const { row } = await library.take({
      source: plainOf(new Uint8Array()),
      about: { name: "empty.txt", mime: "text/plain" },
    });
    assert.deepEqual(await wholeOf(library.read(row.id)), new Uint8Array());
  });
});

Deno.test("what was read of a fresh source is freed once it was sent, and the caller's own bytes never are", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const own = ciphertext("the caller's", 100_000);
    await library.take(fileOf("own.jpg", own));
    assert.equal(own.length, 100_000);

    const bytes = ciphertext("a file's", 100_000);
    const given: Uint8Array[] = [];
    const read = (offset: number, length: number) => {
      const piece = bytes.slice(offset, offset + length);
      given.push(piece);
      return Promise.resolve(piece);
    };
    const about = fileOf("fresh.jpg", bytes).about;
    const { row } = await library.take({
      source: { size: bytes.length, isFresh: true, read },
      about,
    });
    assert.deepEqual(given.map(({ length }) => length), [0]);
    assert.deepEqual(await wholeOf(library.read(row.id)), bytes);

    // A connection that breaks is sent the same once more.
    const other = ciphertext("another", 100_000);
    let breaks = 1;
    wire.intercept = (request, pass) => {
      if (request.method !== "PUT" || breaks-- < 1) return undefined;
      return pass(request).then(() => {
        throw new TypeError("the connection broke");
      });
    };
    const held = await heldSource({
      size: other.length,
      isFresh: true,
      read: (at, length) => Promise.resolve(other.slice(at, at + length)),
    });
    const sent = await library.take({ source: held, about });
    assert.deepEqual(await wholeOf(library.read(sent.row.id)), other);
    // Whoever had it held may read it again, until they say otherwise.
    assert.deepEqual(await held.read(0, 10), other.subarray(0, 10));
    releaseHeld(held);
    // What was freed is read again, where it is needed once more.
    assert.deepEqual(await held.read(0, 10), other.subarray(0, 10));
  });
});

Deno.test("a second attempt reads again what the first one freed, and seals nothing that was changed meanwhile", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    for (const isChanged of [false, true]) {
      const bytes = ciphertext(`of a disk ${isChanged}`, 100_000);
      const about = fileOf("disk.jpg", bytes).about;
      const held = await heldSource({
        size: bytes.length,
        isFresh: true,
        read: (at, length) => Promise.resolve(bytes.slice(at, at + length)),
      });
      const sha256 = await library.hash(held);
      let refusals = 1;
      wire.intercept = (request) => {
        const isOp = new URL(request.url).pathname.endsWith("/ops");
        if (!isOp || refusals-- < 1) return undefined;
        // What an earlier attempt stored was deleted for ever meanwhile.
        return Promise.resolve(
          Response.json(
            {
              type: "about:blank",
              title: "Conflict",
              status: 409,
              code: "error.asset.stale_revival",
              detail: "The manifest does not continue the stored chain.",
              request_id: "0",
            },
            {
              status: 409,
              headers: { "Content-Type": "application/problem+json" },
            },
          ),
        );
      };
      const taking = library.take({ source: held, sha256, about }, {
        onProgress(step) {
          if (step !== "sending") return;
          releaseHeld(held);
          if (isChanged) bytes[7] = 1 + (bytes[7] ?? 0);
        },
      });
      if (isChanged) await assert.rejects(taking, SourceChanged);
      else {
        const { row } = await taking;
        assert.deepEqual(await wholeOf(library.read(row.id)), bytes);
      }
      assert(refusals < 1, "nothing was refused");
    }
  });
});
