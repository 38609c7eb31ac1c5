/**
 * The receiver for telephones: who asks, how often, and what for (RFC 4918, RFC
 * 7617).
 *
 * @module
 */
import { type Bytes, fromBase64, fromUtf8 } from "../../core/bytes.ts";
import { Limiter } from "../../core/limiter.ts";
import { MINUTE_MS } from "../../core/time.ts";
import { countedAddress } from "../../http/client_address.ts";
import { isDiskFull } from "../person/faults.ts";
import { type Credentials, deviceKeys, isPassword } from "./device_keys.ts";
import { DeviceFolder, type Path } from "./device_folder.ts";
import { answerDav, type DavCall, putParts } from "./dav_methods.ts";
import { Locks } from "./locks.ts";
import { answerOcs, NextcloudFlows, NextcloudUploads } from "./nextcloud.ts";
import { baseOf } from "./nextcloud_paths.ts";
import { crossSite, isCrossSite, tooMany } from "./refusals.ts";
import type { Spool } from "./spool.ts";
import { type Asking, Taking, type TakingLimits } from "./taking.ts";

/** What a receiver is made of. */
interface ReceiverParts {
  readonly spool: Spool;
  readonly limits: TakingLimits;
  readonly now: () => number;
  readonly random: (length: number) => Bytes;
  readonly onKept: () => void;
  readonly warn: (line: string) => void;
}

/**
 * Wrong passwords of a name from an address lock it for a quarter of an hour.
 */
const GUESSES = { limit: 10, windowMs: 15 * MINUTE_MS };
/** The same of an address, whatever names it tries. */
const ADDRESS_GUESSES = { limit: 100, windowMs: 15 * MINUTE_MS };
/** Requests of a telephone; a sync of many small photos stays below. */
const REQUESTS = { limit: 6_000, windowMs: MINUTE_MS };
/** When a telephone was seen is noted this often. */
const SEEN_EVERY_MS = MINUTE_MS;

/** Characters of a path in all, and of its parts. */
const PATH_MAX = 8_192;
const DEPTH_MAX = 64;
const NAME_MAX = 1_024;

/** Answers telephones. */
export class Receiver {
  readonly taking: Taking;
  readonly locks: Locks;
  readonly #flows: NextcloudFlows;
  readonly #uploads: NextcloudUploads;
  readonly #guesses = new Limiter(GUESSES);
  readonly #addressGuesses = new Limiter(ADDRESS_GUESSES);
  readonly #requests = new Limiter(REQUESTS);
  readonly #seen = new Map<string, number>();

