/**
 * Attacks on a server, each with a rate of its own, so that it is the server
 * that they keep busy and not the machine.
 *
 * @module
 */
import * as z from "zod";
import { fromBase64, toBase64 } from "../../../src/core/bytes.ts";
import { openIdentity } from "../../../src/client/documents/identity.ts";
import { nativePrimitives } from "../../../src/client/keys/native.ts";
import {
  type Assault,
  type Attack,
  Line,
  pause,
  randomHex,
  strike,
} from "./attacking.ts";
import { inPieces, withoutEnd } from "./connections.ts";
import { rosterOf } from "./people.ts";

/** Marks that the normal form C has to put in order, two bytes each. */
const MARKS = "\u0315\u0300\u05ae\u0301";
const TEXT_BYTES = 80_000;
const TOKEN_BYTES = 63 * 1024;
/** In Base64, with the JSON around it: just within 12 MiB. */
const ROSTER_BYTES = 9 * 1024 * 1024 - 100;
const MADE_UP_HASHES = 50_000;
const LOGIN = "/v1/auth/login";

const challengeAnswer = z.object({ challenge_id: z.string() });

/** Every attack by its name. */
export const ATTACKS: { readonly [name: string]: Attack } = {
  /** Texts whose normal form takes the square of their length. */
  texts: (assault) => {
    const marks = MARKS.repeat(TEXT_BYTES / (2 * MARKS.length));
    const { domain } = assault.victim;
    const domains = [domain, "elsewhere.example"];
    return strike(assault, { connections: 2, pauseMs: 100 }, (count) => ({
      method: "POST",
      path: "/v1/auth/register",
      from: "198.51.100.1",
      json: count % 4 < 2
        ? {
          address: `${marks}@${domains[count % 2]}`,
          password: "x".repeat(20),
        }
        : {
          address: `${randomHex(8)}@${domains[count % 2]}`,
          password: marks,
        },
    }));
  },

  pieces: inPieces,

  connections: withoutEnd,

  /** A token that was never issued, as long as a header may be. */
  tokens: (assault) => {
    const kinds = ["a@", "a.", "-_"].map((two) => two.repeat(TOKEN_BYTES / 2));
    return strike(assault, { connections: 2, pauseMs: 50 }, (count) => ({
      method: "GET",
      path: "/v1/auth/profile",
      from: "198.51.100.4",
      token: kinds[count % kinds.length] ?? "",
    }));
  },

  /** A roster of 12 MiB that is one long text. */
  rosters: (assault) => {
    const { mallory: { token, albumIds } } = assault.victim;
    const text = new TextEncoder().encode("a@".repeat(ROSTER_BYTES / 2));
    const cbor = new Uint8Array(5 + text.length);
    // A text string with a length of four bytes (RFC 8949 section 3.1).
    cbor[0] = 0x7a;
    new DataView(cbor.buffer).setUint32(1, text.length);
    cbor.set(text, 5);
    const json = { roster_cbor: toBase64(cbor) };
    return strike(assault, { connections: 1, pauseMs: 2_000 }, () => ({
      method: "PUT",
      path: `/v1/albums/${albumIds[0]}/roster`,
      from: "198.51.100.4",
      token,
      json,
    }));
  },

  /** Links that there are not, and the passphrase of one that there is. */
  links: (assault) =>
    strike(assault, { connections: 2, pauseMs: 15 }, (count) => ({
      method: "GET",
      path: [
        `/s/${randomHex(16)}`,
        `/s/${randomHex(16)}/wrapped-secret`,
        `/s/${assault.victim.opaqueId}/wrapped-secret`,
      ][count % 3] ?? "",
      from: `2001:db8:5::${count.toString(16).slice(-4)}`,
    })),

  /** Twelve at a time, with unknown addresses. */
  unknown: (assault) =>
    strike(assault, { connections: 12, pauseMs: 5 }, () => ({
      method: "POST",
      path: LOGIN,
      from: "198.51.100.6",
      json: {
        address: `${randomHex(8)}@example.net`,
        password: "not this one",
      },
    })),

  /** Challenge after challenge, and codes for all of them. */
  codes: async (assault) => {
    const { guarded } = assault.victim;
    await using line = new Line(assault);
    for (let count = 0; !assault.over.aborted; count++) {
      const from = `198.51.101.${count % 200}`;
      const said = await line.send({
        method: "POST",
        path: LOGIN,
        from,
        json: guarded,
      });
      const challenge = challengeAnswer.safeParse(jsonOf(said));
      for (let code = 0; challenge.success && code < 6; code++) {
        await line.send({
          method: "POST",
          path: "/v1/auth/login/verify-totp",
          from,
          json: {
            challenge_id: challenge.data.challenge_id,
            code: String(Math.random()).slice(2, 8),
          },
        });
      }
      await pause(100);
    }
  },

  /** Twenty that wait for changes of rosters that another account put them on. */
  polls: async (assault) => {
    const { named, mallory } = assault.victim;
    const tokens = [named.token, mallory.token];
    const polls = strike(
      assault,
      { connections: 20, pauseMs: 100 },
      (count) => ({
        method: "GET",
        path: "/v1/sync?after=999999&wait=30",
        from: "198.51.100.8",
        token: tokens[count % tokens.length] ?? "",
      }),
    );
    await Promise.all([polls, keepPublishing(assault)]);
  },

  /** Links to blobs that there are not. */
  hashes: (assault) =>
    strike(assault, { connections: 1, pauseMs: 1_000 }, () => {
      const serves = Array.from(
        { length: MADE_UP_HASHES },
        () => randomHex(32),
      );
      return {
        method: "POST",
        path: "/v1/shares",
        from: "198.51.100.9",
        token: assault.victim.mallory.token,
        json: {
          opaque_id: randomHex(16),
          metadata_hash: serves[0],
          serves,
        },
      };
    }),

  /** What whoever has a token alone would keep. */
  stolen: (assault) =>
    strike(assault, { connections: 1, pauseMs: 50 }, (count) => ({
      from: "198.51.100.10",
      token: assault.victim.stolen,
      ...(count % 2 === 0
        ? {
          method: "PUT",
          path: "/v1/auth/escrow",
          headers: { "Content-Type": "application/octet-stream" },
          bytes: crypto.getRandomValues(new Uint8Array(200)),
        }
        : { method: "POST", path: "/v1/auth/totp/enroll" }),
    })),

  /** Which addresses have an account, told by their locks. */
  locks: (assault) => {
    const probed = [assault.victim.probed, "nobody@example.net"];
    return strike(assault, { connections: 1, pauseMs: 100 }, (count) => ({
      method: "POST",
      path: LOGIN,
      from: `198.51.102.${Math.floor(count / 30) % 200}`,
      json: { address: probed[count % 2], password: "not this one" },
    }));
  },
};

/** Wakes those who wait. */
async function keepPublishing(assault: Assault): Promise<void> {
  const { mallory, named } = assault.victim;
  const seed = fromBase64(mallory.seed) ?? new Uint8Array();
  const identity = await openIdentity(seed, nativePrimitives);
  await using line = new Line(assault);
  for (let version = 2; !assault.over.aborted; version++) {
    for (const albumId of mallory.albumIds) {
      if (assault.over.aborted) return;
      const roster = await rosterOf(identity, {
        albumId,
        owner: mallory.userId,
        member: named.userId,
        version,
      });
      await line.send({
        method: "PUT",
        path: `/v1/albums/${albumId}/roster`,
        from: "198.51.100.8",
        token: mallory.token,
        json: { roster_cbor: toBase64(roster) },
      });
      await pause(200);
    }
  }
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
