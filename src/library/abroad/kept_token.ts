/**
 * The capability with which an album of another server is read: it is replaced
 * when it is due or no longer taken (protocol/albums-abroad.md#reading).
 *
 * @module
 */
import {
  ApiProblem,
  type CapabilityCalls,
  type Client,
} from "../../client/api/api.ts";
import type { Library } from "../library.ts";
import type { Joined, Unstamped } from "../trust/abroad_state.ts";
import { AbroadError, AlbumPaused } from "./abroad_fault.ts";
import {
  assertToken,
  jtiOf,
  lifeOf,
  noteRead,
  type ReadPickup,
  replyIn,
} from "./joining.ts";
import type { AlbumNote, Membership } from "./membership.ts";

/** A token as a server answers with it. */
interface Fresh {
  readonly token: string;
  readonly expires_at: string;
}

/** The token of an album that the account is in. */
export class KeptToken {
  constructor(
    private readonly library: Library,
    private readonly membership: Membership,
    private readonly note: AlbumNote,
    private readonly client: () => Client,
    /** Reads the pickup; see `readJoined` in `membership.ts`. */
    private readonly pickup: () => Promise<ReadPickup>,
  ) {}

  get(): string {
    return this.membership.entry.token;
  }

  /** Refreshes it once half of its life is over. */
  async renewInTime(): Promise<void> {
    const { token } = this.membership.entry;
    const { now } = this.library.vault.session.platform;
    const { held } = this.note;
    const came = held.token === token ? held.came_at : undefined;
    if (came === undefined) return await this.#noteCame(token);
    if (now() - came < lifeOf(token) / 2) return;
    await this.#refresh();
  }

  /** Another token in place of one that was refused. Throws AlbumPaused. */
  async regain(refused: string): Promise<string> {
    // Another call of this program may have got one meanwhile.
    const { token, jti, renewal } = this.membership.entry;
    if (token !== refused) return token;
    return await this.#refresh() ??
      await this.#attempt(() => this.client().renewCapability(jti, renewal)) ??
      await this.#fromPickup();
  }

  async #refresh(): Promise<string | undefined> {
    return await this.#attempt(() =>
      this.client().refreshCapability(this.get())
    );
  }

  /** Undefined where the token or the secret is not taken. */
  async #attempt(ask: () => Promise<Fresh>): Promise<string | undefined> {
    try {
      return await this.#take(await ask());
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.code === "error.album.member_not_on_roster") {
        throw new AlbumPaused(
          "removed",
          "its server says that you are no longer in this album",
        );
      }
      const isOver = error.code === "error.federation.capability_invalid" ||
        error.code === "error.federation.capability_not_renewable";
      if (!isOver) throw error;
      return undefined;
    }
  }

  async #take({ token, expires_at }: Fresh): Promise<string> {
    const { entry, albumId, serverId } = this.membership;
    if (entry.token !== token) {
      const { scope, not_after, member } = entry;
      const of = { album_id: albumId, server_id: serverId, member };
      // One that is no capability would never be refused as one.
      assertToken({ token, scope, not_after }, of);
      await this.membership.put({ token, expires_at });
    }
    await this.#noteCame(token);
    return token;
  }

  /** Takes another grant from the pickup, if its owner put one there. */
  async #fromPickup(): Promise<string> {
    const { membership } = this;
    const before = membership.entry;
    try {
      const read = await this.pickup();
      const { grant: { state, grant } } = read;
      await noteRead(this.library, read);
      if (state !== "live" || grant === undefined) {
        throw new AlbumPaused("ended", "its owner ended it");
      }
      if (grant.jti !== before.jti) {
        const { min_protocol_version: _, ...token } = grant;
        await membership.put({ ...token, ...replyIn(read.grant) });
        await this.#noteCame(grant.token);
        return grant.token;
      }
    } catch (error) {
      const isNone =
        (error instanceof AbroadError && error.fault === "older") ||
        (error instanceof ApiProblem && error.status === 404);
      if (!isNone) throw error;
    }
    const { now } = this.library.vault.session.platform;
    throw await whyOver(this.client(), before, now());
  }

  /** Notes when a token came, by this device's clock. */
  async #noteCame(token: string): Promise<void> {
    const { now } = this.library.vault.session.platform;
    await this.note.change({ token, came_at: now() });
  }
}

async function whyOver(
  client: Client,
  { jti, token, not_after }: Unstamped<Joined>,
  now: number,
): Promise<AlbumPaused> {
  if (Date.parse(not_after) < now) {
    return new AlbumPaused("over", "the invitation has run out");
  }
  const { revoked } = await client.revokedCapabilities();
  // Those that have expired are not among them, as the first one has soon.
  const present = jtiOf(token);
  return revoked.some((one) => one.jti === jti || one.jti === present)
    ? new AlbumPaused("revoked", "your access was taken back")
    : new AlbumPaused(
      "refused",
      "its server does not take your invitation any more",
    );
}

/** The calls with a token, each once more with another if that is refused. */
export function callsWith(
  client: () => Client,
  kept: KeptToken,
): CapabilityCalls {
  const over = async <T>(
    call: (calls: CapabilityCalls) => Promise<T>,
  ): Promise<T> => {
    const token = kept.get();
    try {
      return await call(client().reader(token));
    } catch (error) {
      const isRefused = error instanceof ApiProblem &&
        error.code === "error.federation.capability_invalid";
      if (!isRefused) throw error;
    }
    return await call(client().reader(await kept.regain(token)));
  };
  return {
    feed: (query) => over((calls) => calls.feed(query)),
    asset: (assetId) => over((calls) => calls.asset(assetId)),
    queryAssets: (ids, include) =>
      over((calls) => calls.queryAssets(ids, include)),
    blob: (assetId, hash, range) =>
      over((calls) => calls.blob(assetId, hash, range)),
    blobs: (wanted) => over((calls) => calls.blobs(wanted)),
    roster: (albumId) => over((calls) => calls.roster(albumId)),
    lookUp: (sought) => over((calls) => calls.lookUp(sought)),
  };
}
