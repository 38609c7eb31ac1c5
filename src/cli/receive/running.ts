/**
 * What the commands of `strongroom receive` do.
 *
 * @module
 */
import { join } from "node:path";
import {
  type NotifyTarget,
  readNotifyTargets,
} from "../../core/notify_settings.ts";
import { OperatorFault } from "../../core/operator.ts";
import { reasonOf } from "../../core/reason.ts";
import { bytesInWords, counted, readBytes } from "../../core/sizes.ts";
import { DAY_MS, readTime, SECOND_MS, toRfc3339 } from "../../core/time.ts";
import { VERSION } from "../../core/version.ts";
import { openUploadLink } from "../../library/sharing/guest_delivery.ts";
import type { LibraryPlatform } from "../../library/base/platform.ts";
import { nativePrimitives } from "../../client/keys/native.ts";
import { parseTrusted } from "../../http/client_address.ts";
import {
  type CertifiedKey,
  openCertificateFiles,
} from "../../server/tls/certificate.ts";
import { OWN_PROCESS } from "../../server/host.ts";
import type { CommandContext } from "../verb.ts";
import { complaintOf } from "../person/faults.ts";
import { stateHome } from "../person/account/user_folders.ts";
import { qrCodeOf } from "../person/sharing/qr_code.ts";
import { SAFE_TO_DELETE } from "../person/files/sum_lines.ts";
import { Terminal } from "../person/terminal.ts";
import { printable, printableJson } from "../phrasing.ts";
import { deviceKeys, newPassword, safeKeyOf } from "./device_keys.ts";
import { readSafeList } from "./safe_list.ts";
import { placeOf, type Serving, startReceive } from "./serving.ts";
import { silentDays, silentDevices } from "./silence.ts";
import { Spool } from "./spool.ts";
import type { Device, WaitingFiles } from "./spool_schema.ts";

/** The options of every command. */
export interface SpoolOptions {
  readonly spool?: string;
  readonly json?: true;
}

/** The options of `receive link`. */
export interface LinkOptions extends SpoolOptions {
  readonly to: string;
  readonly passphraseFile?: string;
}

/** The options of `receive add`. */
export interface AddOptions extends LinkOptions {
  readonly qr?: true;
}

/** The options of `receive` itself. */
export interface ServeOptions {
  readonly spool?: string;
  readonly listen: string;
  readonly sftp?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly address?: string;
  readonly trustedProxies?: string;
  readonly proxyHeader: string;
  readonly maxFile: string;
  readonly maxWaiting: string;
  readonly keepFree: string;
}

/** Names of one telephone, and files of one at a time. */
const MOST_ENTRIES = 200_000;
const MOST_AT_ONCE = 8;
/** The certificate's files are looked at this often. */
const LOOK_EVERY_MS = 60 * SECOND_MS;
/** An upload link that ends so soon is worth a word. */
const ENDING_MS = 14 * DAY_MS;

/** Serves telephones until a signal. */
export async function serveTelephones(
  options: ServeOptions,
  context: CommandContext,
): Promise<void> {
  await spoken(context, undefined, async () => {
    const { host = OWN_PROCESS, platform, say, warn } = context;
    const { log } = platform;
    const signals = host.signals(log);
    const ending = new AbortController();
    const { proxyHeader: header } = options;
    if (header !== "x-forwarded-for" && header !== "forwarded") {
      throw new OperatorFault(
        "--proxy-header is x-forwarded-for or forwarded",
      );
    }
    const certificateOf = certificateSource(options);
    const first = await certificateOf?.();
    const running = await startReceive(
      {
        spool: spoolOf(options, context),
        ...placeOf(options.listen),
        ...options.sftp === undefined
          ? {}
          : { sftp: placeOf(options.sftp, "--sftp") },
        certificate: first,
        trusted: trustedOf(options.trustedProxies),
        header,
        address: addressOf(options.address),
        ...await notifyOf(context),
        limits: {
          fileBytes: sizeOf(options.maxFile, "--max-file"),
          spoolBytes: sizeOf(options.maxWaiting, "--max-waiting"),
          freeBytes: sizeOf(options.keepFree, "--keep-free"),
          entries: MOST_ENTRIES,
          atOnce: MOST_AT_ONCE,
        },
      },
      platformOf(context, ending.signal),
      { say, warn, log },
    );
    say(`serving ${running.url}`);
    const renewing = renew();
    async function renew() {
      let held = first;
      while (certificateOf !== undefined) {
        await platform.sleep(LOOK_EVERY_MS, ending.signal);
        if (ending.signal.aborted) return;
        try {
          const next = await certificateOf();
          const isSame = next.cert === held?.cert && next.key === held.key;
          if (!isSame) await running.renew(next);
          held = next;
        } catch (error) {
          warn(reasonOf(error));
        }
      }
    }
    await signals.stop;
    ending.abort();
    await Promise.all([running.stop(), renewing]);
  });
}

