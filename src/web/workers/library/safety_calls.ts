/**
 * The vault's calls about custody: summaries, checks, receipts and a report.
 *
 * @module
 */
import { toBase64, toHex } from "../../../core/bytes.ts";
import {
  type ConfirmReport,
  type Library,
  type ReceiptsReport,
  type Row,
  type TrustDamage,
} from "../../../library/mod.ts";
import { readReceipt } from "../../../crypto/receipt.ts";
import type {
  CheckKind,
  CheckProgress,
  VaultContext,
} from "../vault/context.ts";
import {
  type Alarm,
  alarmOfPhoto,
  type GonePhoto,
  gonePhotos,
  ownPhotos,
  ownRows,
  tellAlarms,
} from "./alarms.ts";
import { noteChecked, type Noted, notedChecks } from "./checks.ts";

/** The custody of all photos, in numbers of photos. */
export interface SafetySummary {
  readonly total: number;
  readonly bytes: number;
  /** All receipts were verified here, or more. */
  readonly proven: number;
  /** The server has also confirmed that it has them. */
  readonly confirmed: number;
  /** The bytes were also read back. */
  readonly readBack: number;
  /** Other people's photos, whose receipts they have. */
  readonly others: number;
  readonly alarms: readonly Alarm[];
  /** What became of an unreadable copy of the trust record. */
  readonly trustDamage: TrustDamage | undefined;
  /** The last completed check of each kind. */
  readonly checks: Readonly<Partial<Record<CheckKind, Noted>>>;
}

/** The outcome of a check. */
export interface CheckOutcome {
  readonly looked: number;
  readonly wrong: number;
  /** Not checked, because the server's hourly budget is spent. */
  readonly left: number;
  /** Messages about invalid receipts, for people. */
  readonly faults: readonly string[];
}

/** A receipt of a photo. */
interface ShownReceipt {
  readonly seq: number;
  readonly at: string;
  readonly role: string;
  readonly size: number;
  readonly hash: string;
}

/** A place of which the missing photos are asked for. */
export interface GonePlace {
  readonly kind: "album" | "collection";
  readonly id: string;
}