  constructor(readonly parts: ReceiverParts) {
    const { spool, limits, now, random, onKept } = parts;
    this.taking = new Taking(spool, limits, now, random, onKept);
    this.locks = new Locks(now);
    this.#uploads = new NextcloudUploads(now);
    this.#flows = new NextcloudFlows({
      now,
      random,
      address: () => spool.fact("address"),
    });
  }

  /** Answers a request from an address. Never throws. */
  async answer(request: Request, address: string): Promise<Response> {
    try {
      const response = await this.#answer(request, address);
      response.headers.set("X-Content-Type-Options", "nosniff");
      response.headers.set("Cache-Control", "no-store");
      return response;
    } catch (error) {
      // A folder or a lock finds no place.
      if (isDiskFull(error)) return new Response(null, { status: 507 });
      this.parts.warn(String(error));
      return new Response(null, { status: 503 });
    } finally {
      await request.body?.cancel().catch(() => {});
    }
  }

  async #answer(request: Request, address: string): Promise<Response> {
    const { now, random, spool } = this.parts;
    if (isCrossSite(request, spool.fact("address"))) return crossSite();
    const refusalOf = (given: Credentials) => {
      const admitted = this.admit(given, address);
      if (admitted === undefined) return unknown();
      return "waitMs" in admitted ? tooMany(admitted.waitMs) : undefined;
    };
    const asked = await this.#flows.answer(request, address, refusalOf);
    if (asked !== undefined) return asked;
    const given = credentialsOf(request.headers.get("authorization"));
    if (given === undefined) return unknown();
    const admitted = this.admit(given, address);
    if (admitted === undefined) return unknown();
    if ("waitMs" in admitted) return tooMany(admitted.waitMs);
    const spentMs = this.charge(admitted.asking);
    if (spentMs !== undefined) return tooMany(spentMs);
    const { asking } = admitted;
    const { taking, locks } = this;
    const around = { request, asking, taking, locks, now, random, base: "" };
    const { pathname } = new URL(request.url);
    const told = answerOcs(pathname, asking.device) ??
      await this.#uploads.answer(
        request,
        asking,
        taking,
        (parts, destination) => putParts(around, parts, destination),
      );
    if (told !== undefined) return told;
    const base = baseOf(pathname, asking.device.name);
    if (base === undefined) return new Response(null, { status: 404 });
    const path = pathOf(request.url, base);
    if (path === undefined) return new Response(null, { status: 400 });
    if (path === "long") return new Response(null, { status: 414 });
    const call: DavCall = { ...around, base, path };
    return await answerDav(call);
  }

  /**
   * Lets a telephone in by its name and password, however it says them.
   * Undefined if one of the two is wrong, and how long to wait (ms) after too
   * many that were.
   */
  admit(
    { name, password }: Credentials,
    address: string,
  ): { readonly asking: Asking } | { readonly waitMs: number } | undefined {
    const { spool, now, random } = this.parts;
    const counted = countedAddress(address);
    const guess = `${counted}\0${name}`;
    const locked = this.#guesses.refusal(guess, now()) ??
      this.#addressGuesses.refusal(counted, now());
    if (locked !== undefined) return { waitMs: locked.retryAt - now() };
    const device = spool.device(name);
    const keys = deviceKeys(password, device?.salt ?? NO_SALT);
    if (device === undefined || !isPassword(keys, device.verifier)) {
      this.#guesses.charge(guess, now());
      this.#addressGuesses.charge(counted, now());
      return undefined;
    }
    const folder = new DeviceFolder(spool, name, keys, random);
    return { asking: { device, folder } };
  }

  /** Counts a request; how long to wait (ms) after too many. */
  charge({ device: { name } }: Asking): number | undefined {
    const { now } = this.parts;
    const spent = this.#requests.charge(name, now());
    if (spent !== undefined) return spent.retryAt - now();
    this.#note(name);
    return undefined;
  }

  #note(name: string): void {
    const now = this.parts.now();
    const seen = this.#seen.get(name);
    if (seen !== undefined && Math.abs(now - seen) < SEEN_EVERY_MS) return;
    this.#seen.set(name, now);
    try {
      this.parts.spool.sawDevice(name, now);
    } catch (error) {
      // A full disk does not keep requests from being answered.
      this.parts.warn(String(error));
    }
  }
}

const NO_SALT = new Uint8Array(16);

function credentialsOf(header: string | null): Credentials | undefined {
  const [, encoded = ""] =
    /^basic +([A-Za-z0-9+/=]{1,1024})$/i.exec(header ?? "") ?? [];
  const text = fromUtf8(fromBase64(encoded) ?? new Uint8Array()) ?? "";
  const at = text.indexOf(":");
  if (at < 1) return undefined;
  return {
    name: text.slice(0, at).trim().toLowerCase(),
    password: text.slice(at + 1),
  };
}

function unknown(): Response {
  return new Response("name or password is wrong\n", {
    status: 401,
    headers: {
      "WWW-Authenticate": 'Basic realm="strongroom receive", charset="UTF-8"',
    },
  });
}

/** Names from the root on; undefined for a malformed path. */
function pathOf(url: string, base = ""): Path | "long" | undefined {
  let names: string[];
  try {
    // What climbs above the root stays at it (WHATWG URL).
    names = new URL(url).pathname.slice(base.length).split("/")
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
  return pathOfNames(names);
}

/** The same of names that were not escaped; empty ones do not count. */
export function pathOfNames(
  given: readonly string[],
): Path | "long" | undefined {
  const names = given.filter((name) => name !== "");
  const isNone = (name: string) =>
    name === "." || name === ".." || /[/\0]/.test(name);
  if (names.some(isNone)) return undefined;
  const isLong = names.some((name) =>
    name.length > 2 * NAME_MAX || [...name].length > NAME_MAX
  );
  const length = names.reduce((sum, name) => sum + name.length, 0);
  return isLong || length > PATH_MAX || names.length > DEPTH_MAX
    ? "long"
    : names;
}
