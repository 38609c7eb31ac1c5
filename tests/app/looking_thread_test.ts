/**
 * Looking at pictures in a thread: what counts as looked at, and what does not.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Remote,
  remote,
  ThreadError,
} from "../../src/client/threads/thread_messages.ts";
import {
  lookAt,
  PictureLooker,
} from "../../src/web/app/views/findings/looking_thread.ts";

const MESSAGES = import.meta.resolve(
  "../../src/client/threads/thread_messages.ts",
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
        const text = await picture.text();
        if (text === "breaks") throw new Error("it broke");
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
    read(picture: Blob): string;
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
): Thread & { readonly thread: () => Remote<Words>["words"] } {
  const counts = { started: 0, timed: 0 };
  let thread: Remote<Words>["words"] | undefined;
  const looker = new PictureLooker<string>({
    start() {
      counts.started++;
      const address = `data:text/javascript,${encodeURIComponent(script)}`;
      return new Worker(address, { type: "module" });
    },
    open(worker) {
      const { words } = remote<Words>(worker, () => {});
      thread = words;
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
  return {
    looker,
    counts,
    thread() {
      assert.ok(thread !== undefined);
      return thread;
    },
  };
}

const picture = (text: string) => new Blob([text]);

Deno.test("a thread that cannot be loaded leaves no picture looked at", async () => {
  const { looker } = lookerIn(`import "${MESSAGES}.missing";`, {
    isTooLong: true,
  });
  await assert.rejects(looker.look(picture("hotel")), ThreadError);
});

Deno.test("loading takes no time from a picture", async () => {
  const { looker, counts, thread } = lookerIn(SCRIPT, {
    loads: false,
    isTooLong: true,
  });
  const found = looker.look(picture("gravel"));
  assert.equal(await thread().answers(), true);
  assert.deepEqual(counts, { started: 1, timed: 0 });
  await thread().load();
  assert.equal(await found, "");
  assert.deepEqual(counts, { started: 1, timed: 1 });
  looker.end();
});

Deno.test("what takes too long has nothing in it, and ends the thread", async () => {
  const slow = lookerIn(SCRIPT, { isTooLong: true });
  assert.equal(await slow.looker.look(picture("gravel")), "");
  assert.equal(await slow.looker.look(picture("gravel")), "");
  assert.equal(slow.counts.started, 2);
  slow.looker.end();
});

Deno.test("a picture that breaks the thread is passed over, and three in a row are a fault", async () => {
  const { looker, counts } = lookerIn(SCRIPT);
  assert.equal(await looker.look(picture("breaks")), undefined);
  assert.equal(await looker.look(picture("hotel")), "hotel");
  for (let times = 2; times > 0; times--) {
    assert.equal(await looker.look(picture("breaks")), undefined);
  }
  await assert.rejects(looker.look(picture("breaks")), ThreadError);
  assert.equal(counts.started, 4);
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
        const text = await one.text();
        return text === "breaks" ? undefined : text;
      },
    );
  assert.deepEqual(await looked("hotel", "lost", "breaks", "zoo"), {
    looked: [
      { photo: "hotel", found: "hotel" },
      { photo: "zoo", found: "zoo" },
    ],
    passed: ["lost", "breaks"],
  });
  for (const away of ["offline", "busy"]) {
    assert.deepEqual(await looked("hotel", away, "zoo"), {
      looked: [{ photo: "hotel", found: "hotel" }],
      passed: [],
      fault: pictures[away],
    });
  }
});
