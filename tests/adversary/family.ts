/**
 * The people whom the adversary lies to, and what they do: Ada on two devices,
 * Bob who brings photos into her album, and Eve, who may only look at it and
 * works with the server.
 *
 * @module
 */
import {
  adoptJoined,
  adoptMasterKey,
  enrollDevice,
  joinAccount,
  type Library,
  newRecoveryWords,
  openGuestBox,
  openLibrary,
  openVault,
  PHRASE_LABEL,
  plainOf,
  recoverVault,
  resumeSession,
  signIn,
  type Vault,
  WORDS_LABEL,
} from "../../src/library/mod.ts";
import { ORIGIN, type TestApp, yieldToEventLoop } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  platformOn,
  type TestDevice,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { addressOf } from "../support/library.ts";
import { createViewer } from "../../src/client/api/links.ts";
import { parseShareLink } from "../../src/client/documents/share.ts";
import {
  heldReceiptOf,
  proveReceipt,
} from "../../src/library/logs/receipt_proof.ts";
import { HOUR_MS } from "../../src/core/time.ts";
import { equalBytes } from "../../src/core/bytes.ts";
import { originalOf, ShareReader } from "../../src/web/share_reader.ts";
import { ciphertext, PASSWORD } from "../support/people.ts";
import { Adversary, type Lie } from "./adversary.ts";
import { join } from "./joining.ts";
import { LogLies } from "./log_lies.ts";

/** What people do, one thing at a time. */
export const DEEDS = [
  "sync",
  "take",
  "take_into_album",
  "copy_into_album",
  "caption",
  "trash",
  "restore",
  "purge",
  "empty_trash",
  "take_out",
  "describe_album",
  "remove_eve",
  "confirm",
  "read_back",
  "receipts",
  "prove",
  "check_logs",
  "inbox",
  "accept",
  "share",
  "request",
  "links",
  "people",
  "pair",
  "join",
  "recover",
  "thumbnails",
  "view_share",
  "change_share",
  "end_links",
  "refuse",
  "set_phrase",
  "wait_an_hour",
  "favourite",
  "collect",
  "new_album",
  "end_album",
  "restart",
] as const;
export type Deed = typeof DEEDS[number];

/** A step of a history. */
export interface Step {
  readonly deed: Deed;
  /** Which device: 0 and 1 are Ada's, 2 is Bob's. */
  readonly at: number;
  readonly pick: number;
  readonly lie: Lie | undefined;
}

/** A device, and what it has shown to its person. */
export interface Member {
  readonly name: "ada" | "bob";
  readonly device: TestDevice;
  library: Library;
  /** Own photos that it showed as kept, with the newest caption shown. */
  readonly shown: Map<string, number>;
  /** It has seen an album's roster without Eve. */
  isEveOut: boolean;
  /** Words that open the account on an empty machine. */
  readonly words: string;
}

/** A photo that a member really made. */
interface Made {
  readonly by: "ada" | "bob" | "guest";
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** How often a member waits before they give up. */
const MOST_WAITS = 100;
const EXPIRES = "2027-01-15T00:00:00Z";

/** A device whose waits are turns of the event loop, and are counted. */
export function deviceIn(
  wire: Wire,
  adversary: Adversary,
  seed: string,
): TestDevice {
  const device = deviceOf(wire, seed);
  const wait = async () => {
    const { patience } = adversary;
    if (patience !== undefined && --patience.left === 0) patience.onEnd();
    await yieldToEventLoop();
  };
  return { ...device, platform: { ...device.platform, wait } };
}

/** The household, the server, and who stands between them. */
export class Family {
  readonly made = new Map<string, Made>();
  /** Captions of an asset in the order in which they were given. */
  readonly captions = new Map<string, string[]>();
  /** Assets that their owner wanted gone. */
  readonly unwanted = new Set<string>();
  /** The album and the name of each photo that a member showed as theirs. */
  readonly places = new Map<string, string>();
  /** Assets that a device was told are kept, by the account. */
  readonly kept = new Map<string, "ada" | "bob">();
  /** Those of them that are in the album, which its owner may end. */
  readonly copies = new Set<string>();
  #count = 0;

