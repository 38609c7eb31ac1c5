/**
 * Looking at pictures in a thread: what counts as looked at, and what does not.
 *
 * @module
 */
import assert from "node:assert/strict";
import { MOST_PIXELS, MOST_SMALL_PIXELS } from "../../src/media/exif/extent.ts";
import {
  mayPass,
  type Remote,
  remote,
  ThreadError,
} from "../../src/client/stream/threads/thread_messages.ts";
import type { Thumbnail } from "../../src/web/workers/library/photo_lists.ts";
import { utf8 } from "../../src/core/bytes.ts";
import {
  goOver,
  smallPictures,
} from "../../src/web/app/screens/findings/going_over.ts";
import {
  type HowFar,
  howFarText,
} from "../../src/web/app/screens/findings/how_far.ts";
import {
  lookAt,
  PictureLooker,
} from "../../src/web/app/screens/findings/looking_thread.ts";

const MESSAGES = import.meta.resolve(
  "../../src/client/stream/threads/thread_messages.ts",
);

/** A thread that says what a picture is, and knows some words of its own. */
const SCRIPT = `
  import { serveLine } from "${MESSAGES}";
  let load;
  const loaded = new Promise((resolve) => load = resolve);
  serveLine(self, {
    words: {
      ready: () => loaded,
      load: () => load(),
      answers: () => true,
      async read(picture) {
        const text = await picture.slice(33).text();
        if (text === "breaks") throw new Error("it broke");
        if (text === "unknown") return undefined;
        return text === "gravel" ? await new Promise(() => {}) : text;
      },
    },
  });
`;

type Words = {
  words: {
    ready(): void;
    load(): void;
    answers(): boolean;
    read(picture: Blob): string | undefined;
  };
};

interface Thread {
  readonly looker: PictureLooker<string>;
  /** How often a thread was started, and a picture timed. */
  readonly counts: { started: number; timed: number };
}

/** A looker, which is told when a picture takes too long. */
function lookerIn(
  script: string,
  { loads = true, isTooLong = false }: {
    readonly loads?: boolean;
    readonly isTooLong?: boolean;
  } = {},
): Thread & { readonly thread: Promise<Remote<Words>> } {
  const counts = { started: 0, timed: 0 };
  const opened = Promise.withResolvers<Pick<Remote<Words>, "words">>();
  const looker = new PictureLooker<string>({
    start() {
      counts.started++;
      const address = `data:text/javascript,${encodeURIComponent(script)}`;
      return new Worker(address, { type: "module" });
    },
    open(worker) {
      const { words } = remote<Words>(worker, () => {});
      opened.resolve({ words });
      if (loads) words.load();
      return { ready: words.ready, look: words.read };
    },
    async tooLong(signal) {
      counts.timed++;
      if (isTooLong) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => resolve(), { once: true });
      await promise;
    },
    nothing: "",
  });
  return { looker, counts, thread: opened.promise };
}

/** The head of a PNG of so many pixels, and a text behind it. */
function picture(text: string, side = 100): Blob {
  const head = new Uint8Array(33);
  head.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  head.set(utf8("IHDR"), 12);
  const view = new DataView(head.buffer);
  view.setUint32(16, side);
  view.setUint32(20, side);
  return new Blob([head, text]);
}

Deno.test("a thread that cannot be loaded leaves no picture looked at", async () => {
  const { looker } = lookerIn(`import "${MESSAGES}.missing";`, {
    isTooLong: true,
  });
  await assert.rejects(looker.look(picture("hotel"), MOST_PIXELS), ThreadError);
});

Deno.test("loading takes no time from a picture", async () => {
  const { looker, counts, thread } = lookerIn(SCRIPT, {
    loads: false,
    isTooLong: true,
  });
  const found = looker.look(picture("gravel"), MOST_PIXELS);
  const { words: { answers, load } } = await thread;
  assert.equal(await answers(), true);
  assert.deepEqual(counts, { started: 1, timed: 0 });
  // The thread may be ended before it answers this.
  load();
  assert.equal(await found, "unable");
  assert.deepEqual(counts, { started: 1, timed: 1 });
  looker.end();
});

Deno.test("a picture for which this device takes too long is left to others, and ends the thread", async () => {
  const { looker, counts } = lookerIn(SCRIPT, { isTooLong: true });
  for (let times = 2; times > 0; times--) {
    assert.equal(await looker.look(picture("gravel"), MOST_PIXELS), "unable");
  }
  assert.equal(counts.started, 2);
  looker.end();
});

Deno.test("a picture that this browser does not decode is left to others", async () => {
  const { looker, counts } = lookerIn(SCRIPT);
  for (let times = 4; times > 0; times--) {
    assert.equal(await looker.look(picture("unknown"), MOST_PIXELS), "unable");
  }
  assert.equal(counts.started, 1, "it is no fault of the thread");
  looker.end();
});

Deno.test("a picture that breaks the thread is passed over, and three in a row are a fault", async () => {
  const { looker, counts } = lookerIn(SCRIPT);
  assert.equal(await looker.look(picture("breaks"), MOST_PIXELS), "broken");
  assert.deepEqual(await looker.look(picture("hotel"), MOST_PIXELS), {
    found: "hotel",
  });
  for (let times = 2; times > 0; times--) {
    assert.equal(await looker.look(picture("breaks"), MOST_PIXELS), "broken");
  }
  await assert.rejects(
    looker.look(picture("breaks"), MOST_PIXELS),
    ThreadError,
  );
  assert.equal(counts.started, 4);
  looker.end();
});

