/**
 * A household under chaos: Ada and Bob with two devices each, an album of
 * Ada's, a guest with an upload link, and an operator who restarts the server,
 * backs it up, and restores yesterday's backup.
 *
 * @module
 */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { newRecoveryWords, WORDS_LABEL } from "../../src/library/mod.ts";
import type { CliContext } from "../../src/cli/person/cli_context.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import { ORIGIN, type TestApp, withTestApp } from "../support/app.ts";
import {
  addressOf,
  beginLibrary,
  deviceOf,
  wireTo,
} from "../support/library.ts";
import { gatheredStreams } from "../support/in_process.ts";
import { PASSWORD } from "../support/people.ts";
import { runProgram } from "../../src/cli/program.ts";
import { Book, type PersonName, type Photo } from "./chaos_book.ts";
import { copyFolder, Machine, type Outcome } from "./chaos_machine.ts";
import { type Fault, Network } from "./chaos_network.ts";

/** What people and the operator do. */
export const DEEDS = [
  "shoot",
  "share_card",
  "push",
  "push_move",
  "push_album",
  "pull",
  "get",
  "sync",
  "rm",
  "trash_restore",
  "trash_empty",
  "caption",
  "favourite",
  "unfavourite",
  "album_add",
  "album_take_out",
  "invite",
  "join_album",
  "remove_bob",
  "send",
  "accept",
  "verify",
  "ls",
  "restart",
  "backup",
  "restore",
  "server_clock",
  "device_clock",
  "day",
] as const;
type Deed = typeof DEEDS[number];

/** Something that a person does. */
interface Act {
  readonly deed: Deed;
  /** Which device: 0 and 1 are Ada's, 2 and 3 are Bob's. */
  readonly at: number;
  readonly pick: number;
}

/** A step of a history: one act, or two at the same time. */
export interface Step extends Act {
  readonly beside?: Act | undefined;
  readonly faults: readonly Fault[];
}

/** Later than whatever this machine's own clock says of its files. */
const START_MS = Date.parse("2040-01-01T12:00:00.000Z");
const ALBUM = "Summer";
const CLOCKS_MS = [
  0,
  -5 * MINUTE_MS,
  HOUR_MS,
  -DAY_MS,
  2 * DAY_MS,
  -3 * HOUR_MS,
];
const LENGTHS = [300, 4_000, 90_000];
/** The operator's steps: no one uses the server meanwhile. */
const OPERATORS: ReadonlySet<Deed> = new Set([
  "restart",
  "backup",
  "restore",
  "server_clock",
  "day",
]);

/** The household. */
export class Household {
  readonly machines: readonly Machine[];
  readonly guest: Machine;
  #book: Book;
  #rightMs = START_MS;

  private constructor(
    readonly room: string,
    readonly network: Network,
    readonly words: Readonly<Record<PersonName, string>>,
    readonly uploadLink: string,
    book: Book,
  ) {
    this.#book = book;
    const machine = (name: string, owner: Machine["owner"]) =>
      new Machine(name, owner, room, network);
    this.machines = [
      machine("laptop", "ada"),
      machine("phone", "ada"),
      machine("desk", "bob"),
      machine("tablet", "bob"),
    ];
    this.guest = machine("guest", "guest");
  }

  get book(): Book {
    return this.#book;
  }

  get app(): TestApp {
    return this.network.app;
  }

  /**
   * Settles a household and plays histories, each from the same beginning.
   */
  static async withHousehold(
    play: (
      begin: (work: (household: Household) => Promise<void>) => Promise<void>,
    ) => Promise<void>,
  ): Promise<void> {
    await withTestApp(async (app) => {
      const room = await Deno.makeTempDir({
        dir: join(app.dataDir, ".."),
        prefix: "strongroom-chaos-",
      });
      try {
        const network = new Network(app);
        const settled = await Household.#settle(room, network);
        const { words, uploadLink, book } = settled;
        await network.app.reopen({}, () => {
          copyFolder(network.app.dataDir, join(room, "template", "data"));
          for (const name of ["homes", "photos", "backup"]) {
            copyFolder(join(room, name), join(room, "template", name));
          }
          return Promise.resolve();
        }).then((app) => network.app = app);
        await play(async (work) => {
          await settled.#anew();
          const household = new Household(
            room,
            network,
            words,
            uploadLink,
            book.clone(),
          );
          try {
            await work(household);
          } finally {
            network.begin([]);
            await network.settle();
            for (const one of household.everyone) await one.bury();
          }
        });
      } finally {
        await Deno.remove(room, { recursive: true });
      }
    }, { blobs: "directory", startMs: START_MS });
  }

