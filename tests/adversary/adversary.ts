/**
 * A server that lies: it stands where the server stands, has everything that
 * clients ever sent, and may answer each request with whatever a server could.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { fromBase64Url, toBase64, toBase64Url } from "../../src/core/bytes.ts";
import { verifyDirectory } from "../../src/client/documents/directory.ts";
import type { Interceptor } from "../support/library.ts";
import { PROTOCOL } from "../support/app.ts";
import type { Json } from "../support/expect.ts";
import {
  type Answer,
  arraysOf,
  EVIL_ORIGIN,
  falseValue,
  given,
  jsonOf,
  keepAnswer,
  leavesOf,
  operationOf,
  placesOf,
  refusalsOf,
  withJson,
} from "./answers.ts";
import {
  forgeAsset,
  type ForgedAsset,
  forgeRoster,
  invent,
  type Invented,
  MALICIOUS_ABOUT,
} from "./forgery.ts";
import {
  type LogLies,
  otherEntries,
  otherTile,
  withoutEntry,
} from "./log_lies.ts";
import { readSize } from "../../src/crypto/logs/signed_note.ts";
import type { Vault } from "../../src/library/mod.ts";

/** Lies that fit every operation. */
export const COMMON_LIES = [
  /** An answer of before to the same request. */
  "older",
  /** The first answer to it that there was. */
  "first",
  /** An answer to another client, or about another thing. */
  "another",
  /** A refusal that the operation declares. */
  "refused",
  /** One that says that there is no such thing. */
  "not_found",
  "signed_out",
  /** An element or a member left out. */
  "less",
  /** An element repeated. */
  "repeated",
  "reordered",
  /** One value replaced by another of the same form. */
  "rewritten",
  /** The body cut off, or one byte of it changed. */
  "cut",
  "changed_byte",
  /** A body without an end. */
  "endless",
  /** Pages without an end. */
  "more_pages",
  /** Done, and not answered. */
  "unanswered",
  /** Not done, and not answered. */
  "dropped",
  /** Not done, and answered as if it were. */
  "pretended",
  /** Done twice. */
  "twice",
] as const;

/** Lies with a purpose, which span several operations. */
export const PLOTS = [
  /** A roster of an invented person over a real album. */
  "forged_owner",
  /** The same under the owner's name, whose identity is replaced. */
  "forged_identity",
  /** A photo of a member who may only look, or was removed. */
  "forged_author",
  /** A photo of a member who may add some, with whatever metadata. */
  "malicious_member",
  /** One whose metadata is said to be huge, and never ends. */
  "huge_metadata",
  "injected_purge",
  "injected_delete",
  "left_out",
  /** An own photo as it was, under a version that the server invented. */
  "older_version",
  /** An own photo in another album, or with another one's original. */
  "moved",
  /** Places in the feed that it will not reach. */
  "far_ahead",
  "evil_origin",
  "slots_gone",
  "slots_old",
  /** Everything is as it was first answered. */
  "rolled_back",
  /** An own photo is deleted for good, behind its owner's back. */
  "destroyed",
  /** The log of receipts is another tree of the same size, signed as well. */
  "other_tree",
  /** The logs stay as they were first shown. */
  "frozen_log",
  /** One byte of each tile of the logs is another one. */
  "forged_tile",
  /** An entry of the keys log is left out, or replaced. */
  "withheld_entry",
  /** Another keys log, which a witness that lies has cosigned. */
  "lying_witness",
] as const;

/** Lies about the public logs that a check has to notice whenever told. */
const LOG_PLOTS: ReadonlySet<LieKind> = new Set<LieKind>([
  "other_tree",
  "forged_tile",
  "withheld_entry",
  "lying_witness",
]);

export type LieKind = typeof COMMON_LIES[number] | typeof PLOTS[number];

/** A lie that is told for a while. */
export interface Lie {
  readonly kind: LieKind;
  /** Of which operation; undefined: of every one. Plots choose for themselves. */
  readonly operation: string | undefined;
  /** What of many. */
  readonly pick: number;
  /** How many answers it changes. */
  readonly times: number;
}

/** Most requests of one deed. */
const MOST_REQUESTS = 800;
/**
 * Most bytes that a client reads of a body without an end: a page of assets may
 * have 64 MiB.
 */