  private constructor(
    readonly app: TestApp,
    readonly wire: Wire,
    readonly adversary: Adversary,
    readonly members: readonly Member[],
    readonly albumId: string,
    readonly uploadLink: string,
  ) {}

  /** A household with an album and a few photos, before any lie. */
  static async settle(app: TestApp): Promise<Family> {
    const wire = wireTo(app);
    const adversary = await Adversary.make();
    wire.intercept = adversary.intercept;
    adversary.logs = await LogLies.make(app);
    const laptop = deviceIn(wire, adversary, "laptop");
    const ada = await beginLibrary(laptop, "ada");
    const desk = deviceIn(wire, adversary, "bob's");
    const bob = await beginLibrary(desk, "bob");
    const eve = await beginLibrary(deviceIn(wire, adversary, "eve's"), "eve");
    const dan = await beginLibrary(deviceIn(wire, adversary, "dan's"), "dan");
    const masterKey = ada.vault.session.masterKey() ?? new Uint8Array();
    adversary.guard("Ada's master key", masterKey);
    adversary.guard("Ada's library key", ada.vault.libraryKey);
    adversary.guard(
      "Bob's master key",
      bob.vault.session.masterKey() ?? new Uint8Array(),
    );
    const { id } = await ada.albums.create({ title: "Summer" });
    for (
      const [name, role] of [
        ["bob", "contributor"],
        ["dan", "contributor"],
        ["eve", "viewer"],
      ]
    ) {
      const { userId } = await ada.people.find({
        address: addressOf(name ?? ""),
      });
      await ada.albums.invite(
        id,
        userId,
        role === "viewer" ? "viewer" : "contributor",
      );
    }
    await join(bob, id);
    await join(eve, id);
    await ada.people.compared(bob.vault.session.userId);
    await bob.people.compared(ada.vault.session.userId);
    adversary.accomplice = eve.vault;
    adversary.contributor = dan.vault;
    adversary.accompliceKeys = (await eve.albums.keysOf(id))
      .map((key) => ({ albumId: id, ...key }));
    for (const { logs } of [ada, bob]) {
      await logs.choose(adversary.logs.policy);
    }
    const phone = deviceIn(wire, adversary, "phone");
    const vault = await adoptMasterKey(await enter(phone, "ada"), masterKey);
    const other = await openLibrary(vault, phone.store);
    const { url } = await ada.request({
      expiresAt: EXPIRES,
      maxBytes: 1_000_000,
      maxFiles: 50,
    });
    const words = { ada: "", bob: "" };
    for (const [name, { vault }] of [["ada", ada], ["bob", bob]] as const) {
      words[name] = await newRecoveryWords(vault.session.platform.random);
      await vault.escrow({ label: WORDS_LABEL, passphrase: words[name] });
    }
    const member = (
      name: "ada" | "bob",
      device: TestDevice,
      library: Library,
    ): Member => ({
      words: words[name],
      name,
      device,
      library,
      shown: new Map(),
      isEveOut: false,
    });
    const family = new Family(
      app,
      wire,
      adversary,
      [
        member("ada", laptop, ada),
        member("ada", phone, other),
        member("bob", desk, bob),
      ],
      id,
      url,
    );
    for (const [at, deed] of SETTLING) {
      await family.perform({ deed, at, pick: 0, lie: undefined });
    }
    return family;
  }

  get eveId(): string {
    return this.adversary.accomplice?.session.userId ?? "";
  }

  /** A new photo. */
  photo(by: Made["by"]) {
    const name = `photo-${this.#count++}.jpg`;
    const bytes = ciphertext(`SECRET ${name}`, 500);
    this.made.set(name, { by, bytes });
    this.adversary.guard(`the bytes of ${name}`, bytes);
    return { name, bytes };
  }

  /** Lets a member do something while the server lies. */
  async perform(step: Step): Promise<"done" | "failed"> {
    const member = this.members[step.at % this.members.length];
    if (member === undefined) throw new RangeError("no such device");
    if (step.deed === "accept" || step.deed === "inbox") await this.#bring();
    this.adversary.begin(step.lie);
    try {
      await this.#do(member, step);
      return "done";
    } catch (error) {
      if (isFaultOfOurs(error)) throw error;
      return "failed";
    } finally {
      this.adversary.begin(undefined);
    }
  }

