/**
 * Taking files in over a connection that breaks and with programs that are
 * killed: nothing twice, nothing missing, and nothing called kept that is not.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  ApiProblem,
  ConnectionError,
  heldSource,
  openLibrary,
  openVault,
  plainOf,
  releaseHeld,
  resumeSession,
  SourceChanged,
} from "../../src/client/library/mod.ts";
import { nativePrimitives } from "../../src/client/native.ts";
import { seededRandom, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  type TestDevice,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";

/** The program again, over what the killed one left on the device. */
async function again(device: TestDevice) {
  const session = await resumeSession(device.platform, device.entrance);
  return await openLibrary(await openVault(session), device.store);
}

class Killed extends Error {}

Deno.test("a program that is killed at any request goes on with the same asset, and nothing is stored twice", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    await library.sync();
    const photo = ciphertext("a photo", 100_000);
    const file = {
      ...fileOf("a.jpg", photo),
      derivatives: [{
        kind: "thumbnail",
        mime: "image/jpeg",
        width: 10,
        height: 10,
        bytes: ciphertext("its thumbnail", 500),
      }],
    };
    let kills = 0;
    // Once before and once after each request that a whole run sends.
    for (let at = 0;; at++) {
      wire.meddle = undefined;
      const program = await again(laptop);
      const { store } = laptop;
      let requests = 0;
      let dead = false;
      wire.meddle = (request, pass) => {
        if (dead) throw new Killed("nobody is there any more");
        if (requests++ !== at >> 1) return undefined;
        dead = true;
        if (at % 2 === 0) throw new Killed("before");
        return pass(request).then(() => {
          throw new Killed("after");
        });
      };
      try {
        await program.take(file);
        assert.ok(!dead, "a request that was lost did not matter");
        break;
      } catch (error) {
        assert.ok(error instanceof ConnectionError);
        assert.ok(error.cause instanceof Killed);
        kills++;
        assert.equal((await store.list("uploads")).length, 1);
      }
    }
    wire.meddle = undefined;
    assert.ok(kills > 10, `${kills} kills`);
    assert.deepEqual(await laptop.store.list("uploads"), []);

    const fresh = await again(laptop);
    await fresh.sync();
    const [row, ...more] = fresh.list();
    assert.deepEqual(more, []);
    assert.equal(row?.custody, "receipted");
    assert.deepEqual(await wholeOf(fresh.read(row.id)), photo);
    // One original, one thumbnail, one metadata, one manifest.
    const { account } = fresh.vault.session;
    const { blobs } = await account.asset(row.id);
    assert.deepEqual(
      blobs.map(({ role }) => role).sort(),
      ["derivative", "metadata", "original", "provenance"],
    );
    assert.equal((await account.usage()).assets, 1);
  });
});

Deno.test("many files go several at a time, the same bytes once, and a failure is told of its file", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const files = Array.from({ length: 12 }, (_, i) => ({
      ...fileOf(`${i}.jpg`, ciphertext(`photo ${i % 10}`, 1_000 + i % 10)),
      number: i,
    }));
    const cut = {
      number: 12,
      about: { name: "cut.jpg", mime: "image/jpeg" },
      source: {
        size: 100,
        read: () => Promise.resolve(new Uint8Array(99)),
      },
    };
    let underWay = 0;
    let most = 0;
    wire.meddle = (request, pass) => {
      underWay++;
      most = Math.max(most, underWay);
      return pass(request).finally(() => underWay--);
    };
    const failed: number[] = [];
    const report = await library.takeAll([...files, cut], {
      onFailed: (file, error) => {
        assert.ok(error instanceof SourceChanged);
        failed.push(file.number);
      },
    });
    assert.deepEqual(report, {
      kept: 10,
      known: 2,
      failed: 1,
      stopped: undefined,
    });
    assert.deepEqual(failed, [12]);
    assert.ok(most > 1);
    assert.equal(library.list().length, 10);
  });
});

Deno.test("where the connection is gone or the room is full, the rest is not tried", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const files = Array.from(
      { length: 30 },
      (_, i) => fileOf(`${i}.jpg`, ciphertext(`photo ${i}`, 100)),
    );
    let left = 12;
    wire.meddle = () => {
      if (left-- > 0) return undefined;
      throw new Error("no route to host");
    };
    const report = await library.takeAll(files, { atOnce: 2 });
    assert.ok(report.stopped instanceof ConnectionError);
    assert.ok(report.kept < 12);
    assert.equal(report.failed, 0);
    wire.meddle = undefined;
    const rest = await library.takeAll(files, { atOnce: 2 });
    assert.equal(rest.kept + rest.known, 30);
    await library.sync();
    assert.equal(library.list().length, 30);
  });
});

