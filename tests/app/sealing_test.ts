/**
 * Sealing in threads of pages: the same blobs, whichever thread makes them and
 * whichever ends meanwhile.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page, Worker } from "playwright-core";
import { type Sealer, sealerOf } from "../../src/client/stream/sealer.ts";
import { type StreamKey, streamKey } from "../../src/client/stream/stream.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import { sealingCalls } from "../../src/client/stream/threads/sealing_calls.ts";
import { SealingThreads } from "../../src/client/stream/threads/sealing_threads.ts";
import { sourceOfFile } from "../../src/client/stream/threads/file_source.ts";
import { serveLine } from "../../src/client/stream/threads/thread_messages.ts";
import { seededRandom } from "../support/app.ts";
import { wholeOf } from "../support/library.ts";
import { until } from "../support/until.ts";
import { nightStory } from "../support/web_app.ts";
import { openPhotos, photographer } from "../support/web_people.ts";

const MIB = 1024 * 1024;
const HERE = sealerOf(nativePrimitives);
const context = {
  here: () => Promise.resolve(HERE),
  wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
};

function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  const block = seededRandom("a block")(Math.min(length, 97_003));
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += block.length) {
    bytes.set(block.subarray(0, length - at), at);
  }
  return bytes;
}

function keyOf(name: string): StreamKey {
  const fileKey = seededRandom(name)(32);
  return streamKey({ fileKey }, seededRandom(`${name}, salt`)(16));
}

/** A thread's end of a line, and the port that a page lends. */
function thread(told: (bytes: number) => void = () => {}) {
  const { port1, port2 } = new MessageChannel();
  serveLine(port1, sealingCalls(HERE, (_, bytes) => told(bytes)));
  port1.start();
  return { port: port2, end: () => port1.close() };
}

/** All that a sealer makes of a file. */
async function sealedBy(sealer: Sealer, file: Blob, key: StreamKey) {
  const source = sourceOfFile(file);
  const whole = await sealer.whole(source, key);
  const address = await sealer.address(source, key);
  const last = Math.max(1, Math.ceil(file.size / key.chunkSize));
  return {
    whole,
    address,
    chunks: await sealer.chunks(source, key, Math.floor(last / 2), last),
  };
}

Deno.test("a thread makes of a file what sealing it oneself makes", async () => {
  const threads = new SealingThreads(context);
  let done = 0;
  const { port, end } = thread((bytes) => done += bytes);
  threads.add(port);
  const sizes = [0, 1, 65_535, 65_536, 65_537, 3 * MIB + 5];
  for (const size of sizes) {
    const file = new Blob([bytesOf(size)]);
    const key = keyOf(`file of ${size}`);
    const expected = await sealedBy(HERE, file, key);
    assert.deepEqual(await sealedBy(threads, file, key), expected);
    assert.equal(expected.whole.hash, expected.address.hash);
  }
  const all = sizes.reduce((sum, size) => sum + size);
  assert(done >= 2 * all, "the thread did the work");
  end();
  port.close();
});

Deno.test("of two threads one hashes a large file while the other seals it, and what ends of them is done without", async () => {
  const file = new Blob([bytesOf(9 * MIB + 5)]);
  const key = keyOf("a large file");
  const expected = await sealedBy(HERE, file, key);
  const threads = new SealingThreads({ ...context, roundMs: 20 });
  const done = [0, 0];
  const ends = [0, 1].map((which) => {
    const { port, end } = thread((bytes) => done[which] = bytes);
    threads.add(port);
    return () => {
      end();
      port.close();
    };
  });
  const source = sourceOfFile(file);
  assert.deepEqual(await threads.address(source, key), expected.address);
  assert.deepEqual(done, [file.size, file.size]);
  ends[0]?.();
  assert.deepEqual(await sealedBy(threads, file, key), expected);
  ends[1]?.();
});

Deno.test("a thread that ended with its page, before or in the middle of a file, is done without", async () => {
  const file = new Blob([bytesOf(3 * MIB)]);
  const key = keyOf("a file");
  const expected = await sealedBy(HERE, file, key);

  const gone = thread();
  gone.end();
  let isCut = false;
  const cut = thread(() => {
    if (!isCut) cut.end();
    isCut = true;
  });
  for (const { port } of [gone, cut]) {
    const threads = new SealingThreads({ ...context, roundMs: 20 });
    threads.add(port);
    assert.deepEqual(await sealedBy(threads, file, key), expected);
  }
  assert(isCut);

  const both = new SealingThreads({ ...context, roundMs: 20 });
  let done = 0;
  const other = thread((bytes) => done += bytes);
  both.add(new MessageChannel().port2);
  both.add(other.port);
  const files = [sealedBy(both, file, key), sealedBy(both, file, key)];
  assert.deepEqual(await Promise.all(files), [expected, expected]);
  assert(done >= 4 * file.size, "what is left does all of the work");
  other.end();
  other.port.close();
});

