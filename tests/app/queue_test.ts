/**
 * The queue of what is being added, without a screen.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  roomOf,
  UploadQueue,
  type UploadWork,
} from "../../src/web/app/upload/queue.ts";
import { summaryOf } from "../../src/web/app/upload/summary.ts";
import { ThreadError } from "../../src/client/stream/threads/thread_messages.ts";
import { withTestApp } from "../support/app.ts";
import { beginLibrary, deviceOf, fileOf, wireTo } from "../support/library.ts";

const AT_ONCE = { preparing: 2, sending: 3 };

function file(name: string): File {
  return new File([name], name, { lastModified: 1 });
}

/** A queue over work that a test steers. */
function queueOver(work: Partial<UploadWork<string>>) {
  return new UploadQueue<string>({
    prepare: ({ file }) =>
      Promise.resolve({ known: false, prepared: file.name }),
    send: () => Promise.resolve("kept"),
    stop: () => {},
    wait: () => Promise.resolve(),
    ...work,
  }, AT_ONCE);
}

async function settled(queue: UploadQueue<string>): Promise<void> {
  while (queue.active && queue.halt.value === undefined) {
    await new Promise((done) => setTimeout(done, 1));
  }
}

const states = (queue: UploadQueue<string>) =>
  queue.items().map(({ file, state }) => `${file.name} ${state}`);

Deno.test("a file that is in the queue is not added twice", async () => {
  const queue = queueOver({});
  queue.add([{ file: file("a"), folder: "" }]);
  queue.add([{ file: file("a"), folder: "" }, {
    file: file("a"),
    folder: "b",
  }]);
  await settled(queue);
  assert.deepEqual(states(queue), ["a kept", "a kept"]);
});

Deno.test("what an import adds is its own business, and opened when its turn comes", async () => {
  const queue = queueOver({
    prepare: async ({ id, imported }) =>
      await imported?.prepare(id) ?? { known: true },
    send: (_, prepared) => Promise.resolve(prepared === "b" ? "back" : "kept"),
  });
  const about = { name: "a", size: 1, type: "", lastModified: 1 };
  const of = (prepared: string) => ({
    file: about,
    folder: "",
    imported: {
      prepare: () => Promise.resolve({ known: false, prepared } as const),
      done() {},
    },
  });
  const ids = queue.add([of("a"), of("b")]);
  assert.equal(queue.item(ids[1] ?? "")?.state, "preparing");
  await settled(queue);
  assert.deepEqual(states(queue), ["a kept", "a back"]);
  queue.remove(ids[0] ?? "");
  assert.equal(queue.item(ids[0] ?? ""), undefined);
});

Deno.test("no more is prepared and sent at a time than was said", async () => {
  let [now, most] = [0, 0];
  const busy = async () => {
    most = Math.max(most, ++now);
    await new Promise((done) => setTimeout(done, 2));
    now -= 1;
    return "kept" as const;
  };
  const queue = queueOver({ send: busy });
  queue.add(
    Array.from(
      { length: 40 },
      (_, at) => ({ file: file(`${at}`), folder: "" }),
    ),
  );
  await settled(queue);
  assert.equal(most, AT_ONCE.sending);
  assert.equal(
    queue.items().filter(({ state }) => state === "kept").length,
    40,
  );
});

Deno.test("uploads go on after a lost connection without an error", async () => {
  let left = 5;
  const queue = queueOver({
    send: () => {
      if (left-- > 0) {
        throw new ThreadError({ kind: "ConnectionError", message: "" });
      }
      return Promise.resolve("kept");
    },
  });
  queue.add(
    ["a", "b", "c", "d"].map((one) => ({ file: file(one), folder: "" })),
  );
  while (queue.active) await new Promise((done) => setTimeout(done, 1));
  assert.deepEqual(states(queue), ["a kept", "b kept", "c kept", "d kept"]);
});