/** Where the certificate comes from, now and later; undefined for plain http. */
function certificateSource(
  { tlsCert: cert, tlsKey: key }: ServeOptions,
): (() => Promise<CertifiedKey>) | undefined {
  if ((cert === undefined) !== (key === undefined)) {
    throw new OperatorFault("--tls-cert and --tls-key go together");
  }
  if (cert === undefined || key === undefined) return undefined;
  return () =>
    Promise.resolve(
      openCertificateFiles({ cert, key }, "--tls-cert, --tls-key"),
    );
}

/** Lets a telephone send. */
export async function addTelephone(
  title: string,
  options: AddOptions,
  context: CommandContext,
): Promise<void> {
  await spoken(context, options, async (tell) => {
    const { platform } = context;
    const name = nameOf(title);
    using spool = await Spool.open(spoolOf(options, context));
    const link = await linkOf(options, context);
    const password = newPassword(platform.random);
    const salt = platform.random(16);
    const keys = deviceKeys(password, salt);
    const isNew = spool.addDevice({
      name,
      title: title.normalize("NFC"),
      origin: link.origin,
      opaque_id: link.opaqueId,
      recipient_key: link.recipientKey,
      binding: link.binding,
      expires_at: link.expiresAt,
      salt,
      verifier: keys.verifier,
      safe_key: safeKeyOf(keys),
      created_at: platform.now(),
    });
    if (!isNew) {
      throw new OperatorFault(
        `there is already a phone ${name}: choose another name, or run ` +
          `\`strongroom receive rm ${name}\` first`,
      );
    }
    const address = spool.fact("address");
    const sftp = spool.fact("sftp") || undefined;
    const sftpKey = spool.fact("sftp_key") || undefined;
    tell(
      {
        event: "added",
        name,
        password,
        address,
        ...sftp === undefined ? {} : { sftp, sftp_key: sftpKey },
        link_expires_at: link.expiresAt,
      },
      [
        `address   ${address ?? "(start `strongroom receive` first)"}`,
        ...sftp === undefined
          ? []
          : [`or sftp   ${sftp}, whose key is ${sftpKey}`],
        `name      ${name}`,
        `password  ${password}`,
        "",
        "The password is shown only now. It cannot open anything that was " +
        "sent.",
        `The upload link ends at ${link.expiresAt}.`,
      ].join("\n"),
    );
    if (options.qr && address !== undefined) {
      const url = new URL(address);
      url.username = name;
      url.password = password;
      context.warn("the code contains the password:");
      context.say(qrCodeOf(url.href));
    }
  });
}

/** Seals what a telephone sends to another link. */
export async function relinkTelephone(
  name: string,
  options: LinkOptions,
  context: CommandContext,
): Promise<void> {
  await spoken(context, options, async (tell) => {
    using spool = await Spool.open(spoolOf(options, context));
    if (spool.device(name) === undefined) throw noSuch(name);
    const link = await linkOf(options, context);
    spool.relink(name, {
      origin: link.origin,
      opaque_id: link.opaqueId,
      recipient_key: link.recipientKey,
      binding: link.binding,
      expires_at: link.expiresAt,
    });
    tell(
      { event: "linked", name, link_expires_at: link.expiresAt },
      `${name} sends through the new link until ${link.expiresAt}`,
    );
  });
}

/** Shows a telephone in its own folder what is proven to be kept. */
export async function tellSafe(
  name: string,
  file: string,
  options: SpoolOptions,
  context: CommandContext,
): Promise<void> {
  await spoken(context, options, async (tell) => {
    const list = await readSafeList(file);
    using spool = await Spool.open(spoolOf(options, context));
    const device = spool.device(name);
    if (device === undefined) throw noSuch(name);
    const random = (length: number) =>
      new Uint8Array(context.platform.random(length));
    const sealed = list.seal(device.safe_key, name, random);
    spool.keepSafe(name, sealed, list.lookedAt);
    tell(
      {
        event: "safe_to_delete",
        name,
        files: list.size,
        looked_at: toRfc3339(list.lookedAt),
      },
      `${name} now finds ${SAFE_TO_DELETE} in its folder: those of its files ` +
        `that are among the ${counted(list.size, "file")} of the list`,
    );
  });
}

