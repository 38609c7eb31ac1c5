/**
 * Asking for a passphrase. What it opens is fetched once, when the first one is
 * tried; a wrong one is told without asking the server again.
 *
 * @module
 */
import { EscrowError } from "../client/escrow.ts";
import { painted } from "./browser.ts";
import { element, show } from "./dom.ts";
import { faultText } from "./words.ts";

/** How a passphrase opens what. */
export interface Lock<T> {
  /** What the passphrase is for: a sentence above the field. */
  readonly reason: string;
  /** Fetches the wrapped secret. */
  readonly fetchWrapped: () => Promise<Uint8Array>;
  /** Throws an EscrowError. */
  readonly unwrap: (passphrase: string, wrapped: Uint8Array) => Promise<T>;
}

/** Shows the form until a passphrase fits; resolves to what it opened. */
export function askPassphrase<T>(lock: Lock<T>): Promise<T> {
  const field = element("input", {
    type: "password",
    id: "passphrase",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    "aria-describedby": "passphrase-fault",
    required: true,
  });
  const shown = element("input", { type: "checkbox", id: "shown" });
  shown.addEventListener("change", () => {
    field.type = shown.checked ? "text" : "password";
  });
  const submit = element("button", { class: "main" }, "Open");
  const fault = element("p", {
    id: "passphrase-fault",
    class: "wrong-text",
    role: "alert",
  });
  const form = element(
    "form",
    {},
    element("p", {}, lock.reason),
    element("label", { for: "passphrase" }, "Passphrase"),
    field,
    element(
      "label",
      { class: "check", for: "shown" },
      shown,
      "Show what I type",
    ),
    fault,
    submit,
  );
  show(form);
  field.focus();
  let wrapped: Uint8Array | undefined;
  return new Promise((resolve) => {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (submit.disabled) return;
      fault.textContent = "";
      submit.disabled = true;
      submit.textContent = "Checking…";
      try {
        wrapped ??= await lock.fetchWrapped();
        // Guessing is meant to be slow, and the page stands still meanwhile.
        await painted();
        resolve(await lock.unwrap(field.value, wrapped));
      } catch (error) {
        fault.textContent = textOf(error);
        submit.disabled = false;
        submit.textContent = "Open";
        field.focus();
        field.select();
      }
    });
  });
}

function textOf(error: unknown): string {
  if (!(error instanceof EscrowError)) return faultText(error);
  if (error.fault === "newer") {
    return "What the passphrase should open was made by a newer program. Load " +
      "this page again.";
  }
  return error.fault === "passphrase_wrong"
    ? "That passphrase does not fit. Check it and try again."
    : "What the passphrase should open is damaged.";
}
