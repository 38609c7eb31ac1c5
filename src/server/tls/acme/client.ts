/**
 * What a server says to a certificate authority (ACME, RFC 8555): an account,
 * an order for one name, its challenge, and the certificate.
 *
 * @module
 */
import { createHash, type KeyObject } from "node:crypto";
import {
  calculateJwkThumbprint,
  exportJWK,
  FlattenedSign,
  type JWK,
} from "jose";
import { z } from "zod";
import { toBase64Url, utf8 } from "../../../core/bytes.ts";
import type { Platform } from "../../../core/platform.ts";
import { MINUTE_MS, SECOND_MS } from "../../../core/time.ts";

/** An answer counts as missing after this. */
const ANSWER_MS = 30 * SECOND_MS;
/** An order is waited for this long. */
const PATIENCE_MS = 5 * MINUTE_MS;
const POLL_MS = 2 * SECOND_MS;
/** Nonces that were refused before the authority is believed to be broken. */
const NONCES = 10;
/** Bytes of an answer that are read. */
const ANSWER_BYTES = 1024 * 1024;

/** The authority refused, or said something that is no ACME. */
export class AcmeError extends Error {
  override readonly name = "AcmeError";
  constructor(
    message: string,
    /** When the authority wants to be asked again (ms); if it said so. */
    readonly retryAfterMs: number | undefined = undefined,
  ) {
    super(message);
  }
}

const directorySchema = z.object({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
});
const problemSchema = z.object({
  type: z.string().optional(),
  detail: z.string().optional(),
});
const status = z.string();
const orderSchema = z.object({
  status,
  authorizations: z.array(z.url()),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: problemSchema.optional(),
});
const authorizationSchema = z.object({
  status,
  challenges: z.array(z.object({
    type: z.string(),
    url: z.url(),
    token: z.string().regex(/^[A-Za-z0-9_-]+$/).optional(),
    status: status.optional(),
    error: problemSchema.optional(),
  })),
});

type Authorization = z.infer<typeof authorizationSchema>;

/** Where and as whom a certificate is asked for. */
interface Authority {
  /** URL of the directory. */
  readonly directory: string;
  readonly email: string | undefined;
  /** Of P-256. */
  readonly accountKey: KeyObject;
}

/** Proves to hold a name: shows a text under a token, until it is taken away. */
export interface Responder {
  readonly show: (token: string, text: string) => void;
  readonly hide: (token: string) => void;
}

/** The network, and time that passes. */
interface AcmePlatform extends Pick<Platform, "fetch" | "monotonic"> {
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Orders a certificate by the challenge http-01; the chain in PEM. Throws an
 * {@link AcmeError}, and whatever the network throws.
 */
export async function orderCertificate(
  authority: Authority,
  { name, csr, responder }: {
    readonly name: string;
    readonly csr: Uint8Array;
    readonly responder: Responder;
  },
  platform: AcmePlatform,
): Promise<string> {
  const talk = await openTalk(authority, platform);
  const { location, body } = await talk.post(talk.directory.newOrder, {
    identifiers: [{ type: "dns", value: name }],
  });
  if (location === null) throw new AcmeError("the order has no address");
  let order = read(orderSchema, body);
  for (const url of order.authorizations) {
    await authorize(talk, url, responder);
  }
  order = await talk.until(
    location,
    orderSchema,
    (one) => one.status !== "pending" && one.status !== "processing",
  );
  if (order.status === "ready") {
    await talk.post(order.finalize, { csr: toBase64Url(csr) });
    order = await talk.until(
      location,
      orderSchema,
      (one) => one.status !== "ready" && one.status !== "processing",
    );
  }
  if (order.status !== "valid" || order.certificate === undefined) {
    throw new AcmeError(
      `the order is ${order.status}${said(order.error)}`,
    );
  }
  const { text } = await talk.post(order.certificate, undefined);
  if (!text.includes("-----BEGIN CERTIFICATE-----")) {
    throw new AcmeError("the answer holds no certificate");
  }
  return text;
}

type Talk = Awaited<ReturnType<typeof openTalk>>;

async function authorize(
  talk: Talk,
  url: string,
  responder: Responder,
): Promise<void> {
  const { body } = await talk.post(url, undefined);
  const asked = read(authorizationSchema, body);
  if (asked.status === "valid") return;
  const challenge = asked.challenges.find(({ type }) => type === "http-01");
  const token = challenge?.token;
  if (challenge === undefined || token === undefined) {
    throw new AcmeError("the authority offers no http-01 challenge");
  }
  responder.show(token, `${token}.${talk.thumbprint}`);
  try {
    await talk.post(challenge.url, {});
    const ended = await talk.until(
      url,
      authorizationSchema,
      (one) => one.status !== "pending",
    );
    if (ended.status !== "valid") {
      throw new AcmeError(
        `the authority did not find this server${said(faultOf(ended))}`,
      );
    }
  } finally {
    responder.hide(token);
  }
}

function faultOf({ challenges }: Authorization) {
  return challenges.find(({ error }) => error !== undefined)?.error;
}

function said(problem: z.infer<typeof problemSchema> | undefined): string {
  const text = problem?.detail ?? problem?.type;
  return text === undefined ? "" : ` (${text.slice(0, 500)})`;
}

function read<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new AcmeError("the authority answered something that is no ACME");
}

