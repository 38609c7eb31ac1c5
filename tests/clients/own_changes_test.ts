/**
 * Marks that a device shows at once and sends by itself, over the real server
 * and a connection that a test holds up or that answers for the server.
 *
 * @module
 */
import assert from "node:assert/strict";
import { ApiProblem } from "../../src/client/api/api.ts";
import { changedAt, type Library, openLibrary } from "../../src/library/mod.ts";
import {
  openOwnChanges,
  type OwnChanges,
} from "../../src/web/workers/library/unsent_changes.ts";
import { withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";
import { secondDevice } from "../support/library_sharing.ts";

/** Answers instead of the server; or the server gets it, and its answer is lost. */
type Answer = (() => Response | undefined) | "lost";

const passes: Answer = () => undefined;
const isAway: Answer = () => new Response("", { status: 502 });
const refuses: Answer = () => problem(403, "error.account.suspended");

function problem(status: number, code: string): Response {
  return Response.json({ type: `about:${code}`, status, code, title: code }, {
    status,
    headers: { "Content-Type": "application/problem+json" },
  });
}

/** The answers to the writes of the state, one for each, as a test gives them. */
class Writes {
  readonly #asked: PromiseWithResolvers<Answer>[] = [];
  #arrived = Promise.withResolvers<void>();

  constructor(wire: Wire) {
    wire.intercept = (request, pass) => {
      const { pathname } = new URL(request.url);
      if (request.method !== "PUT" || pathname !== "/v1/state/library") {
        return undefined;
      }
      const asked = Promise.withResolvers<Answer>();
      this.#asked.push(asked);
      this.#arrived.resolve();
      return asked.promise.then(async (answer) => {
        if (answer !== "lost") return answer() ?? await pass(request);
        await pass(request);
        throw new TypeError("connection lost");
      });
    };
  }

  /** Waits until a write is on its way; returns what answers it. */
  async next(): Promise<(answer: Answer) => void> {
    for (;;) {
      const asked = this.#asked.shift();
      if (asked !== undefined) return (answer) => asked.resolve(answer);
      await this.#arrived.promise;
      this.#arrived = Promise.withResolvers<void>();
    }
  }
}

/** What a page of the device sees, and what it is told. */
interface Page {
  readonly changes: OwnChanges;
  /** The names of the events, with the number of changes that wait. */
  readonly told: readonly string[];
  /** Waits until it is told that. */
  hears(what: string): Promise<void>;
  /** Marks a photo as a favourite; waits until that is sent or has to wait. */
  mark(id: string): Promise<void>;
  /** The same on the device alone; returns what sends it. */
  note(id: string): Promise<() => Promise<void>>;
  /** Waits until a pause begins; returns what ends it. */
  pausing(): Promise<() => void>;
}

async function pageOf(library: Library, now: () => number): Promise<Page> {
  const told: string[] = [];
  const hearing = new Map<string, PromiseWithResolvers<void>>();
  let pause = Promise.withResolvers<() => void>();
  const tell = (what: string) => {
    told.push(what);
    hearing.get(what)?.resolve();
  };
  const changes = await openOwnChanges({
    library,
    now,
    signal: new AbortController().signal,
    tellUnsent: (count) => tell(`unsent ${count}`),
    tellTakenBack: () => tell("takenBack"),
    pause: () => new Promise((resolve) => pause.resolve(resolve)),
    changed() {},
  });
  return {
    changes,
    told,
    async hears(what) {
      if (told.includes(what)) return;
      const heard = Promise.withResolvers<void>();
      hearing.set(what, heard);
      await heard.promise;
    },
    mark: (id) => changes.flags.change([id], { favourite: true }),
    note: (id) =>
      changes.note((held) => {
        const at = changedAt(held.flags[id], now());
        const flags = { ...held.flags, [id]: { favourite: true, at } };
        return { ...held, flags };
      }),
    async pausing() {
      const end = await pause.promise;
      pause = Promise.withResolvers();
      return end;
    },
  };
}

/** Ada's laptop, whose writes a test answers, and her phone. */
interface Devices {
  readonly laptop: Library;
  readonly phone: Library;
  readonly page: Page;
  readonly writes: Writes;
  /** The photos of the marks. */
  readonly ids: { readonly cat: string; readonly dog: string };
  /** Opens the app again on the laptop. */
  reload(): Promise<{ readonly laptop: Library; readonly page: Page }>;
}

async function withDevices(test: (devices: Devices) => Promise<void>) {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const device = deviceOf(wire, "laptop");
    const now = () => app.clock.now;
    const laptop = await beginLibrary(device, "ada");
    const take = async (name: string) => {
      const bytes = ciphertext(name, 3_000);
      return (await laptop.take(fileOf(`${name}.jpg`, bytes))).row.id;
    };
    const ids = { cat: await take("cat"), dog: await take("dog") };
    const phone = await secondDevice(wireTo(app), laptop, "ada");
    const page = await pageOf(laptop, now);
    const writes = new Writes(wire);
    const reload = async () => {
      const again = await openLibrary(laptop.vault, device.store);
      return { laptop: again, page: await pageOf(again, now) };
    };
    await test({ laptop, phone, page, writes, ids, reload });
  });
}

