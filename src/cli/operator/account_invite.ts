/**
 * `strongroom account invite`, `invitations` and `uninvite`: who may register
 * where registration is not open.
 *
 * @module
 */
import { canonicalOrigin } from "../../config.ts";
import { OperatorFault } from "../../core/operator.ts";
import { bytesInWords, readBytes } from "../../core/sizes.ts";
import { DAY_MS, toRfc3339 } from "../../core/time.ts";
import {
  type Invitation,
  invite,
  listInvitations,
  uninvite,
} from "../../features/accounts/invitations.ts";
import { listNames } from "../../features/keys/store.ts";
import { loadSettings } from "../environment.ts";
import type { DatabaseCall, Said, Verb } from "../verb.ts";
import { isMailAddress } from "../../core/notify_settings.ts";
import type { Letter } from "../../features/notices/people.ts";
import { noticesOf, sendNow } from "./notices.ts";

const DEFAULT_DAYS = 7;
const MAX_DAYS = 365;

interface InviteOptions {
  readonly mail?: string;
  readonly expires?: string;
  readonly quota?: string;
}

/** `account invite`, `account invitations` and `account uninvite`. */
export const INVITATIONS: readonly Verb[] = [
  {
    usage: "invite",
    description: "print a link with which one person can register, even if " +
      "registration is closed. It is shown only now; anyone who has it " +
      "can use it once",
    options: [
      [
        "--expires <days>",
        `how long it is valid, 1 to ${MAX_DAYS} days; default: ` +
        String(DEFAULT_DAYS),
      ],
      [
        "--quota <bytes>",
        "how much the account may store (5000, 50GiB); default: the " +
        "server's quota",
      ],
      [
        "--mail <address>",
        "also mail the link, by the mail server of STRONGROOM_NOTIFY",
      ],
    ],
    example: "account invite --expires 3 --quota 50GiB",
    access: "write",
    run: inviteOne,
  },
  {
    usage: "invitations",
    description: "list the unused invitations; their links are " +
      "not shown again",
    example: "account invitations --json",
    access: "write",
    async run({ db, platform }) {
      const invitations = await listInvitations(db, platform.now());
      return {
        json: invitations.map(invitationToJson),
        lines: invitations.length === 0
          ? ["no invitations"]
          : invitations.map(invitationLine),
      };
    },
  },
  {
    usage: "uninvite <id>",
    description:
      "withdraw an invitation: its link no longer registers an account",
    example: "account uninvite 3f1c1f0e-7d0c-4d0a-9c8c-0b7f5a0f6a51",
    access: "write",
    async run({ db, platform }, given) {
      const id = await uninvite(db, given, platform.now());
      return {
        json: { id, outcome: "uninvited" },
        lines: [`invitation ${id} is withdrawn`],
      };
    },
  },
];

async function inviteOne(call: DatabaseCall<InviteOptions>): Promise<Said> {
  const { db, platform, options } = call;
  const given = {
    livesMs: readDays(options.expires) * DAY_MS,
    quotaBytes: readQuota(options.quota),
  };
  const origin = await originOf(call);
  const post = await postOf(call, options.mail);
  const made = await invite(db, platform, given);
  const link = `${origin}/#/invited/${made.code}`;
  const { id, ...rest } = invitationToJson(made);
  await post?.({ kind: "invitation", link, until: rest.expires_at });
  return {
    json: { id, link, ...rest },
    lines: [
      link,
      `one person can register with it until ${rest.expires_at}; ` +
      `withdraw it with strongroom account uninvite ${id}`,
      ...mailLine(options.mail),
    ],
  };
}

function invitationToJson({ id, expiresAt, quotaBytes }: Invitation) {
  return {
    id,
    expires_at: toRfc3339(expiresAt),
    ...(quotaBytes === null ? {} : { quota: quotaBytes }),
  };
}

function invitationLine({ id, expiresAt, quotaBytes }: Invitation): string {
  return [
    id,
    `until ${toRfc3339(expiresAt)}`,
    ...quotaBytes === null ? [] : [`quota ${bytesInWords(quotaBytes)}`],
  ].join("  ");
}

function readDays(text = String(DEFAULT_DAYS)): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MAX_DAYS) return days;
  throw new OperatorFault(
    `${JSON.stringify(text)} is not a number of days: give 1 to ` +
      `${MAX_DAYS}`,
  );
}

function readQuota(text: string | undefined): number | null {
  if (text === undefined) return null;
  const bytes = readBytes(text);
  if (bytes !== undefined) return bytes;
  throw new OperatorFault(
    `${JSON.stringify(text)} is not a quota: give bytes, such as 50GiB`,
  );
}

/**
 * Where people reach the server: as it is configured, or as it last ran where
 * nothing is set. Warns where the two differ: the link is for after the restart.
 */
async function originOf(
  { db, config, options, warn }: DatabaseCall,
): Promise<string> {
  const ran = (await listNames(db)).at(-1)?.server_id;
  const isPlaced =
    config.STRONGROOM_LISTEN.some(({ kind }) => kind === "tcp") &&
    loadSettings(options).settings.some(({ name, source }) =>
      name === "STRONGROOM_LISTEN" && source.kind !== "default"
    );
  const set = config.STRONGROOM_BASE_URL ??
    (isPlaced ? canonicalOrigin(config) : undefined);
  const origin = set ?? ran ?? canonicalOrigin(config);
  if (ran !== undefined && origin !== undefined && ran !== origin) {
    warn(
      `this link has the address ${origin} from the settings, but the ` +
        `server was last started as ${ran}: restart it under the new ` +
        "address",
    );
  }
  if (origin !== undefined) return origin;
  throw new OperatorFault(
    "the address that people use is unknown: set STRONGROOM_BASE_URL",
  );
}

/**
 * What mails a letter; undefined where no address is given. Refuses an address
 * that no mail can go to before anything is made.
 */
async function postOf(
  { db, config, platform }: DatabaseCall,
  address: string | undefined,
): Promise<((letter: Letter) => Promise<void>) | undefined> {
  if (address === undefined) return undefined;
  const notices = await noticesOf(db, config, platform);
  if (!notices.hasMail) {
    throw new OperatorFault(
      "no mail server is set: name one in STRONGROOM_NOTIFY, such as " +
        "smtp://user:password@mail.example.org?from=…&to=…, or leave --mail " +
        "out and hand the link over yourself",
    );
  }
  if (!isMailAddress(address)) {
    throw new OperatorFault(
      `${JSON.stringify(address)} is no address that mail can go to: hand ` +
        "the link over yourself",
    );
  }
  return async (letter) => {
    await notices.write(address, letter);
    await sendNow(notices, platform);
  };
}

/** What is said of a letter that was written. */
function mailLine(address: string | undefined): string[] {
  return address === undefined
    ? []
    : [`it is mailed to ${address}; strongroom notify ls tells if it waits`];
}
