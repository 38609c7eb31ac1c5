/**
 * Waiting for the other device while two are paired.
 *
 * @module
 */
import { Spinner } from "../../parts/controls.tsx";
import { messages } from "../../messages.ts";
import { pairing } from "../../vault.ts";

/** Says what is waited for: the connection, or the answer about the words. */
export function Working({ connecting }: { readonly connecting: string }) {
  const state = pairing.value;
  return (
    <p class="waiting" role="status">
      <Spinner /> {state.step === "working" && state.isAgreed === true
        ? messages.value.entry.agreed
        : connecting}
    </p>
  );
}