/** The favourites that a device shows, by the names of their files. */
function favourites(library: Library): string {
  return library.list().filter((row) => library.flags.of(row).favourite)
    .map(({ metadata }) => metadata?.name?.slice(0, 3)).toSorted()
    .join(" ");
}

async function favouritesAfterSync(library: Library): Promise<string> {
  await library.sync();
  return favourites(library);
}

/** Whether a change was refused, once that is known. */
const fate = (change: Promise<void>): Promise<"kept" | "refused"> =>
  change.then(() => "kept", (error) => {
    assert(error instanceof ApiProblem);
    return "refused";
  });

const passing: Readonly<Record<string, Answer>> = {
  "a proxy that knows no such page": () =>
    new Response("not found", { status: 404 }),
  "a proxy that lets no one in": () =>
    new Response("forbidden", { status: 403 }),
  "a server that waited too long for the bytes": () =>
    new Response("too slow", { status: 408 }),
  "a server whose disk is full": () => problem(500, "error.storage.full"),
  "an account that is full": () => problem(403, "error.storage.quota_exceeded"),
};
for (const [who, answer] of Object.entries(passing)) {
  Deno.test(`a mark waits, stays and is sent later after an answer by ${who}`, async () => {
    await withDevices(async ({ laptop, phone, page, writes, ids }) => {
      const marking = page.mark(ids.cat);
      (await writes.next())(answer);
      await marking;
      assert.equal(favourites(laptop), "cat");
      assert.deepEqual(page.told, ["unsent 1"]);
      (await page.pausing())();
      (await writes.next())(passes);
      await page.hears("unsent 0");
      assert.deepEqual(page.told, ["unsent 1", "unsent 0"]);
      assert.equal(await favouritesAfterSync(phone), "cat");
    });
  });
}

Deno.test("a refused mark is taken back, and what another device marked meanwhile stays", async () => {
  await withDevices(async ({ laptop, phone, page, writes, ids }) => {
    const marking = page.mark(ids.cat);
    const answer = await writes.next();
    await phone.flags.change([ids.dog], { favourite: true });
    await laptop.state.read();
    assert.equal(favourites(laptop), "cat dog");
    answer(refuses);
    assert.equal(await fate(marking), "refused");
    assert.equal(favourites(laptop), "dog");
    assert.deepEqual(page.told, ["unsent 0"]);
    const next = page.mark(ids.cat);
    (await writes.next())(passes);
    await next;
    assert.equal(await favouritesAfterSync(phone), "cat dog");
  });
});

