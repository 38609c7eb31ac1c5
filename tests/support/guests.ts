/**
 * Upload links in tests: what their owners issue and what guests send.
 *
 * @module
 */
import { toBase64 } from "../../src/core/bytes.ts";
import {
  type Sender,
  type SendOptions,
  START_MS,
  type TestApp,
} from "./app.ts";
import { expectEmpty, expectJson, type Json } from "./expect.ts";
import {
  ciphertext,
  hashOf,
  type Person,
  registerWriter,
  uploadRequest,
} from "./people.ts";
import { opaqueId, withFaultlessApp } from "./api.ts";

const DAY = 24 * 3_600_000;
const OCTETS = "application/octet-stream";
export const RECIPIENT_KEY = toBase64(ciphertext("recipient", 1_216));
export const SEALED_METADATA = toBase64(ciphertext("sealed metadata", 200));

/** An instant of a test, so long after its begin (ms). */
export function after(ms: number): string {
  return new Date(START_MS + ms).toISOString();
}

/** An issue-upload-link body, with nothing that may be left out. */
export function linkRequest(word: string, over: Json = {}): Json {
  return {
    opaque_id: opaqueId(word),
    recipient_key: RECIPIENT_KEY,
    expires_at: after(30 * DAY),
    max_bytes: 1_000_000,
    max_files: 100,
    ...over,
  };
}

export function postLink(
  app: Sender,
  person: Person,
  json: Json,
): Promise<Response> {
  return app.send("POST", "/v1/upload-links", { token: person.token, json });
}

/** Issues an upload link; returns its opaque id. */
export async function issueLink(
  app: Sender,
  person: Person,
  word: string,
  over: Json = {},
): Promise<string> {
  const issued = await expectJson(
    await postLink(app, person, linkRequest(word, over)),
    201,
  );
  return issued.opaque_id;
}

export function revokeLink(
  app: TestApp,
  person: Person,
  link: string,
): Promise<Response> {
  return app.send("DELETE", `/v1/upload-links/${link}`, {
    token: person.token,
  });
}

/** The caller's upload links. */
export async function listLinks(app: TestApp, person: Person): Promise<Json[]> {
  const { upload_links } = await expectJson(
    await app.send("GET", "/v1/upload-links", { token: person.token }),
    200,
  );
  return upload_links;
}

/** Sends a guest's request, without handshake and credential. */
export function asGuest(
  app: Sender,
  method: string,
  path: string,
  sent: SendOptions = {},
): Promise<Response> {
  return app.send(method, `/u/${path}`, { protocol: null, ...sent });
}

/** What a guest is told of a link. */
export async function viewLink(app: Sender, link: string): Promise<Json> {
  return await expectJson(await asGuest(app, "GET", link), 200);
}

/** A guest's create-upload body. */
export function guestRequest(bytes: Uint8Array, over: Json = {}): Json {
  return {
    ciphertext_hash: hashOf(bytes),
    size: bytes.length,
    sealed_metadata: SEALED_METADATA,
    ...over,
  };
}

export function postUpload(
  app: Sender,
  link: string,
  bytes: Uint8Array,
  over: Json = {},
  from?: string,
): Promise<Response> {
  return asGuest(app, "POST", `${link}/uploads`, {
    json: guestRequest(bytes, over),
    ...(from === undefined ? {} : { from }),
  });
}

/** Opens a guest's session; returns its wire form. */
export async function createGuestUpload(
  app: Sender,
  link: string,
  bytes: Uint8Array,
  over: Json = {},
): Promise<Json> {
  return await expectJson(await postUpload(app, link, bytes, over), 201);
}

/** The path of a session, `/u/` apart. */
export function sessionPath(link: string, id: string): string {
  return `${link}/uploads/${id}`;
}

