/**
 * What goes wrong for a person, in words, with the exit status that scripts
 * see: 1 refused or failed, 3 done but files failed, 4 verification found
 * something wrong, 75 no connection, try later, 130 interrupted.
 *
 * @module
 */
import * as z from "zod";
import { OperatorFault } from "../../core/operator.ts";
import { rootReasonOf } from "../../core/reason.ts";
import type { ProblemCode } from "../../core/problem_codes.ts";
import {
  ApiProblem,
  ConnectionError,
  CustodyError,
  DamagedBlob,
  DocumentError,
  EscrowError,
  NotSignedIn,
  SourceChanged,
  StoreError,
  UnexpectedAnswer,
  VaultError,
} from "../../library/mod.ts";
import { isTemporary } from "../../client/api/refusals.ts";
import { type TlsFault, tlsFault } from "../tls_fault.ts";

/** Exit statuses other than 0 and those of every command. */
export const STATUS = {
  failed: 1,
  someFailed: 3,
  wrong: 4,
  tryLater: 75,
  interrupted: 130,
} as const;

/** One of {@link STATUS}. */
type Status = typeof STATUS[keyof typeof STATUS];

/** A line and a status. */
interface Complaint {
  readonly text: string;
  readonly status: Status;
}

const WORDS: Readonly<Partial<Record<ProblemCode, string>>> = {
  "error.auth.credentials_invalid": "the address or the password is wrong",
  "error.auth.account_locked":
    "too many wrong passwords: the account is locked for a while",
  "error.request.host":
    "this server has another address: use the one that the person who runs " +
    "it gave you",
  "error.auth.second_factor_invalid": "that code is wrong or was used before",
  "error.auth.registration_closed":
    "this server accepts no new accounts: ask the person who runs it " +
    "for an invitation, and run `strongroom login LINK` with it",
  "error.invitation.not_found":
    "the invitation was used or has expired: ask the person who runs the " +
    "server for a new one",
  "error.auth.user_already_exists":
    "that address already has an account here: sign in without --new",
  "error.auth.session_token_invalid":
    "this device is signed out: run `strongroom login`",
  "error.auth.password_incorrect": "the password is wrong",
  "error.account.suspended":
    "the account is suspended: you can read, but not add anything",
  "error.storage.quota_exceeded": "the account's storage is full",
  "error.storage.full": "the server's disk is full",
  "error.storage.unavailable":
    "the server cannot reach its storage at the moment: try again later",
  "error.internal":
    "the server failed; its operator finds the reason in its log. If " +
    "it concerns one file, `strongroom verify` tells whether the " +
    "server still has it",
  "error.asset.not_found":
    "the server does not have it; `strongroom verify` lists what it " +
    "lost",
  "error.escrow.not_found":
    "no recovery words were set for this account: another device has the keys",
};

/** What a person does about the certificate of a server. */
const TLS_MENDS: Readonly<Record<TlsFault["kind"], string>> = {
  no_tls: "write http:// if the server has no certificate",
  not_yet: "set this machine's clock if it is behind",
  expired: "set this machine's clock if it is ahead, or ask the person who " +
    "runs the server to renew it",
  other_name: "use the server's own address",
  unknown_authority: "if the person who runs the server gave you the " +
    "certificate of their authority, set DENO_CERT to that file",
  refused: "tell the person who runs the server",
};

const SAID = new Map<string, string>(Object.entries(WORDS));

const fields = z.array(z.object({ path: z.string(), message: z.string() }));

/** Which fields of the request it is about, and what is wrong with them. */
function faultsOf({ body }: ApiProblem): string | undefined {
  const { data = [] } = fields.safeParse(body?.["errors"]);
  const named = data.slice(0, 3).map(({ path, message }) =>
    `${path.replace(/^\//, "").replaceAll("_", " ")} ${message}`
  );
  return named.length === 0 ? undefined : named.join("; ");
}