  /** A guest brings a photo. */
  async #bring(): Promise<void> {
    const camera = platformOn(
      { fetch: this.wire.fetch, now: () => this.app.clock.now },
      "camera",
    );
    const box = await openGuestBox(camera, this.uploadLink);
    const { name, bytes } = this.photo("guest");
    await box.send({
      source: plainOf(bytes),
      about: { name, mime: "image/jpeg" },
    });
  }

  async #do(member: Member, { deed, pick }: Step): Promise<void> {
    const { library } = member;
    const { userId, platform } = library.vault.session;
    const one = <T>(all: readonly T[]): T | undefined =>
      all.length === 0 ? undefined : all[pick % all.length];
    const own = library.list().filter(({ owner }) => owner === userId);
    const ownPhoto = one(own);
    const kept = (id: string) => {
      this.kept.set(id, member.name);
      member.shown.set(id, member.shown.get(id) ?? -1);
    };
    const inAlbum = (id: string) => {
      this.copies.add(id);
      kept(id);
    };
    switch (deed) {
      case "sync":
        await library.sync();
        return;
      case "take": {
        const { name, bytes } = this.photo(member.name);
        return kept((await library.take(fileOf(name, bytes))).row.id);
      }
      case "take_into_album": {
        // As every program does: what is one's own stays one's own.
        const { name, bytes } = this.photo(member.name);
        const { row } = await library.take(fileOf(name, bytes));
        kept(row.id);
        const copy = await library.copyInto(row.id, this.albumId);
        return inAlbum(copy.row.id);
      }
      case "copy_into_album": {
        const row = one(own.filter(({ album }) => album !== this.albumId));
        if (row === undefined) return;
        inAlbum((await library.copyInto(row.id, this.albumId)).row.id);
        return;
      }
      case "caption": {
        if (ownPhoto === undefined) return;
        const given = this.captions.get(ownPhoto.id) ?? [];
        const caption = `caption ${this.#count++}`;
        this.captions.set(ownPhoto.id, [...given, caption]);
        await library.amend(ownPhoto.id, { about: { caption } });
        return;
      }
      case "trash":
        if (ownPhoto === undefined) return;
        this.unwanted.add(ownPhoto.id);
        return await library.trash(ownPhoto.id);
      case "restore": {
        const row = one(library.trashed());
        if (row === undefined) return;
        await library.restore(row.id);
        return;
      }
      case "purge": {
        const row = one(library.trashed());
        return row === undefined ? undefined : await library.purge(row.id);
      }
      case "empty_trash":
        await library.emptyTrash();
        return;
      case "take_out": {
        const row = one(own.filter(({ album }) => album === this.albumId));
        if (row === undefined) return;
        this.unwanted.add(row.id);
        return await library.takeOutOf([row.id]);
      }
      case "describe_album":
        if (member.name !== "ada") return;
        await library.albums.describe(this.albumId, {
          title: `Summer ${this.#count++}`,
        });
        return;
      case "remove_eve":
        if (member.name !== "ada") return;
        await library.albums.remove(this.albumId, this.eveId);
        return;
      case "confirm":
        await library.confirm();
        return;
      case "read_back":
        await library.readBack();
        return;
      case "receipts":
        await library.receipts();
        return;
      case "prove": {
        if (ownPhoto === undefined) return;
        await this.app.advanceLogs();
        const receipt = await heldReceiptOf(library, ownPhoto);
        if (receipt !== undefined) await proveReceipt(library, receipt);
        return;
      }
      case "check_logs": {
        await this.app.advanceLogs();
        const report = await library.logs.check({ receipts: "all" });
        const isNoticed = !report.isWitnessed ||
          report.findings.some(({ answered_at }) => answered_at === undefined);
        if (this.adversary.hasLiedOfLogs && !isNoticed) {
          this.adversary.broken.push(
            `${member.name} does not notice a lie about the logs`,
          );
        }
        return;
      }
      case "inbox":
        await library.inbox();
        return;
      case "accept": {
        const waiting = one(await library.inbox());
        if (waiting === undefined) return;
        const { row } = await library.accept(
          waiting.opaqueId,
          waiting.uploadId,
        );
        kept(row.id);
        return;
      }
      case "share": {
        if (ownPhoto === undefined) return;
        const { url } = await library.share({ assetIds: [ownPhoto.id] });
        return this.#expectOwnOrigin(url);
      }
      case "request": {
        const { url } = await library.request({
          expiresAt: EXPIRES,
          maxBytes: 1_000,
          maxFiles: 1,
        });
        return this.#expectOwnOrigin(url);
      }
      case "links":
        for (const { url } of await library.shares()) {
          if (url !== undefined) this.#expectOwnOrigin(url);
        }
        for (const { url } of await library.requests()) {
          this.#expectOwnOrigin(url);
        }
        return;
      case "people": {
        const others = this.members.map((one) =>
          one.library.vault.session.userId
        );
        const other = one(others.filter((id) => id !== userId)) ?? "";
        await library.people.known(other);
        await library.people.changed(other);
        return;
      }
      case "pair": {
        const stop = new AbortController();
        await enrollDevice(library.vault, {
          trust: library.trust,
          show: ({ link }) => {
            this.#expectOwnOrigin(link);
            stop.abort(new Error("not today"));
          },
          compare: () => Promise.resolve(false),
          signal: stop.signal,
        });
        return;
      }
      case "join":
        return await this.#joinDevice(member);
      case "recover": {
        const device = deviceIn(
          this.wire,
          this.adversary,
          `recovered ${this.#count++}`,
        );
        const session = await enter(device, member.name);
        const vault = await recoverVault(session, member.words);
        return await this.#expectRightPeople(member, vault, device);
      }
      case "thumbnails":
        await library.readMany(
          library.list().map(({ id }) => ({
            assetId: id,
            wanted: "original" as const,
          })),
        );
        return;
      case "view_share": {
        const { url } = one(await library.shares()) ?? {};
        return url === undefined ? undefined : await this.#viewShare(url);
      }
      case "change_share": {
        const [share] = await library.shares();
        if (share === undefined) return;
        await library.changeShare(share.opaque_id, { title: "Another" });
        return;
      }
      case "end_links":
        for (const { opaque_id: id } of await library.shares()) {
          await library.revokeShare(id);
        }
        for (const { opaque_id: id, url } of await library.requests()) {
          if (url !== this.uploadLink) await library.revokeRequest(id);
        }
        return;
      case "refuse": {
        const waiting = one(await library.inbox());
        if (waiting === undefined) return;
        await library.refuse(waiting.opaqueId, waiting.uploadId);
        return;
      }
      case "end_album": {
        const empty = library.albums.list().find(({ id }) =>
          id !== this.albumId
        );
        if (empty !== undefined) await library.albums.end(empty.id);
        return;
      }
      case "set_phrase":
        await library.vault.escrow({
          label: PHRASE_LABEL,
          passphrase: `apple cake number ${this.#count++}`,
        });
        return;
      case "wait_an_hour":
        this.app.clock.advance(HOUR_MS);
        await library.sync();
        return;
      case "favourite":
        if (ownPhoto === undefined) return;
        await library.flags.change([ownPhoto.id], { favourite: true });
        return;
      case "collect":
        await library.collections.create(
          `Collection ${this.#count++}`,
          own.map(({ id }) => id),
        );
        return;
      case "new_album":
        await library.albums.create({ title: `Album ${this.#count++}` });
        return;
      case "restart": {
        const { device } = member;
        const session = await resumeSession(platform, device.entrance);
        const vault = await openVault(session);
        member.library = await openLibrary(vault, device.store);
        return;
      }
    }
  }

  /** Another device of a member scans a link that this one shows. */
  async #joinDevice({ library, name }: Member): Promise<void> {
    const device = deviceIn(
      this.wire,
      this.adversary,
      `joined ${this.#count++}`,
    );
    const stop = new AbortController();
    const { signal } = stop;
    // People stop looking at a code after a while.
    this.adversary.patience = {
      left: MOST_WAITS,
      onEnd: () => stop.abort(new Error("it takes too long")),
    };
    const shown = Promise.withResolvers<string>();
    const compare = () => Promise.resolve(true);
    const ends = <T>(side: Promise<T>) =>
      side.catch((error) => {
        stop.abort(error);
        shown.reject(error);
        throw error;
      });
    const old = ends(enrollDevice(library.vault, {
      trust: library.trust,
      show: ({ link }) => shown.resolve(link),
      compare,
      signal,
    }));
    const young = ends(
      shown.promise.then((link) =>
        joinAccount(device.platform, {
          link,
          device: device.entrance.device,
          compare,
          signal,
        })
      ),
    );
    const [joined] = await Promise.allSettled([young, old]);
    this.adversary.patience = undefined;
    if (joined.status === "rejected") throw joined.reason;
    const own = library.vault.session.masterKey() ?? new Uint8Array();
    if (!equalBytes(joined.value.account.masterKey, own)) {
      this.adversary.broken.push(`${name}'s new device got another key`);
    }
    const session = await signIn(device.platform, {
      ...device.entrance,
      device: joined.value.device,
      address: addressOf(name),
      password: PASSWORD,
    });
    const vault = await adoptJoined(session, joined.value);
    await this.#expectRightPeople({ library, name }, vault, device);
  }

  /** A new device does not take another identity for one that was compared. */
  async #expectRightPeople(
    { library, name }: Pick<Member, "library" | "name">,
    vault: Vault,
    device: TestDevice,
  ): Promise<void> {
    const fresh = await openLibrary(vault, device.store);
    if (vault.identity.signer.keyId !== library.vault.identity.signer.keyId) {
      this.adversary.broken.push(`${name}'s new device has another identity`);
    }
    for (const other of this.members) {
      if (other.name === name) continue;
      const { session, identity } = other.library.vault;
      const known = await fresh.people.known(session.userId)
        .catch(() => undefined);
      if (known === undefined || known.keyId === identity.signer.keyId) {
        continue;
      }
      this.adversary.broken.push(
        `${name}'s new device takes someone else for ${other.name}`,
      );
    }
    await fresh.sync();
  }

  /** A stranger looks at what a link shows. */
  async #viewShare(url: string): Promise<void> {
    const link = parseShareLink(url);
    if (link?.secret === undefined) return;
    const calls = createViewer({
      baseUrl: link.origin,
      fetch: this.wire.fetch,
    });
    const { metadata_hash: hash } = await calls.viewShare(link.opaqueId);
    const reader = new ShareReader(calls, link.opaqueId, yieldToEventLoop);
    const { items } = await reader.readIndex(hash, link.secret);
    await calls.sharedBlobs(link.opaqueId, items.map((item) => item.hash));
    for (const item of items) {
      const pieces: Uint8Array[] = [];
      for await (const piece of reader.read(originalOf(item))) {
        pieces.push(piece);
      }
      const bytes = new Uint8Array(
        await new Blob(
          pieces.map((piece) => new Uint8Array(piece)),
        ).arrayBuffer(),
      );
      const made = this.made.get(item.name);
      if (made === undefined || !equalBytes(made.bytes, bytes)) {
        this.adversary.broken.push(`a link shows other bytes of ${item.name}`);
      }
    }
  }

  #expectOwnOrigin(url: string): void {
    if (new URL(url).origin === ORIGIN) return;
    this.adversary.broken.push(`a link with a secret stands under ${url}`);
  }
}

/** What they did before anybody lied. */
const SETTLING: readonly (readonly [number, Deed])[] = [
  [0, "take"],
  [0, "take"],
  [0, "take_into_album"],
  [0, "caption"],
  [2, "sync"],
  [2, "take"],
  [2, "take_into_album"],
  [0, "share"],
  [0, "sync"],
  [1, "sync"],
  [2, "sync"],
];

/**
 * Errors of the library's own code, which no answer of a server may cause: a
 * client says what is wrong with an answer by an error of a type of its own.
 */
function isFaultOfOurs(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof ReferenceError) {
    return true;
  }
  return error instanceof TypeError && error.message !== NO_CONNECTION &&
    !(error.cause instanceof TypeError);
}

const NO_CONNECTION = "the connection is gone";