Deno.test("a wrong receipt ends all sending; one bad file ends nothing", async () => {
  const queue = queueOver({
    send: ({ file }) => {
      if (file.name === "b") throw new Error("unreadable");
      if (file.name !== "d") return Promise.resolve("kept");
      throw new ThreadError({ kind: "CustodyError", message: "" });
    },
  });
  queue.add(["a", "b", "c"].map((one) => ({ file: file(one), folder: "" })));
  await settled(queue);
  assert.deepEqual(states(queue), ["a kept", "b failed", "c kept"]);
  assert.equal(queue.halt.value, undefined);

  queue.add([{ file: file("d"), folder: "" }]);
  await settled(queue);
  assert.equal(queue.halt.value, "lying");
  queue.add([{ file: file("e"), folder: "" }]);
  assert.deepEqual(states(queue).slice(-1), ["e waiting"]);
});

Deno.test("what was paused goes on where it was, and failures when asked for", async () => {
  const stopped: string[] = [];
  let reject: ((error: unknown) => void) | undefined;
  let tries = 0;
  const queue = queueOver({
    send: () =>
      ++tries > 1
        ? Promise.resolve("kept")
        : new Promise((_, no) => reject = no),
    stop: (ids) => {
      stopped.push(...ids);
      reject?.(new ThreadError({ kind: "AbortError", message: "" }));
    },
  });
  queue.add([{ file: file("a"), folder: "" }]);
  while (tries === 0) await new Promise((done) => setTimeout(done, 1));
  queue.pause();
  assert.equal(stopped.length, 1);
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(states(queue), ["a preparing"]);
  queue.resume();
  await settled(queue);
  assert.deepEqual(states(queue), ["a kept"]);
});

Deno.test("what is to be done is remembered until it is done, or is not wanted", async () => {
  const noted = new Set<string>();
  const queue = queueOver({
    remember: (items) => items.forEach(({ file }) => noted.add(file.name)),
    forget: (items) => items.forEach(({ file }) => noted.delete(file.name)),
    prepare: ({ file }) =>
      file.name === "here already"
        ? Promise.resolve({ known: true })
        : file.name === "unreadable"
        ? Promise.reject(new Error("unreadable"))
        : Promise.resolve({ known: false, prepared: file.name }),
    send: () => new Promise(() => {}),
  });
  const names = ["here already", "unreadable", "a", "b"];
  queue.add(names.map((one) => ({ file: file(one), folder: "" })));
  assert.deepEqual([...noted], names);
  while (noted.has("here already") || queue.items()[3]?.state !== "sending") {
    await new Promise((done) => setTimeout(done, 1));
  }
  assert.deepEqual([...noted], ["unreadable", "a", "b"]);
  queue.cancel();
  assert.deepEqual(states(queue), ["here already known", "unreadable failed"]);
  assert.deepEqual([...noted], ["unreadable"]);
  assert.equal(queue.active, false);
  queue.clear();
  assert.deepEqual([...noted], []);
});

Deno.test("what was refused for want of room goes on by itself once there is room", async () => {
  let [asked, hasRoom] = [0, false];
  const full = new ThreadError({
    kind: "ApiProblem",
    message: "",
    code: "error.storage.quota_exceeded",
    status: 507,
  });
  const queue = queueOver({
    send: () => hasRoom ? Promise.resolve("kept") : Promise.reject(full),
    hasRoom: () => {
      hasRoom = ++asked === 3;
      return asked === 1
        ? Promise.reject(new Error("no connection"))
        : Promise.resolve(hasRoom);
    },
  });
  queue.add(
    ["a", "b", "c", "d"].map((one) => ({ file: file(one), folder: "" })),
  );
  while (queue.active) await new Promise((done) => setTimeout(done, 1));
  assert.deepEqual(states(queue), ["a kept", "b kept", "c kept", "d kept"]);
  assert.equal(asked, 3);
});