/** Lists the telephones. */
export async function listTelephones(
  options: SpoolOptions,
  context: CommandContext,
): Promise<void> {
  await spoken(context, options, async (tell) => {
    using spool = await Spool.open(spoolOf(options, context));
    for (const device of spool.devices()) {
      const { name, title, created_at: at, expires_at: until } = device;
      tell(
        {
          event: "telephone",
          name,
          title,
          created_at: toRfc3339(at),
          link_expires_at: until,
        },
        `${name.padEnd(24)}  ${printable(title)}  since ${day(at)}, link ` +
          `until ${until.slice(0, 10)}`,
      );
    }
  });
}

/** Ends a telephone's password. */
export async function removeTelephone(
  name: string,
  options: SpoolOptions,
  context: CommandContext,
): Promise<void> {
  await spoken(context, options, async (tell) => {
    using spool = await Spool.open(spoolOf(options, context));
    if (!spool.removeDevice(name)) throw noSuch(name);
    tell(
      { event: "removed", name },
      `${name} can no longer send; what it sent is still delivered`,
    );
  });
}

/** Tells what came and what waits. */
export async function tellStatus(
  options: SpoolOptions,
  context: CommandContext,
): Promise<void> {
  await spoken(context, options, async (tell) => {
    const now = context.platform.now();
    using spool = await Spool.open(spoolOf(options, context));
    const waiting = new Map(
      spool.waiting().map((one) => [one.device, one]),
    );
    const devices = spool.devices();
    const faults: string[] = [];
    for (const device of devices) {
      const waits = waiting.get(device.name);
      waiting.delete(device.name);
      const concerns = concernsOf(device, spool, now);
      faults.push(...concerns);
      tell(
        {
          event: "telephone",
          name: device.name,
          title: device.title,
          seen_at: timeOf(device.seen_at),
          received_at: timeOf(device.received_at),
          received: device.received,
          delivered_at: timeOf(device.delivered_at),
          delivered: device.delivered,
          ...waitingOf(waits),
          link_expires_at: device.expires_at,
          concerns,
        },
        [
          `${device.name}  ${printable(device.title)}`,
          `  last seen           ${ago(device.seen_at, now)}`,
          `  last file received  ${ago(device.received_at, now)} (${
            counted(device.received, "file")
          } in all)`,
          `  waits here          ${
            waits === undefined ? "nothing" : wait(waits, now)
          }`,
          ...concerns.map((concern) => `  ! ${concern}`),
        ].join("\n"),
      );
    }
    // Of telephones that were removed.
    for (const waits of waiting.values()) {
      tell(
        { event: "removed_telephone", name: waits.device, ...waitingOf(waits) },
        `${waits.device}  (removed)\n  waits here          ${wait(waits, now)}`,
      );
    }
    const stuck = [...spool.waiting()].filter((one) => one.stuck > 0);
    for (const { device, stuck: count, fault } of stuck) {
      faults.push(
        `${counted(count, "file")} of ${device} cannot be delivered: ${fault}`,
      );
    }
    const delivery = spool.fact("delivery") ?? "";
    if (delivery !== "") faults.push(delivery);
    tell(
      { event: "end", status: 0, delivery: delivery === "" ? "ok" : delivery },
      delivery === "" ? "" : `! ${delivery}`,
    );
    if (faults.length > 0) context.endWith(FAULTS);
  });
}

/** The exit status if something needs attention. */
const FAULTS = 3;

function concernsOf(device: Device, spool: Spool, now: number): string[] {
  const { expires_at: until } = device;
  const left = (readTime(until) ?? 0) - now;
  const days = Math.floor(left / DAY_MS);
  const renew = "make a new one with `strongroom request --mine`, and run " +
    `\`strongroom receive link ${device.name}\``;
  return [
    ...left <= 0 || spool.isEnded(device)
      ? [`its upload link has ended, so nothing is accepted: ${renew}`]
      : left < ENDING_MS
      ? [`its upload link ends in ${counted(days, "day")}: ${renew}`]
      : [],
    ...silentDevices([device], now).map((silent) =>
      `nothing has arrived for ${counted(silentDays(silent, now), "day")}`
    ),
  ];
}

function waitingOf(waits: WaitingFiles | undefined) {
  return {
    waiting: waits?.files ?? 0,
    waiting_bytes: waits?.bytes ?? 0,
    ...(waits && { waiting_since: toRfc3339(waits.oldest) }),
  };
}

