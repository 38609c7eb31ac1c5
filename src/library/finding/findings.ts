/**
 * What devices find in the pictures of a library, such as faces: looked for
 * only if the person wants that, kept in pages of the account's sealed state
 * that all of its devices share, and deleted whole.
 *
 * @module
 */
import {
  decodePage,
  emptyPage,
  encodePage,
  type FindingsPage,
  FULL_BYTES,
  type KindOfFindings,
  mergePages,
  sizeOfPage,
  slotOfPage,
} from "./findings_pages.ts";
import { openNotedFindings } from "./findings_noted.ts";
import { type HeldSlot, openHeldSlot } from "../vault/slot.ts";
import type { Store } from "../base/store.ts";
import type { Vault } from "../vault/vault.ts";

/**
 * A page is written, on this device and at the server, for at least such a part
 * of it that is new …
 */
const WORTH_A_PAGE = 1 / 32;
/** … or where it is no larger than that (bytes) … */
const SMALL_PAGE_BYTES = 64 * 1024;
/** … or after that time (ms), whatever is new. */
const LATEST_MS = 10 * 60 * 1_000;
/** From so many bytes on, what is noted comes into the page on this device. */
const MOST_NOTED_BYTES = 256 * 1024;

/** Whether a person wants it looked for. */
export interface FindingsChoice {
  readonly isOn: boolean;
  /** Since when, on or off (ms); 0 if nothing was ever said. */
  readonly era: number;
}

/** What was found in the pictures of a library. */
export interface Findings {
  /**
   * What was found since it was turned on, by files (`fileOf`); another map
   * whenever there is more. Empty where it is off.
   */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Whether the account's pages take no more files. */
  readonly isFull: boolean;
  /**
   * Fetches what other devices found: all, or what changed in some slots. What
   * only this device has, because it was closed too early, is sent next.
   */
  read(slots?: readonly string[]): Promise<void>;
  /** Keeps what was found on this device, until it is sent. */
  note(files: Readonly<Record<string, Uint8Array>>): Promise<void>;
  /** Sends what was noted to the account's other devices. */
  send(): Promise<void>;
  /**
   * Sends it if it is enough for the page that is written for it, or was not
   * sent for a while.
   */
  sendDue(): Promise<void>;
  /** Deletes all of it, on all devices, once the choice says that it is off. */
  clear(): Promise<void>;
}

