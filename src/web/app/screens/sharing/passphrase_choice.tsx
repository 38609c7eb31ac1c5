/**
 * The choice of a passphrase for a link that is made.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Check } from "../../parts/choices.tsx";
import { Field } from "../../parts/form.tsx";
import { messages } from "../../messages.ts";

/** Shortest passphrase (characters). */
const LEAST = 8;

/** Whether a link gets a passphrase, and which. */
export interface LinkPassphrase {
  readonly isWanted: boolean;
  readonly typed: string;
  /** Whether one is wanted and what was typed is too short. */
  readonly isShort: boolean;
  readonly want: (isWanted: boolean) => void;
  readonly type: (typed: string) => void;
  /** As the vault is given it: nothing where none is wanted. */
  readonly given: { readonly passphrase?: string };
}

/** Keeps the choice; at first, none is wanted. */
export function useLinkPassphrase(): LinkPassphrase {
  const [isWanted, want] = useState(false);
  const [typed, type] = useState("");
  return {
    isWanted,
    typed,
    isShort: isWanted && typed.trim().length < LEAST,
    want,
    type,
    given: isWanted ? { passphrase: typed } : {},
  };
}

/** The choice; what is too short is said once making was `tried`. */
export function PassphraseChoice(
  { of: { isWanted, typed, isShort, want, type }, tried }: {
    readonly of: LinkPassphrase;
    readonly tried: boolean;
  },
) {
  const { sharing } = messages.value;
  return (
    <>
      <Check
        label={sharing.withPassphrase}
        checked={isWanted}
        onChange={want}
      />
      {isWanted && (
        <Field
          label={sharing.passphrase}
          type="password"
          autocomplete="off"
          autofocus
          value={typed}
          hint={sharing.passphraseHint}
          fault={tried && isShort ? sharing.passphraseShort : undefined}
          onInput={type}
        />
      )}
    </>
  );
}
