/**
 * Notices on their way: SMTP by nodemailer, ntfy and webhooks by the platform's
 * network. What a fault says names no secret, for people read it.
 *
 * @module
 */
import { createHmac } from "node:crypto";
import { createTransport } from "nodemailer";
import type {
  MailTarget,
  NtfyTarget,
  WebhookTarget,
} from "../core/notify_settings.ts";
import type { Platform } from "../core/platform.ts";
import { SECOND_MS, toRfc3339 } from "../core/time.ts";
import {
  type Deliver,
  DeliveryFault,
  type Message,
} from "../features/notices/notices.ts";

/** A target has so long for each step of a delivery (ms). */
const PATIENCE_MS = 20 * SECOND_MS;

/** Sends a message to whatever kind of target. */
export function delivering({ fetch }: Pick<Platform, "fetch">): Deliver {
  return async (target, message) => {
    switch (target.kind) {
      case "smtp":
        return await mail(target, message);
      case "ntfy":
        return await post(fetch, target.url, ...ntfyOf(target, message));
      case "webhook":
        return await post(fetch, target.url, ...webhookOf(target, message));
    }
  };
}

async function mail(
  target: MailTarget,
  message: Message,
  authMethod?: "LOGIN",
): Promise<void> {
  const transport = createTransport({
    host: target.host,
    port: target.port,
    secure: target.isSecure,
    requireTLS: target.requiresTls,
    // The name of this machine is private.
    name: "[127.0.0.1]",
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...authMethod === undefined ? {} : { authMethod },
    ...target.user === undefined ? {} : {
      auth: { user: target.user, pass: target.password ?? "" },
    },
  });
  // As objects, so that nothing in an address is read as a list.
  const to = message.to === undefined ? target.to : [message.to];
  try {
    await transport.sendMail({
      from: { name: "strongroom", address: target.from },
      to: to.map((address) => ({ name: "", address })),
      subject: message.subject,
      text: message.text,
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } catch (cause) {
    // Some offer PLAIN and take LOGIN alone.
    const isRefused = (cause as { readonly code?: unknown }).code === "EAUTH";
    if (isRefused && authMethod === undefined) {
      return await mail(target, message, "LOGIN");
    }
    throw new DeliveryFault(mailFault(cause), { cause });
  } finally {
    transport.close();
  }
}

/** The server's own words may repeat what was sent: its number is enough. */
function mailFault(cause: unknown): string {
  const { code, responseCode } = cause as {
    readonly code?: unknown;
    readonly responseCode?: unknown;
  };
  if (typeof responseCode === "number") {
    return `the mail server answered ${responseCode}` +
      (code === "EAUTH" ? " to the user and password" : "");
  }
  switch (code) {
    case "ETLS":
      return "the mail server offers no TLS that is to be trusted; where it " +
        "is on a network of your own, tls=off does without";
    case "EAUTH":
      return "the mail server takes no user and password like these";
    default:
      return "the mail server does not answer";
  }
}

type Sent = readonly [body: string, headers: Record<string, string>];

function ntfyOf(target: NtfyTarget, message: Message): Sent {
  const { notice } = message;
  const isTrouble = notice?.state === "began" || notice?.state === "goes_on";
  return [message.text, {
    "Content-Type": "text/plain; charset=utf-8",
    // Titles here are plain ASCII.
    "Title": message.subject,
    "Priority": isTrouble ? "high" : "default",
    "Tags": isTrouble ? "warning" : "white_check_mark",
    ...target.authorization === undefined
      ? {}
      : { "Authorization": target.authorization },
  }];
}

function webhookOf(target: WebhookTarget, message: Message): Sent {
  const { notice } = message;
  const body = JSON.stringify({
    version: 1,
    server_id: notice?.serverId,
    event: notice?.event,
    state: notice?.state,
    since: notice && toRfc3339(notice.since),
    at: notice && toRfc3339(notice.at),
    facts: notice?.facts,
    title: message.subject,
    text: message.text,
  });
  if (target.secret === undefined) {
    return [body, { "Content-Type": "application/json" }];
  }
  const mac = createHmac("sha256", target.secret).update(body).digest("hex");
  return [body, {
    "Content-Type": "application/json",
    "X-Strongroom-Signature": `sha256=${mac}`,
  }];
}

async function post(
  fetch: Platform["fetch"],
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<void> {
  let status: number;
  try {
    const answer = await fetch(url, {
      method: "POST",
      body,
      headers: { "User-Agent": "strongroom", ...headers },
      // Elsewhere is not where the operator wanted it.
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    status = answer.status;
    await answer.body?.cancel();
  } catch (cause) {
    throw new DeliveryFault("it does not answer", { cause });
  }
  if (status < 200 || status > 299) {
    throw new DeliveryFault(`it answered ${status}`);
  }
}
