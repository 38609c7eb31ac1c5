/**
 * Those who are on a server before it is attacked: the honest ones, and what
 * the attackers have of their own or have come by.
 *
 * @module
 */
import { randomBytes as drawBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { Secret } from "otpauth";
import * as z from "zod";
import { toBase64, toBase64Url } from "../../../src/core/bytes.ts";
import { uuidV4 } from "../../../src/core/ids.ts";
import { PROTOCOL_MAX } from "../../../src/core/protocol.ts";
import { toRfc3339 } from "../../../src/core/time.ts";
import {
  type Account,
  type Client,
  createClient,
} from "../../../src/client/api/api.ts";
import { signDirectory } from "../../../src/client/documents/directory.ts";
import {
  type Identity,
  openIdentity,
} from "../../../src/client/documents/identity.ts";
import { nativePrimitives } from "../../../src/client/keys/native.ts";
import { signRoster } from "../../../src/client/documents/roster.ts";
import type { PublishedKeys } from "../../../src/crypto/receipt_chain.ts";
import { sourceOf, uploadBlob } from "../../../src/client/api/upload.ts";
import { sha256Hex } from "../../../src/crypto/sha256.ts";
import { totpCode } from "../../../src/crypto/totp.ts";
import { randomBytes } from "../../demo/staging.ts";
import { originalOf, shareOriginal } from "../support.ts";

/** Blobs of the honest have this size. */
const BLOB_BYTES = 100 * 1024;

/** A blob with new random bytes. */
export function newBlob(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(drawBytes(BLOB_BYTES));
}

const login = z.strictObject({ address: z.string(), password: z.string() });

/** What an attacker's process is told. */
export const victim = z.strictObject({
  origin: z.string(),
  /** The only domain whose people may register. */
  domain: z.string(),
  /** A token and what its account owns: one of the attackers'. */
  mallory: z.strictObject({
    token: z.string(),
    userId: z.string(),
    seed: z.string(),
    albumIds: z.array(z.string()),
    /** An upload session that wants bytes. */
    uploadId: z.string(),
  }),
  /** Named on all of Mallory's rosters; a token of the attackers', too. */
  named: z.strictObject({ token: z.string(), userId: z.string() }),
  /** Whose password is known, but not the second factor. */
  guarded: login,
  /** Whose lock is probed. */
  probed: z.string(),
  /** An access token alone, older than what is recent. */
  stolen: z.string(),
  /** A link that has a passphrase. */
  opaqueId: z.string(),
});
export type Victim = z.infer<typeof victim>;

/** The honest people, who use the server during the attack. */
export interface Honest {
  /** The keys that verify receipts, pinned before the attack. */
  readonly keys: PublishedKeys;
  readonly uploader: Account;
  readonly signsIn: z.infer<typeof login>;
  /** The path of a blob that a share link serves. */
  readonly blobPath: string;
}

/** Registrations under it are open, all others closed. */
export const DOMAIN = "example.org";

export interface People {
  readonly honest: Honest;
  readonly victim: Victim;
}

/** Registers everybody; `albums` is how many rosters name the same person. */
export async function settle(
  server: { readonly origin: string; readonly dataDir: string },
  albums: number,
): Promise<People> {
  const { origin } = server;
  const client = createClient({ baseUrl: origin, fetch: globalThis.fetch });
  const [uploader] = await newWriter(client);
  const [mallory, identity, seed] = await newWriter(client);
  const named = await newAccount(client);
  const guarded = await newAccount(client);
  await confirmFactor(origin, guarded.account);
  const stolen = await newAccount(client);
  await keepEscrow(origin, stolen.account);
  makeOld(server.dataDir, stolen.account);
  const signsIn = await newAccount(client);
  const link = await newShare(uploader);
  return {
    honest: {
      keys: await client.attestationKeys(),
      uploader,
      signsIn: signsIn.login,
      blobPath: link,
    },
    victim: {
      origin,
      domain: DOMAIN,
      mallory: {
        token: mallory.tokens().access_token,
        userId: mallory.userId,
        seed: toBase64(seed),
        albumIds: await nameOn(origin, mallory, identity, {
          member: named.account.userId,
          albums,
        }),
        uploadId: await openUpload(mallory),
      },
      named: {
        token: named.account.tokens().access_token,
        userId: named.account.userId,
      },
      guarded: guarded.login,
      probed: (await newAccount(client)).login.address,
      stolen: stolen.account.tokens().access_token,
      opaqueId: await protectedOf(uploader),
    },
  };
}

async function newAccount(client: Client) {
  const login = {
    address: `${toBase64Url(randomBytes(9))}@${DOMAIN}`,
    password: toBase64Url(randomBytes(24)),
  };
  return {
    login,
    account: await client.register(login.address, login.password),
  };
}

/** An account that may write. */
export async function newWriter(
  client: Client,
): Promise<[Account, Identity, Uint8Array]> {
  const seed = randomBytes(32);
  const identity = await openIdentity(seed, nativePrimitives);
  const { account } = await newAccount(client);
  const now = toRfc3339(Date.now());
  const directory = await signDirectory(identity.signer, {
    user_id: account.userId,
    server_id: (await client.serverInfo()).server_id,
    directory_version: 1,
    sealing_key: await identity.sealing.publicKey(),
    devices: [],
    signed_at: now,
  });
  await account.publishDirectory(directory, identity.signer.publicKey);
  return [account, identity, seed];
}

/** Shares a new blob; returns the path under which anybody reads it. */
async function newShare(account: Account): Promise<string> {
  const bytes = newBlob();
  const original = originalOf(account, {
    size: bytes.length,
    hash: sha256Hex(bytes),
  });
  await uploadBlob(account, original, sourceOf(bytes));
  return await shareOriginal({ account }, original);
}

async function protectedOf(account: Account): Promise<string> {
  const opaqueId = sha256Hex(randomBytes(32)).slice(0, 32);
  const metadataHash = sha256Hex(randomBytes(32));
  await account.issueShare({
    opaqueId,
    metadataHash,
    serves: [metadataHash],
    wrappedSecret: randomBytes(100),
  });
  return opaqueId;
}

async function openUpload(account: Account): Promise<string> {
  const { upload_id: uploadId } = await account.createUpload(
    originalOf(account, {
      size: 1024 ** 3,
      hash: sha256Hex(randomBytes(32)),
    }, uuidV4(randomBytes)),
  );
  return uploadId;
}

/** Adds a person to so many new albums. Returns the albums' ids. */
async function nameOn(
  origin: string,
  owner: Account,
  identity: Identity,
  { member, albums }: { member: string; albums: number },
): Promise<string[]> {
  const albumIds = Array.from(
    { length: albums },
    (_, n) => identity.albumId(n),
  );
  for (const albumId of albumIds) {
    await owner.provisionAlbum(albumId);
    await publish(origin, owner.tokens().access_token, {
      albumId,
      roster: await rosterOf(identity, {
        albumId,
        owner: owner.userId,
        member,
        version: 1,
      }),
    });
  }
  return albumIds;
}

/** A roster with one member. */
export function rosterOf(
  identity: Identity,
  { albumId, owner, member, version }: {
    readonly albumId: string;
    readonly owner: string;
    readonly member: string;
    readonly version: number;
  },
): Promise<Uint8Array> {
  return signRoster(identity.signer, {
    album_id: albumId,
    owner,
    roster_version: version,
    amk_epoch: 0,
    amk_commitment: randomBytes(32),
    members: [{
      member,
      role: "viewer",
      wrapped_amk: randomBytes(1_168),
      sealed_to: randomBytes(32),
    }],
    signed_at: toRfc3339(Date.now()),
  });
}

async function publish(
  origin: string,
  token: string,
  { albumId, roster }: { albumId: string; roster: Uint8Array },
): Promise<void> {
  await call(origin, token, "PUT", `/v1/albums/${albumId}/roster`, {
    roster_cbor: toBase64(roster),
  });
}

async function confirmFactor(origin: string, account: Account): Promise<void> {
  const token = account.tokens().access_token;
  const enrolled = await call(origin, token, "POST", "/v1/auth/totp/enroll");
  const { secret } = z.object({ secret: z.string() }).parse(
    await enrolled.json(),
  );
  const bytes = new Uint8Array(Secret.fromBase32(secret).buffer);
  await call(origin, token, "POST", "/v1/auth/totp/verify-enrollment", {
    code: totpCode(bytes, Date.now()),
  });
}

/** A first one wants no recent password; one in its place does. */
async function keepEscrow(origin: string, account: Account): Promise<void> {
  const answer = await fetch(`${origin}/v1/auth/escrow`, {
    method: "PUT",
    headers: {
      "X-Service-Protocol": PROTOCOL_MAX,
      "X-Service-Crypto-Suite": "1",
      "Content-Type": "application/octet-stream",
      Authorization: `Bearer ${account.tokens().access_token}`,
    },
    body: randomBytes(200),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`status ${answer.status} of an escrow`);
}

/** Has a session's presentation of a password be long ago. */
function makeOld(dataDir: string, account: Account): void {
  const file = join(dataDir, "db", "strongroom.sqlite");
  using db = new DatabaseSync(file, { timeout: 5_000 });
  db.prepare("update session set presented_at = 0 where user_id = ?")
    .run(account.userId);
}

async function call(
  origin: string,
  token: string,
  method: string,
  path: string,
  json?: unknown,
): Promise<Response> {
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: {
      "X-Service-Protocol": PROTOCOL_MAX,
      "X-Service-Crypto-Suite": "1",
      Authorization: `Bearer ${token}`,
      ...(json === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (answer.ok) return answer;
  throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}