Deno.test("a refused mark of a photo that another device marked later stays as that device has it", async () => {
  await withDevices(async ({ laptop, phone, page, writes, ids }) => {
    const marking = page.mark(ids.cat);
    const answer = await writes.next();
    await phone.flags.change([ids.cat], { favourite: false });
    await phone.flags.change([ids.cat], { favourite: true });
    await laptop.state.read();
    answer(refuses);
    assert.equal(await fate(marking), "refused");
    assert.equal(favourites(laptop), "cat");
  });
});

Deno.test("a mark that the server took stays when the next one is refused", async () => {
  await withDevices(async ({ laptop, phone, page, writes, ids }) => {
    const first = fate(page.mark(ids.cat));
    const answer = await writes.next();
    const send = await page.note(ids.dog);
    const second = fate(send());
    answer(passes);
    assert.equal(await first, "kept");
    (await writes.next())(refuses);
    assert.equal(await second, "refused");
    assert.equal(favourites(laptop), "cat");
    assert.equal(await favouritesAfterSync(phone), "cat");
  });
});

Deno.test("a mark that was made while another one is refused is sent by itself", async () => {
  await withDevices(async ({ laptop, phone, page, writes, ids }) => {
    const first = fate(page.mark(ids.cat));
    const answer = await writes.next();
    const send = await page.note(ids.dog);
    const second = fate(send());
    answer(refuses);
    assert.equal(await first, "refused");
    assert.equal(favourites(laptop), "dog");
    (await writes.next())(passes);
    assert.equal(await second, "kept");
    assert.equal(await favouritesAfterSync(phone), "dog");
  });
});

Deno.test("marks that are sent and refused together are both taken back and both said to be", async () => {
  await withDevices(async ({ laptop, page, writes, ids }) => {
    const [first, second] = [
      await page.note(ids.cat),
      await page.note(ids.dog),
    ];
    const fates = [fate(first()), fate(second())];
    (await writes.next())(refuses);
    assert.deepEqual(await Promise.all(fates), ["refused", "refused"]);
    assert.equal(favourites(laptop), "");
  });
});

Deno.test("a mark that is made while a waiting one is tried again is sent right after it", async () => {
  await withDevices(async ({ phone, page, writes, ids }) => {
    const first = page.mark(ids.cat);
    (await writes.next())(isAway);
    await first;
    (await page.pausing())();
    const again = await writes.next();
    // Not awaited: the server may still not answer.
    await page.mark(ids.dog);
    again(passes);
    (await writes.next())(passes);
    await page.hears("unsent 0");
    assert.equal(page.told.at(-1), "unsent 0");
    assert.equal(await favouritesAfterSync(phone), "cat dog");
  });
});

Deno.test("a mark that waited while the app was closed is taken back when the server refuses it, and the app says so", async () => {
  await withDevices(async ({ phone, page, writes, ids, reload }) => {
    await page.note(ids.dog);
    const sending = page.changes.resume();
    (await writes.next())(passes);
    await sending;
    const first = page.mark(ids.cat);
    (await writes.next())(isAway);
    await first;

    const next = await reload();
    assert.equal(favourites(next.laptop), "cat dog");
    const resumed = next.page.changes.resume();
    (await writes.next())(refuses);
    await resumed;
    assert.deepEqual(next.page.told, ["unsent 0", "takenBack"]);
    assert.equal(favourites(next.laptop), "dog");
    // Nor does it go along with the next change.
    const other = next.page.mark(ids.dog);
    (await writes.next())(passes);
    await other;
    assert.equal(await favouritesAfterSync(phone), "dog");
    assert.equal(favourites((await reload()).laptop), "dog");
  });
});

Deno.test("a mark that reached the server although its answer was lost stays when it is refused later", async () => {
  await withDevices(async ({ laptop, phone, page, writes, ids }) => {
    const first = page.mark(ids.cat);
    (await writes.next())("lost");
    await first;
    assert.equal(await favouritesAfterSync(phone), "cat");
    (await page.pausing())();
    (await writes.next())(refuses);
    await page.hears("takenBack");
    assert.equal(favourites(laptop), "cat");
  });
});