const MOST_BYTES = 72 * 1024 * 1024;
const PIECE = new Uint8Array(64 * 1024).fill(0x20);
const MOST_ANSWERS = 6_000;

/** An album as the adversary saw it pass. */
interface SeenAlbum {
  version: number;
  epoch: number;
}

/** The server, in the hands of an attacker. */
export class Adversary {
  readonly answers: Answer[] = [];
  /** What was noticed that must never be. */
  readonly broken: string[] = [];
  /** Which lies were told of which operation. */
  readonly told = new Map<string, Set<LieKind>>();
  /** Operations that clients asked for. */
  readonly asked = new Set<string>();
  /** Assets that were deleted at the real server, behind their owner's back. */
  readonly destroyed = new Set<string>();
  readonly #secrets: { readonly name: string; readonly bytes: Buffer }[] = [];
  readonly #albums = new Map<string, SeenAlbum>();
  /** X-Wing keys of people, by their ids. */
  readonly #sealing = new Map<string, Uint8Array>();
  readonly #forged = new Map<string, ForgedAsset>();
  #lie: Lie | undefined;
  #left = 0;
  #requests = 0;

  private constructor(
    readonly invented: Invented,
    /** The key that its forged rosters give away. */
    readonly amk: Uint8Array,
  ) {}

  static async make(): Promise<Adversary> {
    const amk = new Uint8Array(32).fill(0xad);
    return new Adversary(await invent("mallory"), amk);
  }

  /** Bytes that must not leave a device. */
  guard(name: string, bytes: Uint8Array): void {
    const texts = [toBase64(bytes), toBase64Url(bytes)];
    const all = [Buffer.from(bytes), ...texts.map((text) => Buffer.from(text))];
    for (const one of all) this.#secrets.push({ name, bytes: one });
  }

  /** The forged photos that clients were told of, by the name in them. */
  accomplice: Vault | undefined;
  /** A contributor of the album who means harm. */
  contributor: Vault | undefined;
  /** The keys that the accomplice has of an album. */
  accompliceKeys: {
    readonly albumId: string;
    readonly epoch: number;
    readonly amk: Uint8Array;
  }[] = [];

  /** What it signs of its logs. */
  logs: LogLies | undefined;

  /** How long a client waits for an answer that does not come. */
  patience: { left: number; readonly onEnd: () => void } | undefined;

  /** Lies from now on. */
  begin(lie: Lie | undefined): void {
    this.#lie = lie;
    this.#left = lie?.times ?? 0;
    this.#requests = 0;
  }

  /** Whether the lie was told at least once. */
  get hasLied(): boolean {
    return this.#lie !== undefined && this.#left < this.#lie.times;
  }

  /** Whether a check of the public logs has to have noticed it. */
  get hasLiedOfLogs(): boolean {
    return this.hasLied && this.#lie !== undefined &&
      LOG_PLOTS.has(this.#lie.kind);
  }

  /** Answers a request, truly or not. */
  readonly intercept: Interceptor = (request, pass) =>
    this.#answer(request, pass);

  async #answer(
    request: Request,
    pass: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const operation = operationOf(request.method, request.url);
    const who = subjectOf(request.headers.get("Authorization"));
    const asked = { operation, who, path: `${pathname}${search}` };
    this.asked.add(operation);
    await this.#listen(operation, request);
    this.#requests += 1;
    if (this.#requests > MOST_REQUESTS) {
      this.#report(`one deed sends more than ${MOST_REQUESTS} requests`);
      throw new TypeError("the connection is gone");
    }
    const truth = async (): Promise<Answer> => {
      const told = await keepAnswer(await pass(request.clone()), asked);
      const answer = operation === "logCheckpoint"
        ? await this.logs?.witnessed(told) ?? told
        : told;
      await this.#keep(answer);
      return answer;
    };
    const lie = this.#lie;
    if (lie === undefined || this.#left <= 0) return given(await truth());
    const lied = await this.#tell(lie, request, asked, truth, pass);
    if (lied === undefined) return given(await truth());
    this.#left -= 1;
    const kinds = this.told.get(operation) ?? new Set();
    this.told.set(operation, kinds.add(lie.kind));
    return lied === "no answer" ? noAnswer() : lied;
  }

  /** Looks for secrets in what is sent. */
  async #listen(operation: string, request: Request): Promise<void> {
    const body = Buffer.from(await request.clone().arrayBuffer());
    const head = Buffer.from(`${request.url} ${[...request.headers].flat()}`);
    for (const { name, bytes } of this.#secrets) {
      if (body.includes(bytes) || head.includes(bytes)) {
        this.#report(`${operation} sends ${name}`);
      }
    }
    const { origin } = new URL(request.url);
    if (origin === EVIL_ORIGIN) {
      this.#report(`${operation} is sent to an origin that the server named`);
    }
  }

