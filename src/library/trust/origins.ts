/**
 * The origin under which links with secrets stand. A server names its own
 * public address, and one that lies would send the secrets of links to a host
 * of its choice. So links stand under the origin at which the person signed in,
 * or another one that the person confirmed; what the server says is a
 * suggestion (protocol/client-cryptography.md#links-with-secrets).
 *
 * @module
 */
import { isLoopback, parseOrigin } from "../../core/origin.ts";
import { changedAt } from "../../client/documents/state.ts";
import type { Session } from "../vault/session.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { Trust } from "./trust.ts";

/**
 * The setting of the account's state that chooses one of the origins that the
 * trust record pins.
 */
const SETTING = "link-origin";

/** The origins of a library's links. */
export interface Origins {
  /** The origin at which the person signed in on this device. */
  readonly opened: string;
  /**
   * The origin that the person confirmed, on any of their devices; undefined
   * before that.
   */
  readonly confirmed: string | undefined;
  /** The origin of new links: the confirmed one, else the opened one. */
  readonly links: string;
  /** Reads what other devices confirmed, unless that was read already. */
  read(): Promise<void>;
  /**
   * The origin that the server names for itself; undefined where it is the one
   * of the links, or none that links can have. Only a person's word makes it
   * the one of links.
   */
  suggested(): Promise<string | undefined>;
  /**
   * Makes an origin that the person confirmed the one of links, on all of their
   * devices. Throws OriginRefused.
   */
  confirm(origin: string): Promise<void>;
}

/** Why an origin cannot be that of links. */
export type OriginFault = "not_an_origin" | "only_here" | "not_encrypted";

/** An origin cannot be that of links. */
export class OriginRefused extends Error {
  override readonly name = "OriginRefused";

  constructor(readonly fault: OriginFault, message: string) {
    super(message);
  }
}

/**
 * Reads an origin for the links of an account that is opened at `opened`.
 * Throws OriginRefused for anything but a canonical origin, for an address that
 * only this computer reaches, and for http where `opened` is https.
 */
export function linkOriginOf(opened: string, text: string): string {
  const origin = parseOrigin(text);
  if (origin === undefined) {
    throw new OriginRefused(
      "not_an_origin",
      "not the address of a server, like https://photos.example.org",
    );
  }
  if (origin === opened) return origin;
  const { protocol, hostname } = new URL(origin);
  if (isLoopback(hostname)) {
    throw new OriginRefused(
      "only_here",
      `${origin} opens only on one computer`,
    );
  }
  if (opened.startsWith("https:") && protocol === "http:") {
    throw new OriginRefused("not_encrypted", `${origin} is not encrypted`);
  }
  return origin;
}

/** Opens the origins of a session. */
export async function openOrigins(
  { server: opened, client, platform }: Session,
  state: SharedState,
  trust: Trust,
): Promise<Origins> {
  await trust.pinOrigin(opened, "opened");
  const usable = (text: unknown): string | undefined => {
    try {
      return typeof text === "string" ? linkOriginOf(opened, text) : undefined;
    } catch (error) {
      if (error instanceof OriginRefused) return undefined;
      throw error;
    }
  };
  const confirmed = () => {
    const { value, removed } = state.held.settings[SETTING] ?? {};
    const origin = removed === true ? undefined : usable(value);
    return origin !== undefined && trust.isPinned(origin) ? origin : undefined;
  };
  return {
    opened,
    get confirmed() {
      return confirmed();
    },
    get links() {
      return confirmed() ?? opened;
    },
    async read() {
      if (!trust.fresh) await trust.read();
      if (!state.fresh) await state.read();
    },
    async suggested() {
      const { api_base_url: told } = await client.serverInfo();
      const origin = usable(told);
      return origin === (confirmed() ?? opened) ? undefined : origin;
    },
    async confirm(origin) {
      const value = linkOriginOf(opened, origin);
      await trust.pinOrigin(value, "confirmed");
      await trust.settle();
      await state.change((held) => ({
        ...held,
        settings: {
          ...held.settings,
          [SETTING]: {
            value,
            at: changedAt(held.settings[SETTING], platform.now()),
          },
        },
      }));
    },
  };
}
