/**
 * What became of recovery words that a restored server had lost: told until
 * there are new ones or the person has read it.
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../../core/bytes.ts";
import type { EscrowNews } from "../../../library/vault/kept_escrow.ts";
import type { VaultContext } from "./context.ts";

const KEY = "escrow-news";
const ALL: readonly string[] = [
  "given_back",
  "due",
  "unknown",
] satisfies EscrowNews[];

/** Notes what a sync reported, and tells it; at the first what was noted. */
export async function tellEscrow(
  context: VaultContext,
  news: EscrowNews | undefined,
  isFirst: boolean,
): Promise<void> {
  const { store } = context.opened();
  if (news !== undefined) {
    await store.write([{ space: "program", key: KEY, value: utf8(news) }]);
  } else if (!isFirst) return;
  const noted = await store.get("program", KEY);
  const what = noted === undefined ? undefined : fromUtf8(noted);
  if (isNews(what)) context.tell("escrow", { what });
}

/** It was read, or there are new words. */
export async function forgetEscrow(context: VaultContext): Promise<void> {
  const { store } = context.opened();
  await store.write([{ space: "program", key: KEY, value: null }]);
  context.tell("escrow", undefined);
}

function isNews(text: string | undefined): text is EscrowNews {
  return text !== undefined && ALL.includes(text);
}