/** The calls of the group `safety`. */
export function safetyCalls(context: VaultContext) {
  let running: AbortController | undefined;
  const own = () => [...ownRows(context.opened())];

  return {
    /** The custody of all photos. */
    async summary(): Promise<SafetySummary> {
      const library = context.opened();
      const photos = ownPhotos(library);
      const { userId } = library.vault.session;
      /** Photos that are so wherever they lie. */
      const at = (...states: readonly Row["custody"][]) =>
        photos.filter((rows) =>
          rows.every(({ custody, state }) =>
            state === "live" && states.includes(custody)
          )
        ).length;
      return {
        total: photos.length,
        bytes: photos.reduce(
          (sum, [row]) => sum + (row?.metadata?.size ?? 0),
          0,
        ),
        proven: at("receipted", "confirmed", "read_back"),
        confirmed: at("confirmed", "read_back"),
        readBack: at("read_back"),
        others: library.list().filter(({ owner }) => owner !== userId).length,
        alarms: photos.flatMap((rows) => alarmOfPhoto(rows) ?? [])
          .slice(0, MOST_ALARMS),
        trustDamage: library.trust.damage,
        checks: await notedChecks(library),
      };
    },

    /** Runs a check over all photos; pages get its progress. */
    async check(kind: CheckKind): Promise<CheckOutcome> {
      const library = context.opened();
      running?.abort();
      const controller = running = new AbortController();
      const { signal } = controller;
      const tell = (done: number, of?: number) => {
        const progress: CheckProgress = of === undefined
          ? { kind, done }
          : { kind, done, of };
        context.tell("check", progress);
      };
      tell(0);
      try {
        const outcome = kind === "receipts"
          ? ofReceipts(
            await library.receipts({ all: true, onProgress: tell, signal }),
          )
          : ofConfirming(
            library,
            kind === "download"
              ? await library.readBack({ onProgress: tell, signal })
              : await library.confirm({
                deep: kind === "deep",
                onProgress: tell,
                signal,
              }),
          );
        await noteChecked(context, kind, outcome.looked, outcome.wrong);
        context.changed();
        tellAlarms(context);
        return outcome;
      } finally {
        if (running === controller) running = undefined;
        context.tell("check", undefined);
      }
    },

    /**
     * Photos that are not where they were: of an album, of a collection, or all
     * of them.
     */
    gone(where?: GonePlace): readonly GonePhoto[] {
      const library = context.opened();
      if (where === undefined) return gonePhotos(library);
      if (where.kind === "album") {
        return gonePhotos(library, ({ album }) => album === where.id);
      }
      const ids = new Set(library.collections.get(where.id)?.assets);
      return gonePhotos(library, ({ id }) => ids.has(id));
    },

    /** Photos that are not where they were are not to be told of any more. */
    async giveUp(ids: readonly string[]): Promise<void> {
      await context.opened().giveUp(ids);
      context.changed();
      tellAlarms(context);
    },

    /** The report of what is missing or damaged, as `verify --report` saves it. */
    async losses(): Promise<Blob> {
      const report = await context.opened().lossReport();
      const { textOfLosses } = await import(
        "../../../library/care/loss_report.ts"
      );
      return new Blob([textOfLosses(report)], { type: "application/json" });
    },

    /** Stops the running check. */
    stop() {
      running?.abort();
    },

    /** The receipts that this device holds of a photo. */
    async receiptsOf(assetId: string): Promise<ShownReceipt[]> {
      const shown: ShownReceipt[] = [];
      for await (const { assetId: of, seq, cbor } of heldReceipts(context)) {
        if (of !== assetId) continue;
        const receipt = readReceipt(cbor);
        shown.push({
          seq,
          at: receipt.received_at,
          role: receipt.blob_role,
          size: receipt.size,
          hash: toHex(receipt.ciphertext_hash),
        });
      }
      return shown;
    },

    /**
     * Makes a report to save: each photo with its state and, if wanted, the
     * receipts, which anybody can verify without the server.
     */
    async report({ receipts }: { readonly receipts: boolean }): Promise<Blob> {
      const { vault } = context.opened();
      const parts: string[] = [];
      const head = {
        v: 1,
        server: vault.session.server,
        account: vault.session.userId,
        made_at: new Date(context.platform.now()).toISOString(),
      };
      parts.push(JSON.stringify(head).slice(0, -1), ',"photos":[');
      for (const [i, row] of own().entries()) {
        const shown = {
          id: row.id,
          name: row.metadata?.name,
          sha256: row.metadata?.sha256,
          state: row.state,
          custody: row.custody,
          custody_at: row.custody_at,
          blobs: row.blobs,
        };
        parts.push(i === 0 ? "\n" : ",\n", JSON.stringify(shown));
      }
      parts.push("\n]");
      if (receipts) {
        parts.push(',"receipts":[');
        let first = true;
        for await (const { seq, assetId, cbor } of heldReceipts(context)) {
          const shown = { seq, asset: assetId, cbor: toBase64(cbor) };
          parts.push(first ? "\n" : ",\n", JSON.stringify(shown));
          first = false;
        }
        parts.push("\n]");
      }
      parts.push("}\n");
      return new Blob(parts, { type: "application/json" });
    },
  };
}

const MOST_ALARMS = 1_000;
const PAGE = 500;

async function* heldReceipts(context: VaultContext) {
  const { custody } = context.opened();
  let after = 0;
  while (true) {
    const page = await custody.held(after, PAGE);
    for (const { cbor, ...rest } of page) {
      // Browsers always keep whole receipts.
      if (cbor !== undefined) yield { ...rest, cbor };
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.seq;
  }
}

function ofConfirming(
  { index }: Library,
  report: ConfirmReport,
): CheckOutcome {
  const { confirmed, missing, damaged, unexamined } = report;
  /** Of what lies in several albums there are as many assets. */
  const photos = (...ids: readonly string[]) =>
    new Set(ids.map((id) => index.get(id)?.metadata?.sha256 ?? id)).size;
  return {
    looked: photos(...confirmed, ...missing, ...damaged),
    wrong: photos(...missing, ...damaged),
    left: photos(...unexamined),
    faults: [],
  };
}

function ofReceipts(report: ReceiptsReport): CheckOutcome {
  const { seen, faults, denied, without } = report;
  return {
    looked: seen,
    wrong: faults.length + denied.length + without.length,
    left: 0,
    faults: faults.slice(0, MOST_ALARMS).map(({ seq, message }) =>
      `${seq}: ${message}`
    ),
  };
}
