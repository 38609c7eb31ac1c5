/**
 * What is wrong with a card, an invitation or an album of another server, in
 * the person's language.
 *
 * @module
 */
import { ThreadError } from "../../../client/stream/threads/thread_messages.ts";
import { faultText } from "../faults.ts";
import { messages } from "../messages.ts";

/** A text that may name a server. */
export type OfHost = string | ((of: { readonly host: string }) => string);

/** A text about a server. */
export function ofHost(text: OfHost, host: string): string {
  return typeof text === "string" ? text : text({ host });
}

/** The message for an error. */
export function abroadFaultText(error: unknown): string {
  if (!(error instanceof ThreadError)) return faultText(error);
  const { kind, message, fault = "" } = error.fault;
  const { abroad: { faults }, settings } = messages.value;
  switch (kind) {
    case "AbroadError": {
      const texts: Readonly<Record<string, OfHost>> = {
        ...faults,
        withheld: settings.behind,
      };
      return ofHost(texts[fault] ?? faults.invalid, "");
    }
    // What these say is the server's name.
    case "NotPinned":
      return `${faults.not_pinned({ host: message })} …`;
    case "AwayAbroad":
      return faults.away({ host: message });
    case "IdentityChanged":
      return faults.changed;
    case "DocumentError":
      return faults.invalid;
    default:
      return faultText(error);
  }
}