Deno.test("a quota that is spent ends it", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const files = [
      fileOf("small.jpg", ciphertext("small", 100)),
      fileOf("large.jpg", ciphertext("large", 200_000)),
      fileOf("next.jpg", ciphertext("next", 100)),
    ];
    const report = await library.takeAll(files, { atOnce: 1 });
    assert.ok(report.stopped instanceof ApiProblem);
    assert.equal(report.stopped.code, "error.storage.quota_exceeded");
    assert.equal(report.kept, 1);
  }, { settings: { STRONGROOM_ACCOUNT_QUOTA_BYTES: "100000" } });
});

Deno.test("a file of more than 32 MiB is sealed while it is read, and one that changes meanwhile is not sent", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const size = 33 * 1024 * 1024 + 5;
    const block = seededRandom("a film")(1024 * 1024);
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
    const about = { name: "film.mp4", mime: "video/mp4" };
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

Deno.test("a disk that is full on this side costs nothing that was stored on the other", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    await beginLibrary(laptop, "ada");
    const photo = ciphertext("a photo", 5_000);
    let failures = 0;
    for (let room = 0;; room++) {
      let left = room;
      const full = {
        ...laptop.store,
        write: (changes: Parameters<typeof laptop.store.write>[0]) =>
          left-- > 0
            ? laptop.store.write(changes)
            : Promise.reject(new Error("no space left")),
      };
      const program = await again({ ...laptop, store: full });
      try {
        await program.take(fileOf("a.jpg", photo));
        break;
      } catch (error) {
        assert.match(String(error), /no space left/);
        failures++;
      }
    }
    // At the journal, the pins, and the receipts with their row, which are one
    // write; each try goes on from there.
    assert.equal(failures, 3);
    const fresh = await again(laptop);
    await fresh.sync();
    assert.deepEqual(fresh.list().map(({ custody }) => custody), ["receipted"]);
    assert.equal((await fresh.vault.session.account.usage()).assets, 1);
  });
});

Deno.test("an access token that ran out is renewed in the middle, and the new one is kept", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    const before = await laptop.keep.read();
    app.clock.advance(20 * 60_000);
    const files = [1, 2, 3].map((i) =>
      fileOf(`${i}.jpg`, ciphertext(`photo ${i}`, 100))
    );
    assert.equal((await library.takeAll(files)).kept, 3);
    const refreshes = wire.sent.filter((one) => one.endsWith("/refresh"));
    assert.equal(refreshes.length, 1);
    await library.vault.session.settled();
    assert.notDeepEqual(await laptop.keep.read(), before);
    const sent = wire.sent.length;
    await (await again(laptop)).sync();
    assert.ok(!wire.sent.slice(sent).some((one) => one.endsWith("/refresh")));
  });
});

Deno.test("what a killed program had asked for may be done late, and is found all the same", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    await library.sync();
    const photo = fileOf("a.jpg", ciphertext("a photo", 10_000));
    const isOp = (request: Request) =>
      request.method === "POST" &&
      new URL(request.url).pathname.endsWith("/ops");
    // The program dies while its last request is on its way.
    let late: Request | undefined;
    wire.meddle = (request) => {
      if (!isOp(request)) return undefined;
      late = request;
      throw new Killed("on its way");
    };
    await assert.rejects(library.take(photo), ConnectionError);
    // The next one asks whether it is there; only then does it arrive.
    wire.meddle = async (request, pass) => {
      if (isOp(request) && late !== undefined) {
        const held = late;
        late = undefined;
        const response = await pass(held);
        assert.ok(response.ok);
        await response.body?.cancel();
      }
      return await pass(request);
    };
    const program = await again(laptop);
    const { outcome, row } = await program.take(photo);
    assert.equal(outcome, "kept");
    assert.equal(row.custody, "receipted");
    await program.sync();
    assert.deepEqual(program.list().map(({ id }) => id), [row.id]);
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
    wire.meddle = (request, pass) => {
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
    assert.throws(() => held.read(0, 10), TypeError);
  });
});