/** Whether this machine's disk has no room, by a file's word or SQLite's. */
export function isDiskFull(thrown: unknown): boolean {
  return thrown instanceof Error &&
    /^database or disk is full$|\(os error (28|112|122)\)/.test(thrown.message);
}

/** Whether it is about one file of this machine: others may be read. */
export function isOfFile(thrown: unknown): boolean {
  return thrown instanceof SourceChanged ||
    (thrown instanceof Error && !isDiskFull(thrown) &&
      /\(os error \d+\)/.test(thrown.message));
}

/** What to say of an error; undefined for a fault of the program. */
export function complaintOf(thrown: unknown): Complaint | undefined {
  if (thrown instanceof ApiProblem) {
    const text = SAID.get(thrown.code) ??
      `the server refuses: ${faultsOf(thrown) ?? thrown.message}`;
    const status = isTemporary(thrown) ? STATUS.tryLater : STATUS.failed;
    return { text, status };
  }
  if (thrown instanceof ConnectionError) {
    const tls = tlsFault(rootReasonOf(thrown));
    if (tls !== undefined) {
      return {
        text: `${thrown.message}: ${tls.what}: ${TLS_MENDS[tls.kind]}`,
        // It may be the network of a hotel that answers.
        status: STATUS.tryLater,
      };
    }
    return {
      text: `${thrown.message}: try again later`,
      status: STATUS.tryLater,
    };
  }
  if (thrown instanceof UnexpectedAnswer && thrown.status === 413) {
    return {
      text: "a proxy between here and the server refuses requests of this " +
        "size: its operator has to raise the limit (client_max_body_size in " +
        "nginx), then run this again",
      status: STATUS.failed,
    };
  }
  if (thrown instanceof UnexpectedAnswer) {
    return {
      text: `that is not an answer of a strongroom server (${thrown.message})`,
      status: STATUS.failed,
    };
  }
  if (thrown instanceof DamagedBlob) {
    return {
      text: `the server's copy of this file is damaged (${thrown.message}): ` +
        "`strongroom verify` lists every such file; push it again " +
        "from where you have it",
      status: STATUS.wrong,
    };
  }
  if (thrown instanceof CustodyError) {
    return {
      text: `THE SERVER CONTRADICTS ITSELF: ${thrown.message}: tell its ` +
        "operator; if an older copy of its data was put back, `strongroom " +
        "adopt-copy` there ends this",
      status: STATUS.wrong,
    };
  }
  if (thrown instanceof NotSignedIn) {
    return {
      text: `${thrown.message}: run \`strongroom login URL\``,
      status: STATUS.failed,
    };
  }
  if (thrown instanceof VaultError) {
    return {
      text: thrown.fault === "another_identity"
        ? "THE SERVER SHOWS ANOTHER IDENTITY for this account than the keys " +
          "here have: nothing was changed"
        : thrown.fault === "locked"
        ? "this device does not have the account's keys: run `strongroom " +
          "recover` with your 24 words"
        : thrown.message,
      status: STATUS.failed,
    };
  }
  if (thrown instanceof EscrowError) {
    return {
      text: thrown.fault === "passphrase_wrong"
        ? "those words do not open the keys"
        : thrown.message,
      status: STATUS.failed,
    };
  }
  if (thrown instanceof StoreError) {
    return {
      text: "the data stored here is damaged or another account's " +
        `(${thrown.message}): use another --profile`,
      status: STATUS.failed,
    };
  }
  if (thrown instanceof OperatorFault || thrown instanceof DocumentError) {
    return { text: thrown.message, status: STATUS.failed };
  }
  if (isDiskFull(thrown)) {
    return { text: "this machine's disk is full", status: STATUS.failed };
  }
  if (thrown instanceof DOMException && thrown.name === "AbortError") {
    return {
      text: "interrupted: run it again to continue",
      status: STATUS.interrupted,
    };
  }
  return undefined;
}
