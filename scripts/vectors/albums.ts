/**
 * Vectors of what a roster holds in addition to the key of its epoch.
 *
 * @module
 */
import { toBase64, toBase64Url, toHex } from "../../src/core/bytes.ts";
import { portableBackend } from "../../src/crypto/hybrid_portable.ts";
import {
  type AlbumInfo,
  sealAlbumInfo,
  sealHistory,
} from "../../src/client/documents/album_keys.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import {
  amkCommitment,
  sealMember,
  signRoster,
} from "../../src/client/documents/roster.ts";
import {
  FILE_ID,
  MASTER_KEY,
  OPAQUE_ID,
  randomOf,
  secretOf,
  SIGNED_AT,
  USER_ID,
} from "./seeds.ts";

/** A roster of epoch 3, whose members read everything since epoch 0. */
export async function albumVectors() {
  const identity = await openIdentity(MASTER_KEY, undefined, portableBackend);
  const { signer, sealing } = identity;
  const of = { albumId: identity.albumId(1), amkEpoch: 3 };
  const amk = secretOf("album key of epoch 3");
  const before = new Map([0, 1, 2].map((epoch) => [
    epoch,
    secretOf(`album key of epoch ${epoch}`),
  ]));
  const info: AlbumInfo = {
    title: "Sommer 📷",
    cover: FILE_ID,
    description: "Am Hafen und danach",
    names: { [USER_ID]: "Ada" },
    remarks: false,
    viewers: {
      opaque_id: OPAQUE_ID,
      fingerprint: secretOf("viewers' fingerprint"),
      gate: secretOf("viewers' gate"),
      epoch: 3,
    },
    order: "oldest",
  };
  const history = sealHistory(amk, of, before, randomOf("history"));
  const sealedInfo = sealAlbumInfo(amk, of, info, randomOf("info"));
  const member = await sealMember(
    amk,
    await sealing.publicKey(),
    { ...of, member: USER_ID, role: "contributor" },
    randomOf("amk of epoch 3"),
  );
  const roster = await signRoster(signer, {
    album_id: of.albumId,
    owner: USER_ID,
    roster_version: 4,
    amk_epoch: 3,
    amk_commitment: amkCommitment(amk, of),
    members: [member],
    sealed_history: history,
    sealed_info: sealedInfo,
    signed_at: SIGNED_AT,
  });
  return {
    album_id: of.albumId,
    amk_epoch: of.amkEpoch,
    member: USER_ID,
    identity_key: toBase64(signer.publicKey),
    sealing_secret: toHex(sealing.secretKey),
    amk: toHex(amk),
    amk_commitment: toHex(amkCommitment(amk, of)),
    sealed_to: toHex(member.sealed_to),
    before: [...before].map(([epoch, key]) => ({ epoch, key: toHex(key) })),
    sealed_history: toBase64(history),
    empty_history: toBase64(
      sealHistory(amk, of, new Map(), randomOf("empty history")),
    ),
    info: {
      ...info,
      viewers: {
        ...info.viewers,
        fingerprint: toBase64Url(secretOf("viewers' fingerprint")),
        gate: toBase64Url(secretOf("viewers' gate")),
      },
    },
    sealed_info: toBase64(sealedInfo),
    roster: toBase64(roster),
  };
}