Deno.test("nothing is in what is no picture, or has more pixels than memory holds", async () => {
  const { looker, counts } = lookerIn(SCRIPT);
  for (
    const one of [
      picture("hotel", 20_000),
      picture("hotel", 0),
      new Blob([]),
      new Blob(["<svg><text>hotel</text></svg>"]),
    ]
  ) {
    assert.deepEqual(await looker.look(one, MOST_PIXELS), { found: "" });
  }
  assert.equal(counts.started, 0, "no thread gets them");
  const large = picture("hotel", 3_999);
  assert.deepEqual(await looker.look(large, MOST_SMALL_PIXELS), {
    found: "hotel",
  });
  assert.deepEqual(await looker.look(large, 15_000_000), { found: "" });
  looker.end();
});

Deno.test("photos are passed over where their picture is lost, but not for want of a connection", async () => {
  const fault = (kind: string, status?: number) =>
    new ThreadError({ kind, message: "", ...status && { status } });
  const pictures: Readonly<Record<string, Error>> = {
    lost: fault("ApiProblem", 404),
    offline: fault("ConnectionError"),
    busy: fault("ApiProblem", 503),
  };
  const looked = (...photos: string[]) =>
    lookAt(
      photos,
      (photo) => {
        const error = pictures[photo];
        return error === undefined
          ? Promise.resolve(picture(photo))
          : Promise.reject(error);
      },
      async (one) => {
        const text = await one.slice(33).text();
        if (text === "breaks") return "broken";
        return text === "gravel" ? "unable" : { found: text };
      },
    );
  assert.deepEqual(await looked("hotel", "lost", "breaks", "gravel", "zoo"), {
    looked: [
      { photo: "hotel", found: "hotel" },
      { photo: "zoo", found: "zoo" },
    ],
    passed: ["lost", "breaks"],
    unable: ["gravel"],
  });
  for (const away of ["offline", "busy"]) {
    assert.deepEqual(await looked("hotel", away, "zoo"), {
      looked: [{ photo: "hotel", found: "hotel" }],
      passed: [],
      unable: [],
      fault: pictures[away],
    });
  }
});

/** What a run over photos keeps, and how often it tells of it. */
function goingOver(
  photos: readonly string[],
  thumbnailOf: (id: string) => Thumbnail,
) {
  const kept: Record<"looked" | "passed" | "unable", string[]> = {
    looked: [],
    passed: [],
    unable: [],
  };
  const counts = { told: 0, idle: 0 };
  const run = () => {
    let queue = photos.filter((id) => !Object.values(kept).flat().includes(id));
    return goOver<{ readonly id: string }, string>({
      work: {
        isHere: { peek: () => true },
        isBusy: { value: false },
        idle: () => Promise.resolve(void counts.idle++),
      },
      atOnce: 2,
      toldEvery: 3,
      next(most) {
        const next = queue.slice(0, most);
        queue = queue.slice(most);
        return Promise.resolve(next.map((id) => ({ id })));
      },
      picturesOf: (photos) =>
        smallPictures(photos.map(({ id }) => thumbnailOf(id))),
      look: async (picture) => ({ found: await picture.text() }),
      keep({ looked, passed, unable }) {
        kept.looked.push(...looked.map(({ found }) => found));
        kept.passed.push(...passed.map(({ id }) => id));
        kept.unable.push(...unable.map(({ id }) => id));
        return Promise.resolve();
      },
      tell: () => Promise.resolve(void counts.told++),
    });
  };
  return { run, kept, counts };
}

Deno.test("without a connection no photo is passed over, and all are looked at once there is one", async () => {
  let isOnline = false;
  const thumbnailOf = (id: string): Thumbnail => {
    if (id === "one") return { id, bytes: utf8(id) };
    if (!isOnline) return { id, missing: "later" };
    return id === "lost" ? { id, missing: "damaged" } : { id, bytes: utf8(id) };
  };
  const photos = ["one", "two", "lost", "four"];
  const { run, kept, counts } = goingOver(photos, thumbnailOf);
  await assert.rejects(run(), (error) => mayPass(error));
  assert.deepEqual(kept, { looked: ["one"], passed: [], unable: [] });
  assert.equal(counts.told, 1, "what was looked at before is told");
  await assert.rejects(run(), (error) => mayPass(error));
  assert.deepEqual(kept.looked, ["one"]);

  isOnline = true;
  await run();
  assert.deepEqual(kept, {
    looked: ["one", "two", "four"],
    passed: ["lost"],
    unable: [],
  });
  await run();
  assert.equal(kept.looked.length, 3);
});

Deno.test("what is said of looking comes to an end, and a lost connection is no fault of the thread", () => {
  const said = (
    far: Partial<HowFar>,
    { isHere = true, fault }: { isHere?: boolean; fault?: unknown } = {},
  ) =>
    howFarText(
      {
        full: "full",
        done: "done",
        fault: "fault",
        passed: ({ n }) => `${n} passed`,
        left: ({ n }) => `${n} left`,
        waiting: ({ n }) => `${n} waiting`,
      },
      { left: 0, passed: 0, isFull: false, ...far },
      { isHere, fault },
    );
  assert.equal(said({}), "done");
  assert.equal(said({ passed: 3 }), "3 passed");
  assert.equal(said({ left: 2, passed: 3 }), "2 left");
  assert.equal(said({ left: 2 }, { isHere: false }), "2 waiting");
  assert.equal(said({ left: 2, isFull: true }), "full");
  const broken = new ThreadError({ kind: "Error", message: "" });
  assert.equal(said({ left: 2 }, { fault: broken }), "fault");
  const offline = new ThreadError({ kind: "ConnectionError", message: "" });
  assert.equal(said({ left: 2 }, { fault: offline }), "2 left");
});