Deno.test("a file that is cancelled is not sealed any further", async () => {
  const file = new Blob([bytesOf(32 * MIB)]);
  const stopping = new AbortController();
  let done = 0;
  const { port, end } = thread((bytes) => {
    done = bytes;
    if (bytes > 2 * MIB) stopping.abort();
  });
  const threads = new SealingThreads(context);
  threads.add(port);
  const { signal } = stopping;
  await assert.rejects(
    threads.whole(sourceOfFile(file), keyOf("a file"), { signal }),
    { name: "AbortError" },
  );
  // The thread is free for the next one.
  const small = new Blob([bytesOf(100_000)]);
  await threads.whole(sourceOfFile(small), keyOf("another"));
  assert(done < file.size, `${done} bytes`);
  end();
  port.close();
});

interface Watched {
  /** Bytes of files that the thread has read. */
  read: number;
  /** It reads no more than these. */
  most: number;
}

/** The page's threads that seal, which from now on count what they read. */
async function sealingThreads(page: Page): Promise<readonly Worker[]> {
  const find = () =>
    page.workers().filter((one) => one.url().includes("sealing"));
  await until(() => Promise.resolve(find().length), (found) => found >= 2);
  const found = find();
  for (const one of found) {
    await one.evaluate(() => {
      const watched: Watched = { read: 0, most: Infinity };
      Object.assign(globalThis, { watched });
      const never = new Promise<never>(() => {});
      const { arrayBuffer } = Blob.prototype;
      Blob.prototype.arrayBuffer = function (this: Blob) {
        watched.read += this.size;
        return watched.read > watched.most ? never : arrayBuffer.call(this);
      };
    });
  }
  return found;
}

/** What each of the threads has read (bytes). */
async function readBy(threads: readonly Worker[]): Promise<number[]> {
  return await Promise.all(
    threads.map((one) =>
      one.evaluate(() =>
        (globalThis as typeof globalThis & { watched: Watched }).watched.read
      )
    ),
  );
}

const sumOf = (read: readonly number[]) =>
  read.reduce((sum, one) => sum + one, 0);

/**
 * Runs in the page: the panel of what was added goes on counting, however long
 * the next file takes to come.
 */
const PANEL_STAYS = `
  const { setTimeout: real } = self;
  self.setTimeout = (act, ms, ...rest) =>
    real(act, ms === 8000 ? 3_600_000 : ms, ...rest);
`;

// By day the tests above run the threads, and adding_test.ts closes the page.
nightStory(
  "over plain http threads of the page seal what is added, and closing the page in the middle loses nothing",
  async ({ url, lanUrl, dataDir, visit }) => {
    const { library, ...ada } = await photographer(url, "ada");
    const add = async (page: Page, name: string, size: number) => {
      const bytes = bytesOf(size);
      // Bytes of its own, because the same ones are added only once.
      bytes.set(new TextEncoder().encode(name));
      const path = `${dataDir}/${name}`;
      await Deno.writeFile(path, bytes);
      await page.locator("input[data-add=files]").setInputFiles(path);
      return bytes;
    };
    /** Waits until another device finds the file and reads those bytes. */
    const expectKept = async (name: string, bytes: Uint8Array) => {
      const find = () =>
        library.list().find(({ metadata }) => metadata?.name === name);
      while (find() === undefined) {
        await new Promise((done) => setTimeout(done, 200));
        await library.sync();
      }
      const read = await wholeOf(library.read(find()?.id ?? ""));
      assert(Buffer.from(read).equals(bytes), `${name} is another file`);
    };
    await visit(async ({ page, context }) => {
      await page.addInitScript(PANEL_STAYS);
      await openPhotos(page, lanUrl, ada);
      const tab = await context.newPage();
      await tab.goto(lanUrl);
      await tab.getByRole("navigation", { name: "strongroom" }).waitFor();

      await add(page, "first.bin", 100_000);
      await page.getByText("1 file added").first().waitFor();
      const threads = await sealingThreads(page);
      const middling = await add(page, "middling.bin", 7 * MIB);
      await page.getByText("2 files added").first().waitFor();
      const once = sumOf(await readBy(threads));
      assert.equal(once, middling.length, "read once");
      const large = await add(page, "large.bin", 33 * MIB + 7);
      await page.getByText("3 files added").first().waitFor();
      // Once for the address, once for its own hash, and once while it is sent;
      // a chunk between two pieces is sealed for both.
      const more = sumOf(await readBy(threads)) - once - 3 * large.length;
      assert(more >= 0 && more < MIB, `${more} bytes`);
      await expectKept("middling.bin", middling);
      await expectKept("large.bin", large);

      // A tab that has lent no thread keeps the vault.
      await page.close();
      // Cut while it is sealed whole, and while it is sealed again to be sent.
      for (const [size, most] of [[9, 4], [33, 36]] as const) {
        const adding = await context.newPage();
        await adding.goto(lanUrl);
        await add(adding, `before ${size}.bin`, 70_000);
        await adding.getByText("1 file added").first().waitFor();
        const held = await sealingThreads(adding);
        for (const one of held) {
          await one.evaluate((most) => {
            const { watched } = globalThis as typeof globalThis & {
              watched: Watched;
            };
            watched.most = most;
          }, most * MIB);
        }
        const name = `cut ${size}.bin`;
        const bytes = await add(adding, name, size * MIB);
        while (Math.max(...await readBy(held)) <= most * MIB) {
          await adding.waitForTimeout(50);
        }
        await adding.close({ runBeforeUnload: false });
        await expectKept(name, bytes);
      }
    });
  },
);
