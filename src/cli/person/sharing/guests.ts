/**
 * `strongroom request`, `inbox` and `send`: files of guests, from both sides.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import { reasonOf } from "../../../core/reason.ts";
import { bytesInWords, counted, readBytes } from "../../../core/sizes.ts";
import { toRfc3339 } from "../../../core/time.ts";
import {
  NoLongerWaits,
  openGuestBox,
  type Waiting,
} from "../../../library/mod.ts";
import {
  acceptPair,
  pairsAmong,
} from "../../../library/sharing/guest_pairs.ts";
import { printable } from "../../phrasing.ts";
import { acceptOwn } from "./accepting_own.ts";
import { openFile } from "../files/describing.ts";
import { complaintOf, isOfFile, STATUS } from "../faults.ts";
import { filesOf, type PassedOver } from "../files/files.ts";
import { openLocalStore } from "../local_store.ts";
import { mediaTypeOf } from "../../../media/media_types.ts";
import type { CliContext, OpenProfile } from "../cli_context.ts";
import { qrCodeOf } from "./qr_code.ts";
import { spanOf } from "../span.ts";
import { catchUp } from "../following.ts";

/** The options of `request`. */
export interface RequestOptions {
  readonly expires: string;
  readonly maxBytes: string;
  readonly maxFiles: string;
  readonly passphraseFile?: string;
  readonly qr?: true;
  /** What comes by it is accepted without asking. */
  readonly mine?: true;
}

/** Makes a link by which others send files. */
export async function request(
  cli: CliContext,
  options: RequestOptions,
): Promise<void> {
  const maxBytes = readBytes(options.maxBytes);
  const maxFiles = Number(options.maxFiles);
  if (maxBytes === undefined || !Number.isSafeInteger(maxFiles)) {
    throw new OperatorFault("--max-bytes is like 2GiB, --max-files like 100");
  }
  const passphrase = options.passphraseFile === undefined
    ? undefined
    : await cli.terminal.lineOf(options.passphraseFile, "the passphrase");
  const expiresAt = toRfc3339(cli.platform.now() + spanOf(options.expires));
  const { url, opaqueId } = await cli.library.request({
    expiresAt,
    maxBytes,
    maxFiles,
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(options.mine ? { mine: true } : {}),
  });
  cli.warn(
    options.mine
      ? "your devices accept everything sent through this link until " +
        `${expiresAt} without asking: keep it to yourself`
      : `anyone who has this link can send you files until ${expiresAt}:`,
  );
  if (options.qr) cli.show(qrCodeOf(url));
  cli.tell(
    { event: "requested", id: opaqueId, url, expires_at: expiresAt },
    url,
  );
}

/**
 * Ids of uploads begin with their time, which neighbours share: ends differ.
 */
const SHOWN = 8;

/** What guests have sent, not looked at yet. */
export async function inbox(cli: CliContext): Promise<void> {
  const waiting = await cli.library.inbox();
  for (const { opaqueId, uploadId, size, receivedAt, file } of waiting) {
    cli.tell(
      {
        event: "waiting",
        link: opaqueId,
        id: uploadId,
        size,
        received_at: receivedAt,
        name: file?.name,
        mime: file?.mime,
      },
      [
        uploadId.slice(-SHOWN),
        receivedAt.slice(0, 16).replace("T", " "),
        bytesInWords(size).padStart(9),
        printable(file?.name ?? "(cannot be opened)"),
      ].join("  "),
    );
  }
  cli.tell(
    { event: "end", status: 0, count: waiting.length },
    counted(waiting.length, "file"),
  );
}

