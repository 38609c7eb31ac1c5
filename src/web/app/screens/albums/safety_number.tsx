/**
 * The safety number: twelve groups of digits that two people compare.
 *
 * @module
 */
import { messages } from "../../messages.ts";

/** The number, in rows that are easy to read out. */
export function SafetyNumber({ number }: { readonly number: string }) {
  return (
    <p
      class="safety-number"
      role="group"
      aria-label={messages.value.albums.number}
    >
      {number.split(" ").map((group, at) => <span key={at}>{`${group} `}
      </span>)}
    </p>
  );
}