/** Signed requests with their nonces, as one account. */
async function openTalk(
  { directory: url, email, accountKey }: Authority,
  { fetch, sleep, monotonic }: AcmePlatform,
) {
  const ask = (target: string, init: RequestInit = {}) =>
    fetch(target, {
      ...init,
      redirect: "error",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  const first = await ask(url);
  if (!first.ok) throw await refusal(first);
  const directory = read(directorySchema, await jsonOf(first));
  const { kty, crv, x, y } = await exportJWK(accountKey);
  const jwk = { kty, crv, x, y } as JWK;
  let nonce: string | undefined;
  // Undefined until the authority has named it.
  const signer: { account?: string } = {};
  const freshNonce = async () => {
    const answer = await ask(directory.newNonce, { method: "HEAD" });
    const fresh = answer.headers.get("replay-nonce");
    if (fresh === null) throw new AcmeError("the authority gives no nonce");
    return fresh;
  };
  /** Undefined as content reads a resource (POST-as-GET). */
  const post = async (target: string, content: unknown) => {
    for (let left = NONCES;; left--) {
      const used = nonce ?? await freshNonce();
      nonce = undefined;
      const body = await new FlattenedSign(
        utf8(content === undefined ? "" : JSON.stringify(content)),
      ).setProtectedHeader({
        alg: "ES256",
        nonce: used,
        url: target,
        ...(signer.account === undefined ? { jwk } : { kid: signer.account }),
      }).sign(accountKey);
      const answer = await ask(target, {
        method: "POST",
        headers: { "Content-Type": "application/jose+json" },
        body: JSON.stringify(body),
      });
      nonce = answer.headers.get("replay-nonce") ?? undefined;
      if (!answer.ok) {
        const refused = await refusal(answer);
        if (refused.isNonce && left > 1) continue;
        throw refused;
      }
      const text = await textOf(answer);
      return {
        location: answer.headers.get("location"),
        retryAfterMs: retryAfterOf(answer),
        text,
        get body(): unknown {
          return parsed(text);
        },
      };
    }
  };
  const { location } = await post(directory.newAccount, {
    termsOfServiceAgreed: true,
    ...(email === undefined ? {} : { contact: [`mailto:${email}`] }),
  });
  if (location === null) throw new AcmeError("the account has no address");
  signer.account = location;
  return {
    directory,
    thumbprint: await calculateJwkThumbprint(jwk, "sha256"),
    post,
    /** Reads a resource until it is as it is wanted. */
    async until<T extends z.ZodType>(
      target: string,
      schema: T,
      isThere: (read: z.output<T>) => boolean,
    ): Promise<z.output<T>> {
      const from = monotonic();
      for (;;) {
        const answer = await post(target, undefined);
        const found = read(schema, answer.body);
        if (isThere(found)) return found;
        if (monotonic() - from > PATIENCE_MS) {
          throw new AcmeError("the authority took longer than five minutes");
        }
        await sleep(Math.min(answer.retryAfterMs ?? POLL_MS, MINUTE_MS));
      }
    },
  };
}

/** An answer that refuses, as an error. */
class Refusal extends AcmeError {
  constructor(
    message: string,
    retryAfterMs: number | undefined,
    readonly isNonce: boolean,
  ) {
    super(message, retryAfterMs);
  }
}

async function refusal(answer: Response): Promise<Refusal> {
  const text = await textOf(answer);
  let problem: z.infer<typeof problemSchema> = {};
  try {
    problem = problemSchema.parse(JSON.parse(text));
  } catch {
    // Not everything in between speaks ACME.
  }
  return new Refusal(
    `the authority answered ${answer.status}${said(problem)}`,
    retryAfterOf(answer),
    problem.type === "urn:ietf:params:acme:error:badNonce",
  );
}

function retryAfterOf(answer: Response): number | undefined {
  const text = answer.headers.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) * SECOND_MS : undefined;
}

async function textOf(answer: Response): Promise<string> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes.length > ANSWER_BYTES) throw new AcmeError("an answer too large");
  return new TextDecoder().decode(bytes);
}

async function jsonOf(answer: Response): Promise<unknown> {
  return parsed(await textOf(answer));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AcmeError("the authority answered something that is no JSON");
  }
}

/** What tells two authorities apart in a name of a file. */
export function authorityId(directory: string): string {
  return createHash("sha256").update(directory).digest("hex").slice(0, 16);
}