/** Takes what guests sent into the library, or gives it up. */
export async function decide(
  cli: CliContext,
  given: readonly string[],
  decision: "accept" | "refuse",
): Promise<void> {
  // What was being accepted when a command was killed is finished first.
  await catchUp(cli);
  if (decision === "accept" && given.length === 1 && given[0] === "mine") {
    const { failed } = await acceptOwn(cli);
    if (failed > 0) cli.endWith(STATUS.someFailed);
    return;
  }
  const waiting = await cli.library.inbox();
  for (const one of given) {
    const meant = waiting.filter(({ uploadId }) =>
      one === "all" || uploadId === one ||
      (one.length >= 4 && uploadId.endsWith(one))
    );
    if (one === "all" && meant.length === 0) {
      cli.tell({ event: "end", status: 0, count: 0 }, counted(0, "file"));
    } else if (meant.length === 0 || (meant.length > 1 && one !== "all")) {
      throw new OperatorFault(
        `${one}: give the letters that \`strongroom inbox ls\` shows ` +
          "first, or all",
      );
    }
    const videos: ReadonlyMap<Waiting, Waiting> = decision === "accept"
      ? await pairsAmong(cli.library, meant)
      : new Map();
    const through = new Set<Waiting>();
    // A video waits until its still was looked at.
    const isVideo = new Set(videos.values());
    const inOrder = [
      ...meant.filter((each) => !isVideo.has(each)),
      ...meant.filter((each) => isVideo.has(each)),
    ];
    for (const each of inOrder) {
      cli.signal.throwIfAborted();
      if (through.has(each)) continue;
      const { opaqueId, uploadId, file } = each;
      const name = printable(file?.name ?? uploadId);
      const video = videos.get(each);
      try {
        const pair = video !== undefined &&
          await acceptPair(cli.library, each, video, {
              signal: cli.signal,
            }) !== undefined;
        if (pair) through.add(video);
        else await cli.library[decision](opaqueId, uploadId);
      } catch (error) {
        if (!(error instanceof NoLongerWaits)) throw error;
        cli.tell(
          { event: "answered_elsewhere", id: uploadId },
          `${name} was accepted or refused on another device`,
        );
        continue;
      }
      const done = decision === "accept" ? "accepted" : "refused";
      cli.tell({ event: done, id: uploadId }, `${done} ${name}`);
    }
  }
}

/** The options of `send`. */
export interface SendOptions {
  readonly passphraseFile?: string;
  readonly exclude?: readonly string[];
  /** What was sent before, too. */
  readonly again?: true;
}

/** Sends files by someone's link: what was sent cannot be read here. */
export async function sendTo(
  profile: OpenProfile,
  paths: readonly string[],
  link: string,
  options: SendOptions,
): Promise<void> {
  const { platform, places, terminal, tell, warn, endWith, signal } = profile;
  const passphrase = options.passphraseFile === undefined
    ? undefined
    : await terminal.lineOf(options.passphraseFile, "the passphrase");
  await Deno.mkdir(places.stateDirectory, { recursive: true, mode: 0o700 });
  using local = openLocalStore(places.database);
  const box = await openGuestBox(platform, link, passphrase, local.guest);
  const meter = profile.meter();
  const tally = { sent: 0, known: 0, failed: 0 };
  const looking = {
    exclude: options.exclude ?? [],
    signal,
    withProofs: true as const,
    onPassedOver: ({ path, why, isUnread }: PassedOver) => {
      if (isUnread) {
        tally.failed += 1;
        profile.warn(`cannot be read: ${printable(path)}: ${printable(why)}`);
      }
      tell(
        { event: "file", path, outcome: "passed_over", why },
        isUnread ? "" : `passed over ${printable(path)}: ${printable(why)}`,
      );
    },
  };
  for (const given of paths) {
    for await (const { path, name, size } of filesOf(given, looking)) {
      const running = meter.begin(name, size);
      try {
        using opened = await openFile(path);
        const { source } = opened;
        const sha256 = await opened.hash(signal);
        if (!options.again && await box.wasSent(sha256)) {
          tally.known += 1;
          running.skip();
          continue;
        }
        await box.send({
          source,
          sha256,
          about: { name: name.normalize("NFC"), mime: mediaTypeOf(name) },
        }, {
          signal,
          onProgress: (held) => running.at(held),
        });
        tally.sent += 1;
        running.end();
        tell(
          { event: "file", path, outcome: "sent" },
          `sent ${printable(path)}`,
        );
      } catch (error) {
        running.end();
        const complaint = complaintOf(error);
        const isItsOwn = complaint === undefined
          ? isOfFile(error)
          : complaint.status === STATUS.failed;
        if (!isItsOwn) throw error;
        tally.failed += 1;
        const why = complaint?.text ?? reasonOf(error);
        warn(`${printable(path)}: ${printable(why)}`);
        tell(
          { event: "file", path, outcome: "failed", why },
          "",
        );
      }
    }
  }
  const { sent, known, failed } = tally;
  const status = failed > 0 ? STATUS.someFailed : 0;
  tell(
    { event: "end", status, ...tally },
    [
      `${counted(sent, "file")} sent`,
      ...known > 0 ? [`${counted(known, "file")} sent before`] : [],
      ...failed > 0 ? [`${counted(failed, "file")} FAILED`] : [],
    ].join(", "),
  );
  if (status !== 0) endWith(status);
}
