/**
 * A server that serves wrong blobs or lies about them, or a proxy that does so
 * for it, is caught and named.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  ClientTooOld,
  ConnectionError,
  DamagedBlob,
  openLibrary,
  openVault,
  resumeSession,
} from "../../src/library/mod.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";
import { changeJson } from "../support/false_receipts.ts";

Deno.test("a server that wants a later build is told from one that fails", async () => {
  await withTestApp(async (app) => {
    const laptop = deviceOf(wireTo(app), "laptop");
    await assert.rejects(beginLibrary(laptop, "ada"), ClientTooOld);
  }, { settings: { STRONGROOM_MIN_CLIENT_BUILD: "2" } });
});

Deno.test("a blob that is changed, cut or exchanged on its way does not come out as a photo", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const photo = ciphertext("a photo", 150_000);
    const { row } = await library.take(fileOf("a.jpg", photo));
    const blobs = /\/blobs\/[0-9a-f]{64}$/;
    const change = (edit: (bytes: Uint8Array) => Uint8Array) => {
      wire.intercept = (request, pass) => {
        if (!blobs.test(new URL(request.url).pathname)) return undefined;
        return pass(request).then(async (answer) => {
          const bytes = edit(new Uint8Array(await answer.arrayBuffer()));
          const headers = { "Content-Length": String(bytes.length) };
          return new Response(new Uint8Array(bytes), { headers });
        });
      };
    };
    const expectDamaged = async () => {
      let closed = false;
      let aborted = false;
      const sink = {
        write: () => Promise.resolve(),
        close: () => Promise.resolve(void (closed = true)),
        abort: () => Promise.resolve(void (aborted = true)),
      };
      await assert.rejects(library.pull(row.id, sink), DamagedBlob);
      assert.deepEqual({ closed, aborted }, { closed: false, aborted: true });
      const report = await library.readBack();
      assert.deepEqual(report.damaged, [row.id]);
      assert.equal(library.index.get(row.id)?.custody, "damaged");
    };
    change((bytes) => {
      bytes[70_000] = 1 ^ (bytes[70_000] ?? 0);
      return bytes;
    });
    await expectDamaged();
    change((bytes) => bytes.subarray(0, bytes.length - 40_000));
    await expectDamaged();
    change((bytes) => ciphertext("another", bytes.length));
    await expectDamaged();

    wire.intercept = undefined;
    assert.deepEqual(await wholeOf(library.read(row.id)), photo);
    assert.deepEqual((await library.readBack()).confirmed, [row.id]);
    assert.equal(library.index.get(row.id)?.custody, "read_back");
  });
});

Deno.test("a connection that breaks in the middle of a blob costs what was not read yet", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const photo = ciphertext("a photo", 150_000);
    const { row } = await library.take(fileOf("a.jpg", photo));
    const ranges: (string | null)[] = [];
    wire.intercept = (request, pass) => {
      if (!/\/blobs\//.test(request.url)) return undefined;
      ranges.push(request.headers.get("Range"));
      return pass(request).then(async (answer) => {
        const bytes = new Uint8Array(await answer.arrayBuffer());
        if (ranges.length > 2) {
          const { status, headers } = answer;
          return new Response(bytes, { status, headers });
        }
        const stream = new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(bytes.subarray(0, 60_000));
          },
          pull(controller) {
            controller.error(new Error("reset"));
          },
        }, { highWaterMark: 0 });
        const { status, headers } = answer;
        return new Response(stream, { status, headers });
      });
    };
    assert.deepEqual(await wholeOf(library.read(row.id)), photo);
    assert.deepEqual(ranges, [null, "bytes=60000-", "bytes=120000-"]);
  });
});

Deno.test("a connection that breaks in the middle of a blob again and again is a lost connection, in plain words", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const photo = ciphertext("a photo", 150_000);
    const { row } = await library.take(fileOf("a.jpg", photo));
    const reset = new TypeError("error reading a body from connection");
    let asked = 0;
    wire.intercept = (request, pass) => {
      if (!/\/blobs\//.test(request.url)) return undefined;
      asked++;
      return pass(request).then(({ status, headers }) =>
        new Response(
          new ReadableStream({ start: (body) => body.error(reset) }),
          { status, headers },
        )
      );
    };
    await assert.rejects(wholeOf(library.read(row.id)), (error) => {
      assert(error instanceof ConnectionError);
      assert.equal(
        error.message,
        "the connection broke again and again while a file was downloaded",
      );
      assert.equal(error.cause, reset);
      return true;
    });
    assert.equal(asked, 5);
  });
});

Deno.test("what the server says of its blobs is confirmed, and what is not there is missing", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    const one = await library.take(fileOf("1.jpg", ciphertext("1", 100)));
    const two = await library.take(fileOf("2.jpg", ciphertext("2", 100)));
    assert.deepEqual((await library.confirm()).confirmed.length, 2);
    assert.equal(library.index.get(one.row.id)?.custody, "confirmed");
    await library.confirm({ deep: true });
    assert.equal(library.index.get(two.row.id)?.custody, "read_back");

    changeJson(wire, /\/storage\/verify$/, (json) => {
      json.verdicts[0].blobs.pop();
      return json;
    });
    const lied = await library.confirm();
    assert.deepEqual(lied.missing, [one.row.id]);
    // A restart knows it still.
    wire.intercept = undefined;
    const session = await resumeSession(laptop.platform, laptop.entrance);
    const again = await openLibrary(await openVault(session), laptop.store);
    assert.equal(again.index.get(one.row.id)?.custody, "missing");
    assert.equal(again.index.get(two.row.id)?.custody, "read_back");
  });
});

Deno.test("no error that leaves the library tells a key or a password", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    const masterKey = library.vault.session.masterKey() ?? new Uint8Array();
    const secrets = [
      toBase64(masterKey),
      library.vault.session.account.tokens().session_token,
      library.vault.session.account.tokens().access_token,
    ];
    const kept = await laptop.credentials.read() ?? new Uint8Array();
    await laptop.credentials.write(kept.subarray(0, kept.length - 3));
    const errors: unknown[] = [];
    const caught = (work: Promise<unknown>) =>
      work.catch((error) => void errors.push(error));
    await caught(resumeSession(laptop.platform, laptop.entrance));
    await laptop.credentials.write(new TextEncoder().encode(
      new TextDecoder().decode(kept).replace('"v":1', '"v":2'),
    ));
    await caught(resumeSession(laptop.platform, laptop.entrance));
    wire.intercept = () => {
      throw new Error("down");
    };
    await caught(library.sync());
    assert.equal(errors.length, 3);
    for (const error of errors) {
      const text = Deno.inspect(error, { depth: 20 });
      for (const secret of secrets) assert.ok(!text.includes(secret), text);
    }
  });
});