/** Opens what was found, with this device's copy of it. */
export async function openFindings(
  { vault, store }: { readonly vault: Vault; readonly store: Store },
  kind: KindOfFindings,
  choice: () => FindingsChoice,
): Promise<Findings> {
  const pages: HeldSlot<FindingsPage>[] = [];
  for (let number = 1; number <= kind.pages; number++) {
    const slot = slotOfPage(kind, number);
    pages.push(
      await openHeldSlot(vault, store, {
        slot,
        empty: () => emptyPage(),
        encode: encodePage,
        decode: (bytes) => decodePage(kind, bytes),
        merge: mergePages,
      }, { space: "index", key: slot }),
    );
  }
  const { now, random } = vault.session.platform;
  const noted = await openNotedFindings(store, kind, random);
  let sent: number | undefined;
  /** The page that takes new files; undefined if all are full. */
  const openPage = () => {
    const { era } = choice();
    return pages.find(({ held }) =>
      held.era !== era || sizeOfPage(held) < FULL_BYTES
    );
  };
  /** Pages with something that the server does not have. */
  const unsent = new Set<HeldSlot<FindingsPage>>();
  let known: Known | undefined;
  /** All files of the present era; one of two pages counts once. */
  const knownNow = (): Known => {
    const { isOn, era } = choice();
    const held = pages.map((page) => page.held);
    const fresh = noted.of(era);
    const isSame = known !== undefined && known.isOn === isOn &&
      known.era === era && known.noted === fresh &&
      held.every((page, at) => page === known?.pages[at]);
    if (known !== undefined && isSame) return known;
    const files = new Map<string, Uint8Array>();
    for (const page of isOn ? held : []) {
      if (page.era !== era) continue;
      for (const [file, bytes] of Object.entries(page.files)) {
        if (!files.has(file)) files.set(file, bytes);
      }
    }
    for (const [file, bytes] of isOn ? fresh : []) {
      if (!files.has(file)) files.set(file, bytes);
    }
    return known = { isOn, era, pages: held, noted: fresh, files };
  };
  /** Brings what was noted into a page. */
  const settle = async () => {
    const { isOn, era } = choice();
    const { entries } = noted;
    const files = Object.fromEntries(noted.of(era));
    const page = openPage();
    if (isOn && page !== undefined && Object.keys(files).length > 0) {
      unsent.add(page);
      await page.note((held) => ({
        v: 1,
        era,
        files: held.era === era ? { ...held.files, ...files } : files,
      }));
    }
    await noted.forget(entries);
  };
  /** Deletes this device's copies of what another one deleted. */
  const forgetOld = async () => {
    const { era } = choice();
    if (noted.of(era).size === 0) await noted.forget(noted.entries);
    for (const page of pages) {
      const { held } = page;
      if (held.era >= era || Object.keys(held.files).length === 0) continue;
      unsent.delete(page);
      await page.note(() => emptyPage(era));
    }
  };
  const send = async () => {
    await settle();
    for (const page of [...unsent]) {
      unsent.delete(page);
      try {
        await page.change((held) => held);
      } catch (error) {
        unsent.add(page);
        throw error;
      }
    }
    sent = now();
  };
  return {
    get files() {
      return knownNow().files;
    },
    get isFull() {
      const { era } = choice();
      return pages.every(({ held }) =>
        held.era === era && sizeOfPage(held) >= FULL_BYTES
      );
    },
    async read(slots) {
      await forgetOld();
      for (const [at, page] of pages.entries()) {
        if (slots?.includes(slotOfPage(kind, at + 1)) === false) continue;
        await page.read();
        const { held, shown } = page;
        const { isOn, era } = choice();
        const isBehind = mergePages(shown ?? emptyPage(), held) !== shown;
        if (isOn && held.era === era && isBehind) unsent.add(page);
        if (shown === undefined) break;
        // Turning it off did not come this far, or a device sent more later.
        if (shown.era < era && Object.keys(shown.files).length > 0) {
          await page.change(() => emptyPage(era));
        }
      }
      await forgetOld();
    },
    async note(found) {
      const { isOn, era } = choice();
      if (!isOn) return;
      const { files: before } = knownNow();
      const files = Object.fromEntries(
        Object.entries(found).filter(([file]) => !before.has(file)),
      );
      const page = openPage();
      // A page of a later era, of which this device does not know yet, takes
      // none of them.
      if (page === undefined || page.held.era > era) return;
      if (Object.keys(files).length === 0) return;
      await noted.add({ v: 1, era, files });
      if (noted.size >= MOST_NOTED_BYTES) await settle();
    },
    send,
    async sendDue() {
      const page = openPage();
      if (noted.entries.length === 0 && unsent.size === 0) return;
      const size = page === undefined ? 0 : sizeOfPage(page.held);
      const isDue = size <= SMALL_PAGE_BYTES || unsent.size > 0 ||
        noted.size >= size * WORTH_A_PAGE || sent === undefined ||
        now() - sent >= LATEST_MS;
      if (isDue) await send();
    },
    async clear() {
      const { era } = choice();
      unsent.clear();
      await noted.forget(noted.entries);
      for (const page of pages) {
        await page.read();
        if (page.shown === undefined) {
          await page.note(() => emptyPage(era));
          continue;
        }
        // An empty page of a later era: what a device that was off sends later
        // does not bring anything back.
        await page.change(() => emptyPage(era));
      }
    },
  };
}

/** What is known, and from which pages. */
interface Known extends FindingsChoice {
  readonly pages: readonly FindingsPage[];
  readonly noted: ReadonlyMap<string, Uint8Array>;
  readonly files: ReadonlyMap<string, Uint8Array>;
}
