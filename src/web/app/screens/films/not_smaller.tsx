/**
 * The videos that a link gives as they are, although smaller copies were wanted.
 *
 * @module
 */
import { messages } from "../../messages.ts";
import type { Copied } from "./copying.ts";
import { NotCopied } from "./not_copied.tsx";

/** Whether there are some. */
export function isNotSmaller(copied: Copied): boolean {
  return copied.not.length + copied.failed > 0;
}

/** Says which ones, and why; nothing where there are none. */
export function NotSmaller({ copied }: { readonly copied: Copied }) {
  if (!isNotSmaller(copied)) return null;
  return (
    <>
      <NotCopied copied={copied} />
      <p class="quiet">{messages.value.films.noneSmaller}</p>
    </>
  );
}