Deno.test("a queue that was resumed by hand and is full again looks for room once at a time, for what was refused last", async () => {
  const waits: (() => void)[] = [];
  const asked: string[] = [];
  let isFull = true;
  const queue = queueOver({
    send: () =>
      isFull
        ? Promise.reject(
          new ThreadError({
            kind: "ApiProblem",
            message: "",
            code: "error.storage.quota_exceeded",
          }),
        )
        : Promise.resolve("kept"),
    wait: () => new Promise((done) => waits.push(done)),
    hasRoom: (item, prepared) => {
      asked.push(`${item.id} ${prepared}`);
      isFull = false;
      return Promise.resolve(true);
    },
  });
  queue.add([{ file: file("b"), folder: "" }]);
  await settled(queue);
  queue.remove(queue.items()[0]?.id ?? "");
  queue.add([{ file: file("c"), folder: "" }]);
  queue.resume();
  await settled(queue);
  assert.equal(queue.halt.value, "full");
  assert.equal(waits.length, 1);
  waits[0]?.();
  while (queue.active) await new Promise((done) => setTimeout(done, 1));
  assert.deepEqual(asked, ["2 c"]);
  assert.deepEqual(states(queue), ["c kept"]);
  assert.equal(waits.length, 1);
});

Deno.test("room is looked for as much as a photo and its small pictures take, and little more", async () => {
  await withTestApp(async (app) => {
    const library = await beginLibrary(deviceOf(wireTo(app), "laptop"), "ada");
    const used = async () =>
      (await library.vault.session.account.usage()).used_bytes;
    for (const size of [1, 3_000_000]) {
      const before = await used();
      const given = fileOf(`${size}.jpg`, new Uint8Array(size).fill(1));
      const derivatives = ["thumbnail", "preview"].map((kind) => ({
        kind,
        mime: "image/webp",
        bytes: new Uint8Array(size / 3 + 9_000).fill(kind.length),
      }));
      await library.take({ ...given, derivatives });
      const taken = await used() - before;
      const about = { name: "", size, type: "", lastModified: 1 };
      const room = roomOf(about, derivatives);
      assert(taken <= room, `${taken} of ${room}`);
      assert(room < taken * 1.01 + 100_000, `${taken} of ${room}`);
    }
  });
});

Deno.test("a queue that was paused while the storage was full stays paused", async () => {
  const wait = Promise.withResolvers<void>();
  let asked = 0;
  const queue = queueOver({
    send: () =>
      Promise.reject(
        new ThreadError({
          kind: "ApiProblem",
          message: "",
          code: "error.storage.quota_exceeded",
        }),
      ),
    wait: () => wait.promise,
    hasRoom: () => {
      asked++;
      return Promise.resolve(true);
    },
  });
  queue.add([{ file: file("a"), folder: "" }]);
  await settled(queue);
  assert.equal(queue.halt.value, "full");
  queue.pause();
  wait.resolve();
  // Whoever waited for that has had its turn before the next task.
  await new Promise((done) => setTimeout(done, 0));
  assert.equal(asked, 0);
  assert.equal(queue.halt.value, "paused");
});

Deno.test("files without a preview, next to a live photo or without a date are counted each", async () => {
  const notes = {
    "empty.txt": "empty",
    "broken.jpg": "undrawn",
    "cut.jpg": "cut",
    "IMG_1.png": "beside",
  } as const;
  const queue = queueOver({
    prepare: ({ file: { name } }) => {
      const note = Object.entries(notes).find(([one]) => one === name)?.[1];
      return Promise.resolve({
        known: false,
        prepared: name,
        ...(note === undefined ? {} : { note }),
        ...(name.endsWith(".jpg") ? { dateFrom: "disk" } : {}),
      });
    },
  });
  const names = [...Object.keys(notes), "walk.jpg", "beach.heic"];
  queue.add(names.map((name) => ({ file: file(name), folder: "" })));
  await settled(queue);
  const { kept, noted, besides, undated } = summaryOf(queue.items());
  assert.deepEqual({ kept, noted, besides, undated }, {
    kept: 6,
    noted: 3,
    besides: 1,
    undated: 3,
  });
});
