/**
 * A server that lies about albums: it answers in the place of the real one,
 * with an identity that it invented.
 *
 * @module
 */
import type { Library } from "../../src/library/mod.ts";
import { signDirectory } from "../../src/client/documents/directory.ts";
import {
  type Identity,
  openIdentity,
} from "../../src/client/documents/identity.ts";
import { sealHistory } from "../../src/client/documents/album_keys.ts";
import {
  amkCommitment,
  type Roster,
  sealMember,
  signRoster,
} from "../../src/client/documents/roster.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { ORIGIN, seededRandom } from "./app.ts";
import type { Wire } from "./library.ts";
import { idOf } from "./album_cast.ts";

const SIGNED_AT = "2026-11-21T12:00:00Z";

/** An account that the server made up. */
interface Liar {
  readonly userId: string;
  readonly identity: Identity;
  readonly directory: Uint8Array<ArrayBuffer>;
}

/** Makes one up; `userId` may be another account's. */
export async function invent(seed: string, userId: string): Promise<Liar> {
  const random = seededRandom(`liar ${seed}`);
  const identity = await openIdentity(new Uint8Array(random(32)));
  const directory = await signDirectory(identity.signer, {
    user_id: userId,
    server_id: ORIGIN,
    directory_version: 1,
    sealing_key: await identity.sealing.publicKey(),
    devices: [],
    signed_at: SIGNED_AT,
  });
  return { userId, identity, directory };
}

/**
 * A roster of an album that is the liar's own, whose key the server knows; the
 * victims are named in it as contributors.
 */
export async function forgeRoster(
  liar: Liar,
  albumId: string,
  victims: readonly Library[],
  over: Partial<Roster> = {},
): Promise<
  { readonly bytes: Uint8Array<ArrayBuffer>; readonly roster: Roster }
> {
  const random = seededRandom(`forged ${albumId}`);
  const amk = new Uint8Array(random(32));
  const epoch = over.amk_epoch ?? 9;
  const of = { albumId, amkEpoch: epoch };
  const keyed = [
    { member: liar.userId, key: await liar.identity.sealing.publicKey() },
    ...await Promise.all(victims.map(async (one) => ({
      member: idOf(one),
      key: await one.vault.identity.sealing.publicKey(),
    }))),
  ];
  const roster: Roster = {
    album_id: albumId,
    owner: liar.userId,
    roster_version: 99,
    amk_epoch: epoch,
    amk_commitment: amkCommitment(amk, of),
    members: await Promise.all(keyed.map(({ member, key }) => {
      const context = { ...of, member, role: "contributor" as const };
      return sealMember(amk, key, context, random);
    })),
    ...(epoch === 0
      ? {}
      : { sealed_history: sealHistory(amk, of, new Map(), random) }),
    signed_at: SIGNED_AT,
    ...over,
  };
  return { bytes: await signRoster(liar.identity.signer, roster), roster };
}

/** The server's answers about one album from now on. */
interface Lies {
  /** Replaces fields of the album's entry in the list. */
  readonly entry?: Record<string, unknown>;
  /** Shown as the album's roster. */
  readonly roster?: Uint8Array<ArrayBuffer>;
  /** Whose directory is shown, by user id. */
  readonly liars?: readonly Liar[];
  /** Leaves the album out of the list. */
  readonly absent?: boolean;
  /** Lists the album a second time, with these fields replaced. */
  readonly again?: Record<string, unknown>;
  /** Says that the account has no state slots. */
  readonly noSlots?: boolean;
}

/** Lies about an album on the way to everybody, until told otherwise. */
export function lieAbout(wire: Wire, albumId: string, lies: Lies): void {
  wire.intercept = (request, pass) => {
    const { pathname } = new URL(request.url);
    const liar = lies.liars?.find(({ userId }) =>
      pathname === `/v1/users/${userId}/directory`
    );
    if (liar !== undefined) return Promise.resolve(directoryAnswer(liar));
    if (request.method !== "GET") return undefined;
    if (pathname === `/v1/albums/${albumId}/roster` && lies.roster) {
      return Promise.resolve(new Response(lies.roster));
    }
    if (pathname.startsWith("/v1/state/") && lies.noSlots) {
      const absent = new URL("/v1/state/nothing", request.url);
      return pass(new Request(absent, request));
    }
    if (pathname !== "/v1/albums") return undefined;
    return pass(request).then(async (answer) => {
      const { albums } = await answer.json();
      const shown = albums.flatMap((one: { album_id: string }) => {
        if (one.album_id !== albumId) return [one];
        const shown = lies.absent ? [] : [{ ...one, ...lies.entry }];
        return lies.again ? [...shown, { ...one, ...lies.again }] : shown;
      });
      return Response.json({ albums: shown });
    });
  };
}

function directoryAnswer({ identity, directory }: Liar): Response {
  return new Response(directory, {
    headers: {
      "X-Service-Identity-Key": toBase64(identity.signer.publicKey),
    },
  });
}