function wait({ files, bytes, oldest }: WaitingFiles, now: number): string {
  return `${counted(files, "file")} (${bytesInWords(bytes)}), the oldest ` +
    `since ${ago(oldest, now)}`;
}

function timeOf(at: number | null): string | null {
  return at === null ? null : toRfc3339(at);
}

function day(at: number): string {
  return toRfc3339(at).slice(0, 10);
}

function ago(at: number | null, now: number): string {
  if (at === null) return "never";
  const minutes = Math.max(0, Math.floor((now - at) / (60 * SECOND_MS)));
  if (minutes < 60) return `${counted(minutes, "minute")} ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${counted(hours, "hour")} ago`;
  return `${counted(Math.floor(hours / 24), "day")} ago`;
}

type Tell = (event: Readonly<Record<string, unknown>>, line: string) => void;

/** Runs a command; what it is refused for is said in a line. */
async function spoken(
  context: CommandContext,
  options: SpoolOptions | undefined,
  work: (tell: Tell) => Promise<void>,
): Promise<void> {
  const isJson = options?.json === true;
  try {
    await work((event, line) => {
      if (isJson) context.say(printableJson(event));
      else if (line !== "") context.say(line);
    });
  } catch (error) {
    const complaint = complaintOf(error);
    if (complaint === undefined) throw error;
    const { text, status } = complaint;
    if (isJson) context.say(printableJson({ event: "end", status, text }));
    context.warn(printable(text));
    context.endWith(status);
  }
}

async function linkOf(options: LinkOptions, context: CommandContext) {
  const { passphraseFile: file, to } = options;
  const passphrase = file === undefined
    ? undefined
    : await new Terminal(context.streams, undefined).lineOf(
      file,
      "the passphrase",
    );
  const platform = platformOf(context, new AbortController().signal);
  return await openUploadLink(platform, to, passphrase);
}

function platformOf(
  { platform }: CommandContext,
  signal: AbortSignal,
): LibraryPlatform {
  return {
    fetch: (input, init) => platform.fetch(input, init),
    now: platform.now,
    random: platform.random,
    wait: (ms) => platform.sleep(ms, signal),
    clientVersion: `strongroom-receive/${VERSION}`,
    primitives: nativePrimitives,
  };
}

function spoolOf(
  { spool }: { readonly spool?: string },
  { environment }: CommandContext,
): string {
  if (spool !== undefined) return spool;
  const variable = (name: string) =>
    environment === undefined ? Deno.env.get(name) : environment[name];
  return join(stateHome(variable), "strongroom-receive");
}

/** A telephone's name as it is typed into one. */
function nameOf(title: string): string {
  const name = title.normalize("NFKD").toLowerCase()
    .replace(/[\u0300-\u036f'’]/g, "").replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "").slice(0, 32);
  if (name !== "" && [...title].length <= 100) return name;
  throw new OperatorFault(
    "a phone's name has 1 to 100 characters, some of them letters or " +
      "digits",
  );
}

function noSuch(name: string): OperatorFault {
  return new OperatorFault(
    `there is no phone ${printable(name)}: see \`strongroom receive ls\``,
  );
}

function sizeOf(text: string, option: string): number {
  const bytes = readBytes(text);
  if (bytes !== undefined) return bytes;
  throw new OperatorFault(`${option} is a size such as 2GiB`);
}

function trustedOf(text = "") {
  try {
    return parseTrusted(
      text.split(",").map((part) => part.trim()).filter((part) => part !== ""),
    );
  } catch (error) {
    throw new OperatorFault(`--trusted-proxies: ${reasonOf(error)}`);
  }
}

/** Who is told; the same setting as the server's. */
async function notifyOf(
  { environment, platform }: CommandContext,
): Promise<Pick<Serving, "notify">> {
  const setting = "STRONGROOM_NOTIFY";
  const text = environment === undefined
    ? Deno.env.get(setting)
    : environment[setting];
  let targets: readonly NotifyTarget[];
  try {
    targets = readNotifyTargets(text ?? "");
  } catch (error) {
    throw new OperatorFault(`${setting} ${reasonOf(error)}`);
  }
  if (targets.length === 0) return {};
  // Mail is loaded for those who want to be told.
  const { delivering } = await import("../../server/deliver.ts");
  return { notify: { targets, deliver: delivering(platform) } };
}

function addressOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.href;
  throw new OperatorFault("--address is such as https://home.example.org:8473");
}