export function patchGuest(
  app: Sender,
  link: string,
  id: string,
  offset: number,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<Response> {
  return asGuest(app, "PATCH", sessionPath(link, id), {
    headers: {
      "Content-Type": "application/offset+octet-stream",
      "Upload-Offset": String(offset),
      ...headers,
    },
    body,
  });
}

export function putGuest(
  app: Sender,
  link: string,
  id: string,
  body: BodyInit,
): Promise<Response> {
  return asGuest(app, "PUT", sessionPath(link, id), {
    headers: { "Content-Type": OCTETS },
    body,
  });
}

export function finalizeGuest(
  app: Sender,
  link: string,
  id: string,
): Promise<Response> {
  return asGuest(app, "POST", `${sessionPath(link, id)}/finalize`);
}

/** Leaves a contribution; returns the answer of the PUT. */
export async function contribute(
  app: Sender,
  link: string,
  bytes: Uint8Array<ArrayBuffer>,
  over: Json = {},
): Promise<Json> {
  const { upload_id } = await createGuestUpload(app, link, bytes, over);
  return await expectJson(await putGuest(app, link, upload_id, bytes), 200);
}

/** The contributions of a link, as its owner sees them. */
export async function listContributions(
  app: TestApp,
  person: Person,
  link: string,
): Promise<Json[]> {
  const { contributions } = await expectJson(
    await app.send("GET", `/v1/upload-links/${link}/contributions`, {
      token: person.token,
    }),
    200,
  );
  return contributions;
}

/** Sends a request about one contribution. */
export function onContribution(
  app: TestApp,
  person: Person,
  method: string,
  link: string,
  id: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const blob = method === "DELETE" ? "" : "/blob";
  const path = `/v1/upload-links/${link}/contributions/${id}${blob}`;
  return app.send(method, path, { token: person.token, headers });
}

/** Adopts a contribution of these bytes. */
export function adopt(
  app: TestApp,
  person: Person,
  bytes: Uint8Array,
  adopts: Json,
  over: NonNullable<Parameters<typeof uploadRequest>[2]> = {},
): Promise<Response> {
  const request = { adopts, ...over.request };
  return app.send("POST", "/v1/upload", {
    token: person.token,
    json: uploadRequest(person, bytes, { ...over, request }),
  });
}

/** What an account's room is taken by. */
export async function usageOf(app: TestApp, person: Person): Promise<Json> {
  const row = await app.app.db.selectFrom("usage")
    .select(["used_bytes", "reserved_bytes", "open_uploads"])
    .where("user_id", "=", person.userId as Json)
    .executeTakeFirst();
  return { ...row };
}

/** An owner with a link, and a guest's open session under it. */
interface GuestStory {
  readonly app: TestApp;
  readonly owner: Person;
  readonly link: string;
  readonly id: string;
}

/** What the session of {@link withGuest} waits for. */
export const GUEST_BYTES = ciphertext("guest bytes", 1_000);

/** Runs a test over one open session, without a fault of the server's own. */
export async function withGuest(
  test: (story: GuestStory) => Promise<void>,
): Promise<void> {
  await withFaultlessApp(async (app) => {
    const owner = await registerWriter(app, "ada");
    const link = await issueLink(app, owner, "link");
    const { upload_id } = await createGuestUpload(app, link, GUEST_BYTES);
    await test({ app, owner, link, id: upload_id });
  });
}

/** The bytes that a guest's session holds, as tus tells them. */
export async function guestOffset(
  app: TestApp,
  link: string,
  id: string,
): Promise<number> {
  const response = await asGuest(app, "HEAD", sessionPath(link, id));
  await expectEmpty(response, 200);
  return Number(response.headers.get("upload-offset"));
}

/** A link with one contribution of {@link GUEST_BYTES}. */
interface Given {
  readonly app: TestApp;
  readonly ada: Person;
  readonly link: string;
  /** The contribution's `upload_id`. */
  readonly id: string;
  readonly receipt: Json;
}

/** Runs a test over one contribution, without a fault of the server's own. */
export async function withContribution(
  test: (given: Given) => Promise<void>,
): Promise<void> {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link");
    const { upload_id: id, receipt } = await contribute(app, link, GUEST_BYTES);
    await test({ app, ada, link, id, receipt });
  });
}