  get everyone(): readonly Machine[] {
    return [...this.machines, this.guest];
  }

  static async #settle(room: string, network: Network): Promise<Household> {
    const wire = wireTo(network.app);
    const words = { ada: "", bob: "" };
    for (const name of ["ada", "bob"] as const) {
      const device = deviceOf(wire, `${name}'s first`);
      const { vault } = await beginLibrary(device, name);
      words[name] = await newRecoveryWords(device.platform.random);
      await vault.escrow({ label: WORDS_LABEL, passphrase: words[name] });
    }
    await Deno.mkdir(join(room, "homes"));
    await Deno.writeTextFile(join(room, "password"), `${PASSWORD}\n`);
    for (const name of ["ada", "bob"] as const) {
      await Deno.writeTextFile(join(room, `words-${name}`), words[name]);
    }
    const book = new Book();
    const first = new Household(room, network, words, "", book);
    for (const machine of first.everyone) {
      await Deno.mkdir(machine.photos, { recursive: true });
      if (machine !== first.guest) await first.enter(machine);
    }
    const [laptop, , desk] = first.machines;
    assert.ok(laptop !== undefined && desk !== undefined);
    const done = async (machine: Machine, ...args: string[]) => {
      const outcome = await machine.run(...args);
      assert.equal(outcome.status, 0, `${args}: ${textOf(outcome)}`);
      return outcome;
    };
    await done(laptop, "album", "new", ALBUM);
    await done(
      laptop,
      ...["album", "invite", ALBUM, addressOf("bob")],
      ...["--role", "contributor"],
    );
    await done(desk, "album", "accept", ALBUM);
    book.bob = "in";
    const request = await done(
      laptop,
      ...["request", "--expires", "12w", "--max-bytes", "100MiB"],
    );
    const link = String(request.events[0]?.["url"]);
    const settled = new Household(room, network, words, link, book);
    for (const [deed, at] of SETTLING) {
      await settled.#act({ deed, at, pick: 1 });
    }
    return settled;
  }

  /** Puts everything back to what it was when the household had settled. */
  async #anew(): Promise<void> {
    const { room, network } = this;
    network.app.clock.now = START_MS + DAY_MS;
    network.diary = [];
    network.app = await network.app.reopen({}, () => {
      replaceFolder(join(room, "template", "data"), network.app.dataDir);
      for (const name of ["homes", "photos", "backup"]) {
        replaceFolder(join(room, "template", name), join(room, name));
      }
      return Promise.resolve();
    });
  }

  /** A person signs in on a device, with their words if it has no keys. */
  async enter(machine: Machine): Promise<Outcome> {
    const { room } = this;
    const { owner } = machine;
    return await machine.run(
      ...["login", ORIGIN, "--address", addressOf(owner)],
      ...["--password-file", join(room, "password")],
      ...["--words-file", join(room, `words-${owner}`)],
    );
  }

  /** A device that has nothing but the 24 words. */
  async fresh(owner: PersonName): Promise<Machine> {
    const { room, network } = this;
    const machine = new Machine(`fresh-${owner}`, owner, room, network);
    await Deno.mkdir(machine.photos, { recursive: true });
    const entered = await this.enter(machine);
    assert.equal(entered.status, 0, textOf(entered));
    return machine;
  }

  /** Does what a step says; the outcome does not count. */
  async perform(step: Step): Promise<void> {
    this.network.begin(step.faults);
    this.network.diary.push(`STEP ${JSON.stringify(step)}`);
    const isAlone = step.beside === undefined || OPERATORS.has(step.deed) ||
      OPERATORS.has(step.beside.deed) ||
      step.beside.at % this.machines.length === step.at % this.machines.length;
    if (step.beside === undefined || isAlone) await this.#act(step);
    else await Promise.all([this.#act(step), this.#act(step.beside)]);
    this.network.begin([]);
    // People take their time, and the server's clock goes on.
    this.app.clock.advance(MINUTE_MS);
    this.#rightMs += MINUTE_MS;
  }

  /** The operator sets every clock right. */
  setClocks(): void {
    const { clock } = this.app;
    clock.jump(Math.max(this.#rightMs, clock.now) - clock.now);
    this.#rightMs = clock.now;
    for (const machine of this.everyone) machine.skewMs = 0;
  }

  /** A command as a person runs it: whoever is signed out signs in again. */
  async as(machine: Machine, ...args: readonly string[]): Promise<Outcome> {
    return await this.#signedIn(machine, () => machine.run(...args));
  }

  /** The same for what a program does with the library. */
  async working(
    machine: Machine,
    doing: (cli: CliContext) => Promise<void>,
  ): Promise<Outcome> {
    return await this.#signedIn(machine, () => machine.work(doing));
  }

  async #signedIn(
    machine: Machine,
    command: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const outcome = await command();
    expectNoCrash(outcome);
    if (!/run `strongroom login/.test(outcome.stderr)) return outcome;
    expectNoCrash(await this.enter(machine));
    const again = await command();
    expectNoCrash(again);
    return again;
  }

  async #act({ deed, at, pick }: Act): Promise<void> {
    const { book } = this;
    const machine = this.machines[at % this.machines.length];
    assert.ok(machine !== undefined && machine.owner !== "guest");
    const { owner, photos, name: device } = machine;
    const one = <T>(all: readonly T[]): T | undefined =>
      all.length === 0 ? undefined : all[pick % all.length];
    const length = LENGTHS[pick % LENGTHS.length] ?? 0;
    const push = async (...more: readonly string[]) => {
      const outcome = await this.as(machine, "push", photos, ...more);
      this.#noteKept(machine, outcome, !more.includes("--album"));
    };
    switch (deed) {
      case "shoot": {
        const { name, bytes } = book.take(owner, length);
        return await Deno.writeFile(join(photos, name), bytes);
      }
      case "share_card": {
        // One card in two machines: the same photo is in both folders.
        const { name, bytes } = book.take(owner, length);
        for (const other of this.machines) {
          if (other.owner !== owner) continue;
          await Deno.writeFile(join(other.photos, name), bytes);
        }
        return;
      }
      case "push":
        return await push();
      case "push_move":
        return await push("--move", "--move-after", "0");
      case "push_album":
        return await push("--album", ALBUM);
      case "pull":
        await this.as(machine, "pull", join(photos, "..", `out-${device}`));
        return;
      case "get": {
        const photo = one(book.keptBy(owner));
        if (photo !== undefined) await this.as(machine, "get", photo.name);
        return;
      }
      case "sync":
        return this.#noteKept(
          machine,
          await this.as(machine, "sync", photos),
          true,
        );
      case "rm": {
        const photo = one(book.keptBy(owner));
        if (photo === undefined) return;
        photo.wish = "either";
        photo.isMovedSince = true;
        const { status } = await this.as(machine, "rm", photo.name, "--yes");
        // The file of this device goes with it, as a person would have it.
        if (status === 0) photo.wish = "gone";
        return;
      }
      case "trash_restore": {
        const photo = one(
          book.keptBy(owner).filter(({ wish }) => wish !== "kept"),
        );
        if (photo === undefined) return;
        photo.wish = "either";
        photo.isMovedSince = true;
        const { status } = await this.as(
          machine,
          ...["trash", "restore", photo.name],
        );
        if (status === 0) photo.wish = "kept";
        return;
      }
      case "trash_empty": {
        for (const photo of book.keptBy(owner)) {
          if (photo.wish !== "kept") photo.isMovedSince = true;
        }
        await this.as(machine, "trash", "empty", "--yes");
        return;
      }
      case "caption": {
        const photo = one(book.keptBy(owner));
        if (photo === undefined) return;
        return await this.#caption(machine, photo, `caption ${pick}`);
      }
      case "favourite":
      case "unfavourite": {
        const photo = one(book.keptBy(owner));
        if (photo === undefined) return;
        const isIt = deed === "favourite";
        photo.favourite.add(isIt);
        const { status } = await this.as(
          machine,
          ...["favourite", isIt ? "add" : "rm", photo.name],
        );
        if (status === 0) photo.favourite = new Set([isIt]);
        return;
      }
      case "album_add":
      case "album_take_out":
        return await this.#changeAlbum(machine, deed, pick);
      case "invite":
      case "remove_bob":
        return await this.#changeMembers(machine, deed);
      case "join_album": {
        if (owner !== "bob") return;
        const { status } = await this.as(machine, "album", "accept", ALBUM);
        if (status === 0) book.bob = "in";
        else if (book.bob === "invited") book.bob = "unknown";
        return;
      }
      case "send":
        return await this.#send(length);
      case "accept": {
        if (owner !== "ada") return;
        const { status } = await this.as(
          machine,
          ...["inbox", "accept", "all"],
        );
        if (status !== 0) return;
        for (const photo of book.photos.values()) {
          if (!photo.isSent || photo.mayBeLost) continue;
          photo.isInLibrary = true;
          if (photo.told.size === 0) book.keep(photo.name, device);
        }
        return;
      }
      case "verify":
        await this.as(machine, "verify", "--deep");
        return;
      case "ls":
        await this.as(machine, "ls");
        return;
      case "restart":
        this.network.app = await this.app.reopen();
        return;
      case "backup":
        return await this.#backUp();
      case "restore":
        return await this.#goBack();
      case "server_clock":
        this.app.clock.jump(CLOCKS_MS[pick % CLOCKS_MS.length] ?? 0);
        return;
      case "device_clock":
        machine.skewMs = CLOCKS_MS[pick % CLOCKS_MS.length] ?? 0;
        return;
      case "day":
        return await this.passDay();
    }
  }

  /** A day passes, and the server's upkeep runs. */
  async passDay(): Promise<void> {
    this.app.clock.advance(DAY_MS);
    this.#rightMs += DAY_MS;
    await this.app.purge();
    await this.app.advanceLogs();
  }

  #noteKept(machine: Machine, outcome: Outcome, isInLibrary: boolean): void {
    for (const { event, outcome: what, path } of outcome.events) {
      if (event !== "file" || (what !== "kept" && what !== "moved")) continue;
      const name = basename(String(path));
      const photo = this.book.photos.get(name);
      // `pull` brought another person's photo, and this one is a copy of it.
      if (photo?.owner !== machine.owner) continue;
      if (what === "kept") this.book.keep(name, machine.name);
      if (isInLibrary || machine.owner === "bob") photo.isInLibrary = true;
      // Whoever pushes again what was thrown away wants it.
      if (what === "kept" && photo.wish !== "kept") photo.wish = "either";
    }
  }

  async #caption(machine: Machine, photo: Photo, text: string) {
    const caption = `${text} of ${photo.name}`;
    photo.captions.add(caption);
    let isDone = false;
    const { status } = await this.working(machine, async ({ library }) => {
      await library.sync();
      const rows = library.list().filter(({ metadata, owner }) =>
        metadata?.name === photo.name &&
        owner === library.vault.session.userId
      );
      for (const { id } of rows) {
        await library.amend(id, { about: { caption } });
      }
      isDone = rows.length > 0;
    });
    if (status === 0 && isDone) photo.captions = new Set([caption]);
  }

  async #changeAlbum(
    machine: Machine,
    deed: "album_add" | "album_take_out",
    pick: number,
  ): Promise<void> {
    await this.working(machine, async ({ library }) => {
      await library.sync();
      const album = library.albums.list().find(({ title }) => title === ALBUM);
      if (album === undefined) return;
      const { userId } = library.vault.session;
      const rows = library.list().filter((row) =>
        row.owner === userId &&
        (row.album === album.id) === (deed === "album_take_out")
      ).sort((a, b) => a.id < b.id ? -1 : 1);
      const row = rows[pick % Math.max(1, rows.length)];
      if (row === undefined) return;
      if (deed === "album_add") {
        await library.copyInto(row.id, album.id);
        return;
      }
      const photo = this.book.photos.get(row.metadata?.name ?? "");
      if (photo?.isInLibrary === false) {
        photo.wish = "either";
        photo.isMovedSince = true;
      }
      await library.takeOutOf([row.id]);
    });
  }

  async #changeMembers(machine: Machine, deed: "invite" | "remove_bob") {
    const { book } = this;
    if (machine.owner !== "ada") return;
    const before = book.bob;
    const bob = addressOf("bob");
    const isInvited = deed === "invite";
    book.bob = "unknown";
    const { status } = await this.as(
      machine,
      ...isInvited
        ? ["album", "invite", ALBUM, bob, "--role", "contributor"]
        : ["album", "remove", ALBUM, bob],
    );
    if (status !== 0) return;
    if (!isInvited) book.bob = "out";
    // Whoever is in stays in.
    else if (before === "in") book.bob = "in";
    else if (before !== "unknown") book.bob = "invited";
  }

  async #send(length: number): Promise<void> {
    const { guest, book, uploadLink } = this;
    const { name, bytes } = book.take("ada", length, true);
    const path = join(guest.photos, name);
    await Deno.writeFile(path, bytes);
    const { events } = await guest.run("send", uploadLink, guest.photos);
    for (const { event, outcome, path } of events) {
      const sent = book.photos.get(basename(String(path)));
      if (event !== "file" || outcome !== "sent" || !sent) continue;
      sent.isSent = true;
      sent.mayBeLost = false;
      sent.isBackedUp = false;
    }
  }

  async #backUp(): Promise<void> {
    const { room } = this;
    this.network.app = await this.app.reopen({}, async () => {
      await this.#operate("backup", join(room, "backup"));
    });
    this.book.backedUp();
  }

  async #goBack(): Promise<void> {
    const { room, app } = this;
    const restored = join(room, "restored");
    this.network.app = await app.reopen({}, async () => {
      await this.#operate(
        ...["restore", join(room, "backup"), "--clock-is-right"],
        ...["--data-dir", restored],
      );
      replaceFolder(restored, app.dataDir);
      await Deno.remove(restored, { recursive: true });
    });
    this.book.wentBack();
  }

  /** A command of the operator's, while no server runs. */
  async #operate(...args: readonly string[]): Promise<void> {
    const { streams, ended } = gatheredStreams();
    const ignore = () => {};
    const { clock, dataDir } = this.app;
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const random = (length: number) =>
      crypto.getRandomValues(new Uint8Array(length));
    const where = args.includes("--data-dir") ? [] : ["--data-dir", dataDir];
    const status = await runProgram([...args, ...where], {
      now: () => clock.now,
      monotonic: () => performance.now(),
      random,
      sleep: () => Promise.resolve(),
      fetch: () => Promise.reject(new TypeError("no network")),
      log,
    }, { streams, environment: { HOME: this.room } });
    const { stdout, stderr } = ended(status);
    assert.equal(status, 0, `${args}: ${stdout}${stderr}`);
  }
}

/** What they did before anything went wrong. */
const SETTLING: readonly (readonly [Deed, number])[] = [
  ["shoot", 0],
  ["share_card", 1],
  ["shoot", 2],
  ["push", 0],
  ["push", 2],
  ["shoot", 2],
  ["push_album", 2],
  ["album_add", 0],
  ["favourite", 0],
  ["caption", 2],
  ["ls", 1],
  ["ls", 3],
  ["backup", 0],
];

/** A command never ends with an error of the program's own. */
function expectNoCrash(outcome: Outcome): void {
  assert.doesNotMatch(
    outcome.stderr,
    /TypeError|RangeError|ReferenceError|SyntaxError|AssertionError|\n {4}at /,
  );
}

/** What a command said. */
export function textOf({ status, stdout, stderr }: Outcome): string {
  return `${status}: ${stdout}${stderr}`;
}

function replaceFolder(from: string, to: string): void {
  for (const { name } of [...Deno.readDirSync(to)]) {
    Deno.removeSync(join(to, name), { recursive: true });
  }
  copyFolder(from, to);
}
