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
  openLibrary,
  openVault,
  resumeSession,
  SourceChanged,
} from "../../src/library/mod.ts";
import { withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  type TestDevice,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";

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
      wire.intercept = undefined;
      const program = await again(laptop);
      const { store } = laptop;
      let requests = 0;
      let dead = false;
      wire.intercept = (request, pass) => {
        if (dead) throw new Killed("the client was killed");
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
    wire.intercept = undefined;
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
    wire.intercept = (request, pass) => {
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
    wire.intercept = () => {
      if (left-- > 0) return undefined;
      throw new Error("no route to host");
    };
    const report = await library.takeAll(files, { atOnce: 2 });
    assert.ok(report.stopped instanceof ConnectionError);
    assert.ok(report.kept < 12);
    assert.equal(report.failed, 0);
    wire.intercept = undefined;
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
    // At the journal, the trust record as it is read, the server's keys in it,
    // the pinned keys, and the receipts with their row, which are one write;
    // each try goes on from there.
    assert.equal(failures, 5);
    const fresh = await again(laptop);
    const pinned = await fresh.vault.session.client.attestationKeys();
    assert.deepEqual(
      Object.keys(fresh.trust.server.keys),
      pinned.keys.map(({ keyId }) => keyId),
    );
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
    const before = await laptop.credentials.read();
    app.clock.advance(20 * 60_000);
    const files = [1, 2, 3].map((i) =>
      fileOf(`${i}.jpg`, ciphertext(`photo ${i}`, 100))
    );
    assert.equal((await library.takeAll(files)).kept, 3);
    const refreshes = wire.sent.filter((one) => one.endsWith("/refresh"));
    assert.equal(refreshes.length, 1);
    await library.vault.session.settled();
    assert.notDeepEqual(await laptop.credentials.read(), before);
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
    wire.intercept = (request) => {
      if (!isOp(request)) return undefined;
      late = request;
      throw new Killed("on its way");
    };
    await assert.rejects(library.take(photo), ConnectionError);
    // The next one asks whether it is there; only then does it arrive.
    wire.intercept = async (request, pass) => {
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

Deno.test("a file's bytes are let go before its manifest is sent, so that others may be read meanwhile", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await library.sync();
    const began = wire.sent.length;
    const told: string[][] = [];
    const tell = () => told.push(wire.sent.slice(began));
    await library.take(fileOf("a.jpg", ciphertext("a photo", 100_000)), {
      onFreed: tell,
      onSent: tell,
    });
    const [freed = [], sent = [], ...more] = told;
    assert.deepEqual(more, []);
    const ops = (requests: string[]) =>
      requests.filter((one) => one.endsWith("/ops")).length;
    assert.ok(freed.some((one) => one.startsWith("PUT /v1/upload/")));
    assert.deepEqual([ops(freed), ops(sent)], [0, 1]);
  });
});