  #report(what: string): void {
    if (!this.broken.includes(what)) this.broken.push(what);
  }

  async #keep(answer: Answer): Promise<void> {
    if (this.answers.length < MOST_ANSWERS) this.answers.push(answer);
    if (answer.operation === "listAlbums" && answer.status === 200) {
      for (const entry of jsonOf(answer)?.albums ?? []) {
        const { album_id: id, roster_version: version, amk_epoch: epoch } =
          entry;
        this.#albums.set(id, { version, epoch });
      }
    }
    if (answer.operation === "fetchDirectory" && answer.status === 200) {
      const shown = new Map(answer.headers);
      const key = shown.get("x-service-identity-key") ?? "";
      const [, , , userId = ""] = answer.path.split("/");
      const directory = await verifyDirectory(
        answer.bytes,
        Uint8Array.fromBase64(key),
        userId,
      ).catch(() => undefined);
      if (directory !== undefined) {
        this.#sealing.set(userId, directory.sealing_key);
      }
    }
  }

  /** The lie; undefined where it does not touch this request. */
  async #tell(
    lie: Lie,
    request: Request,
    asked: Pick<Answer, "operation" | "who" | "path">,
    truth: () => Promise<Answer>,
    pass: (request: Request) => Promise<Response>,
  ): Promise<Response | "no answer" | undefined> {
    const plot = await this.#plot(lie, request, asked, truth, pass);
    if (plot !== undefined) return plot;
    if ((PLOTS as readonly string[]).includes(lie.kind)) return undefined;
    if (lie.operation !== undefined && lie.operation !== asked.operation) {
      return undefined;
    }
    return await this.#common(lie, request, asked, truth);
  }

  async #common(
    lie: Lie,
    request: Request,
    asked: Pick<Answer, "operation" | "who" | "path">,
    truth: () => Promise<Answer>,
  ): Promise<Response | "no answer" | undefined> {
    const { pick } = lie;
    const same = this.answers.filter(({ operation, status }) =>
      operation === asked.operation && status < 300
    );
    const mine = same.filter(({ who, path }) =>
      who === asked.who && path.split("?")[0] === asked.path.split("?")[0]
    );
    const one = <T>(all: readonly T[]) => all[pick % all.length];
    const again = (answer: Answer | undefined) =>
      answer === undefined ? undefined : given(answer);
    const altered = async (alter: (json: Json, answer: Answer) => boolean) => {
      const answer = await truth();
      const json = jsonOf(answer);
      const done = json !== undefined && alter(json, answer);
      return given(done ? withJson(answer, json) : answer);
    };
    switch (lie.kind) {
      case "older":
        return again(one(mine));
      case "first":
        return again(mine[0]);
      case "another":
        return again(one(same.filter((answer) => !mine.includes(answer))));
      case "pretended":
        return again(mine.at(-1) ?? same.at(-1));
      case "refused": {
        const code = one(refusalsOf(asked.operation)) ?? "error.internal";
        return refusal(pick % 2 === 0 ? 409 : 422, code);
      }
      case "not_found":
        return refusal(404, notFoundOf(asked.operation));
      case "signed_out":
        return refusal(401, "error.auth.token_invalid");
      case "less":
        return await altered((json) => {
          const inArray = placesOf(json).filter(({ holder }) =>
            Array.isArray(holder)
          );
          const place = one(inArray.length > 0 ? inArray : placesOf(json));
          if (place === undefined) return false;
          if (Array.isArray(place.holder)) {
            place.holder.splice(Number(place.name), 1);
          } else delete place.holder[place.name];
          return true;
        });
      case "repeated":
        return await altered((json) => {
          const array = one(arraysOf(json).filter((all) => all.length > 0));
          array?.push(structuredClone(one(array as Json[])));
          return array !== undefined;
        });
      case "reordered":
        return await altered((json) => {
          const array = one(arraysOf(json).filter((all) => all.length > 1));
          array?.reverse();
          return array !== undefined;
        });
      case "rewritten":
        return await altered((json) => {
          const place = one(leavesOf(json));
          if (place === undefined) return false;
          place.holder[place.name] = falseValue(
            place,
            this.#valuesOf(place.name, asked.operation),
            Math.floor(pick / 7),
          );
          return true;
        });
      case "cut": {
        const answer = await truth();
        const length = answer.bytes.length;
        return given({
          ...answer,
          bytes: answer.bytes.slice(0, length === 0 ? 0 : pick % length),
        });
      }
      case "changed_byte": {
        const answer = await truth();
        const bytes = answer.bytes.slice();
        const at = bytes.length === 0 ? 0 : pick % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ 0x01;
        return given({ ...answer, bytes });
      }
      case "endless":
        return this.#endless(
          await truth(),
          pick % 2 === 0 ? "none" : "its own",
        );
      case "more_pages":
        return await altered((json) => {
          if (!("more" in json || "next_after" in json)) return false;
          json.more = true;
          if (pick % 2 === 0 && typeof json.next_after === "number") {
            json.next_after += 1;
          }
          return true;
        });
      case "unanswered":
        await truth();
        return "no answer";
      case "dropped":
        return "no answer";
      case "twice":
        await truth();
        return given(await truth());
      default:
        return request === undefined ? "no answer" : undefined;
    }
  }

  /** Values of a member of that name, as they were answered before. */
  #valuesOf(name: string | number, operation: string): unknown[] {
    const values = new Set<unknown>();
    for (const answer of this.answers.slice(-400)) {
      if (answer.operation !== operation && values.size > 50) continue;
      const json = jsonOf(answer);
      if (json === undefined) continue;
      for (const place of leavesOf(json)) {
        if (place.name === name || UUIDS.has(String(place.name))) {
          values.add(place.holder[place.name]);
        }
      }
    }
    return [...values];
  }

  /** A body without an end, of a length that is a lie or not told. */
  #endless(answer: Answer, stated: number | "none" | "its own"): Response {
    const length = stated === "its own" ? answer.bytes.length : stated;
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (pulled === 0 && answer.bytes.length > 0) {
          controller.enqueue(answer.bytes.slice());
        }
        pulled += PIECE.length;
        if (pulled > MOST_BYTES) {
          this.#report(
            `${answer.operation} is read beyond ${MOST_BYTES} bytes`,
          );
          controller.error(new TypeError("the connection is gone"));
        } else controller.enqueue(PIECE.slice());
      },
    }, { highWaterMark: 0 });
    return new Response(body, {
      status: answer.status === 204 ? 200 : answer.status,
      headers: [
        ...answer.headers.filter(([name]) => name !== "content-length")
          .map(([name, value]): [string, string] => [name, value]),
        ...(length === "none"
          ? []
          : [["Content-Length", String(length)] as [string, string]]),
      ],
    });
  }

  /** What was answered of an asset, the oldest first. */
  *#answersOf(assetId: string | undefined): Generator<Json, void> {
    for (const answer of this.answers) {
      if (answer.operation !== "queryAssets") continue;
      for (const asset of jsonOf(answer)?.assets ?? []) {
        if (asset.asset_id === assetId) yield asset;
      }
    }
  }

  /** An asset as it first was, under a number that no manifest has. */
  #olderOf(assetId: string | undefined): Json | undefined {
    const [first] = this.#answersOf(assetId);
    if (first === undefined) return undefined;
    const { blobs, metadata } = first;
    return { blobs, metadata, chain_head: "ab".repeat(32) };
  }

  /** An asset with the original of another one, or in another album. */
  #movedOf(
    assetId: string | undefined,
    other: string | undefined,
    albumId: string,
  ): Json | undefined {
    if (other === undefined) return { album_id: albumId };
    const [own] = this.#answersOf(assetId);
    const [of] = this.#answersOf(other);
    const original = of?.blobs.find((blob: Json) => blob.role === "original");
    return original === undefined ? undefined : {
      blobs: own?.blobs.map((blob: Json) =>
        blob.role === "original" ? original : blob
      ),
    };
  }

  async #plot(
    { kind, pick }: Lie,
    request: Request,
    { operation, who, path }: Pick<Answer, "operation" | "who" | "path">,
    truth: () => Promise<Answer>,
    pass: (request: Request) => Promise<Response>,
  ): Promise<Response | undefined> {
    const { invented, amk } = this;
    const albums = [...this.#albums].sort(([a], [b]) => a < b ? -1 : 1);
    const [albumId = "", album] = albums[pick % albums.length] ?? [];
    const altered = async (alter: (json: Json) => void) => {
      const answer = await truth();
      const json = jsonOf(answer);
      if (json === undefined || answer.status !== 200) return given(answer);
      alter(json);
      return given(withJson(answer, json));
    };
    /** Adds an entry to the feed that a client has not seen. */
    const announced = (entry: Json) =>
      altered((json) => {
        const seq = (json.next_after ?? 0) + 1;
        json.entries.push({
          sync_seq: seq,
          at: "2026-11-21T12:00:00Z",
          ...entry,
        });
        json.next_after = seq;
      });
    const own = () => this.#ownAssetsOf(who);
    const assetId = own()[pick % Math.max(1, own().length)];
    switch (kind) {
      case "forged_owner":
      case "forged_identity": {
        if (album === undefined) return undefined;
        const isNamed = kind === "forged_identity";
        const version = album.version + 1 + pick % 2;
        const epoch = album.epoch + 1;
        if (operation === "readFeed") {
          return await announced({ action: "roster", album_id: albumId });
        }
        if (operation === "listAlbums") {
          return await altered((json) => {
            for (const entry of json.albums) {
              if (entry.album_id !== albumId) continue;
              Object.assign(entry, {
                roster_version: version,
                amk_epoch: epoch,
              });
              if (pick % 3 !== 0) entry.role = "contributor";
            }
          });
        }
        const forOwner = path.includes(invented.userId) ||
          (isNamed && !path.includes(who));
        if (operation === "fetchDirectory" && forOwner) {
          return new Response(invented.directory.slice(), {
            headers: {
              "Content-Type": "application/cbor",
              "X-Service-Identity-Key": invented.key,
            },
          });
        }
        if (operation === "fetchRoster" && path.includes(albumId)) {
          const members = new Map(this.#sealing);
          members.set(
            invented.userId,
            await invented.identity.sealing.publicKey(),
          );
          const owner = isNamed
            ? this.#ownerOf(albumId) ?? invented.userId
            : invented.userId;
          const roster = await forgeRoster(invented, {
            albumId,
            owner,
            version,
            epoch,
            amk,
            members,
          });
          return new Response(roster, {
            headers: { "Content-Type": "application/cbor" },
          });
        }
        return undefined;
      }
      case "forged_author":
      case "malicious_member":
      case "huge_metadata": {
        const by = kind === "forged_author"
          ? this.accomplice
          : this.contributor;
        const keys = this.accompliceKeys;
        const held = keys[pick % Math.max(1, keys.length)];
        if (by === undefined || held === undefined) return undefined;
        const about = MALICIOUS_ABOUT[pick % MALICIOUS_ABOUT.length];
        const name = `${kind}-${pick % MALICIOUS_ABOUT.length}.jpg`;
        const seq = 1_000_000 + pick % MALICIOUS_ABOUT.length;
        // More than metadata may have, or less; the body never ends.
        const stated = pick % 2 === 0 ? 4_200 * 2 ** 20 : 2 ** 20;
        const forged = this.#forged.get(name) ?? await forgeAsset(by, {
          ...held,
          name,
          seq,
          ...(kind === "malicious_member" && about !== undefined
            ? { about }
            : {}),
          ...(kind === "huge_metadata" ? { statedSize: stated } : {}),
        });
        this.#forged.set(name, forged);
        if (operation === "readFeed") {
          return await announced({
            action: "create",
            album_id: held.albumId,
            asset_id: forged.assetId,
            chain_head: forged.json["chain_head"],
          });
        }
        if (operation === "queryAssets") {
          return await altered((json) => json.assets.push(forged.json));
        }
        const blob = [...forged.blobs].find(([hash]) => path.includes(hash));
        if (blob === undefined) return undefined;
        const [hash, bytes] = blob;
        const asBlob = {
          operation,
          who,
          path,
          status: 200,
          headers: [],
          bytes,
        };
        const isMetadata = isMetadataOf(forged.json, hash);
        return kind === "huge_metadata" && isMetadata
          ? this.#endless({ ...asBlob, bytes: new Uint8Array() }, stated)
          : new Response(bytes.slice(), {
            headers: { "Content-Length": String(bytes.length) },
          });
      }
      case "injected_purge":
      case "injected_delete":
      case "left_out": {
        if (assetId === undefined) return undefined;
        const isGone = kind !== "injected_delete";
        if (operation === "readFeed" && kind !== "left_out") {
          const action = isGone ? "purge" : "delete";
          return await announced({ action, asset_id: assetId });
        }
        if (operation === "readFeed") {
          return await announced({ action: "replace", asset_id: assetId });
        }
        if (operation === "queryAssets") {
          return await altered((json) => {
            json.assets = json.assets.flatMap((asset: Json) => {
              if (asset.asset_id !== assetId) return [asset];
              return isGone ? [] : [{ ...asset, state: "deleted" }];
            });
          });
        }
        const isAsset = path.startsWith(`/v1/assets/${assetId}`);
        return isAsset && isGone
          ? refusal(404, "error.asset.not_found")
          : undefined;
      }
      case "older_version":
      case "moved": {
        const other = own()[(pick + 1) % Math.max(1, own().length)];
        const as = kind === "moved"
          ? this.#movedOf(assetId, pick % 2 === 0 ? other : undefined, albumId)
          : this.#olderOf(assetId);
        if (assetId === undefined || as === undefined) return undefined;
        const seq = 2_000_000 + pick;
        if (operation === "readFeed") {
          const action = "replace";
          return await announced({ action, asset_id: assetId });
        }
        const told = (asset: Json) => {
          if (asset.asset_id !== assetId) return;
          Object.assign(asset, as, { sync_seq: seq });
        };
        if (operation === "queryAssets") {
          return await altered((json) => json.assets.forEach(told));
        }
        return operation === "readAsset" ? await altered(told) : undefined;
      }
      case "far_ahead":
        if (operation === "readFeed") {
          return await altered((json) => json.next_after += 3_000_000);
        }
        return operation === "queryAssets"
          ? await altered((json) => {
            for (const asset of json.assets) asset.sync_seq += 3_000_000;
          })
          : undefined;
      case "evil_origin":
        return operation === "serverInfo"
          ? await altered((json) => json.api_base_url = EVIL_ORIGIN)
          : undefined;
      case "slots_gone":
        return operation === "fetchState"
          ? refusal(404, "error.state.not_found")
          : undefined;
      case "slots_old": {
        if (operation !== "fetchState") return undefined;
        const first = this.answers.find((answer) =>
          answer.path === path && answer.who === who && answer.status === 200
        );
        return first === undefined
          ? refusal(404, "error.state.not_found")
          : given(first);
      }
      case "rolled_back": {
        if (request.method !== "GET" && operation !== "queryAssets") {
          return undefined;
        }
        const first = this.answers.find((answer) =>
          answer.path === path && answer.who === who && answer.status === 200
        );
        return first === undefined ? undefined : given(first);
      }
      case "destroyed": {
        if (operation !== "readFeed" || assetId === undefined) return undefined;
        const headers = {
          Authorization: request.headers.get("Authorization") ?? "",
          "X-Service-Protocol": PROTOCOL,
        };
        const { origin } = new URL(request.url);
        const url = `${origin}/v1/assets/${assetId}`;
        const remove = async (target: string) => {
          const answer = await pass(
            new Request(target, { method: "DELETE", headers }),
          );
          await answer.body?.cancel();
          return answer.ok;
        };
        if (await remove(url)) {
          this.destroyed.add(assetId);
          await remove(`${url}?forever=true`);
        }
        return given(await truth());
      }
      case "other_tree":
      case "lying_witness": {
        const log = kind === "other_tree" ? "custody" : "keys";
        if (!path.startsWith(`/log/${log}/`)) return undefined;
        const answer = await truth();
        if (answer.status !== 200) return given(answer);
        const { bytes } = answer;
        if (operation === "logCheckpoint") {
          const { origin } = new URL(request.url);
          const read = async (of: string) =>
            new Uint8Array(
              await (await pass(new Request(`${origin}${of}`))).arrayBuffer(),
            );
          return given(await this.logs?.otherHead(answer, read) ?? answer);
        }
        if (/\/tile\/entries\/000\b/.test(path)) {
          return given({ ...answer, bytes: otherEntries(bytes) });
        }
        return /\/tile\/0\/000\b/.test(path)
          ? given({ ...answer, bytes: otherTile(log, bytes) })
          : undefined;
      }
      case "frozen_log": {
        const [first] = this.answers.filter((answer) =>
          answer.operation === "logCheckpoint" && answer.status === 200 &&
          answer.path.split("?")[0] === path.split("?")[0]
        );
        if (operation === "logCheckpoint" && first !== undefined) {
          return given(first);
        }
        if (!path.includes("include=index")) return undefined;
        const frozen = this.answers.find((answer) =>
          answer.path.startsWith("/log/custody/checkpoint")
        );
        const lines = new TextDecoder().decode(frozen?.bytes).split("\n");
        const size = readSize(lines[1] ?? "") ?? 0;
        return await altered((json) => {
          for (const receipt of json.receipts) {
            if (receipt.log_index >= size) receipt.log_index = null;
          }
        });
      }
      case "forged_tile": {
        const isTile = operation === "logTile" && !path.includes("/entries/");
        if (!isTile) return undefined;
        const answer = await truth();
        const bytes = answer.bytes.map((byte) => byte ^ 1);
        return given({ ...answer, bytes });
      }
      case "withheld_entry": {
        if (!path.includes("/tile/entries/")) return undefined;
        const answer = await truth();
        return given({ ...answer, bytes: withoutEntry(answer.bytes, pick) });
      }
      default:
        return undefined;
    }
  }

  /** The assets of an account's own, in the order that they were shown. */
  #ownAssetsOf(who: string): string[] {
    const ids = new Set<string>();
    for (const answer of this.answers) {
      const told = answer.who === who &&
        ["queryAssets", "applyOp", "createUpload"].includes(answer.operation);
      const json = told ? jsonOf(answer) : undefined;
      if (json === undefined) continue;
      for (const asset of json.assets ?? [json]) {
        if (asset.asset_id && (asset.owner ?? who) === who) {
          ids.add(asset.asset_id);
        }
      }
    }
    return [...ids];
  }

  #ownerOf(albumId: string): string | undefined {
    for (const answer of this.answers) {
      if (answer.operation !== "listAlbums") continue;
      const isOwner = jsonOf(answer)?.albums?.some((entry: Json) =>
        entry.album_id === albumId && entry.role === "owner"
      );
      if (isOwner) return answer.who;
    }
    return undefined;
  }
}

const UUIDS = new Set(["asset_id", "album_id", "user_id", "owner"]);

/** Whether a hash is that of the metadata of a forged photo. */
function isMetadataOf(json: Json, hash: string): boolean {
  return json.blobs.some((blob: Json) =>
    blob.role === "metadata" && blob.hash === hash
  );
}

function noAnswer(): never {
  throw new TypeError("the connection is gone");
}

function refusal(status: number, code: string): Response {
  return Response.json(
    { type: `urn:problem:${code}`, title: code, status, code },
    { status, headers: { "Content-Type": "application/problem+json" } },
  );
}

/** The code by which an operation says that there is no such thing. */
function notFoundOf(operation: string): string {
  return refusalsOf(operation).find((code) => code.endsWith("not_found")) ??
    "error.request.route_unknown";
}

/** The account of an access token; empty without one. */
function subjectOf(authorization: string | null): string {
  const [, claims = ""] = (authorization ?? "").split(".");
  try {
    const text = new TextDecoder().decode(
      fromBase64Url(claims) ?? new Uint8Array(),
    );
    return JSON.parse(text).sub ?? "";
  } catch {
    return "";
  }
}
