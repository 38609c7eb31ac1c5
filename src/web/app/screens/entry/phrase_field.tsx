/**
 * The field for a phrase of the person's choice, with an estimate of its
 * strength.
 *
 * @module
 */
import { Field } from "../../parts/form.tsx";
import { messages } from "../../messages.ts";

/** The field, and the estimate below it. */
export function PhraseField(
  {
    label,
    hint,
    value,
    onInput,
    fault,
    required = false,
    autofocus = false,
    autocomplete = "new-password",
  }: {
    readonly label: string;
    readonly hint: string;
    readonly value: string;
    readonly onInput: (value: string) => void;
    readonly fault?: string | undefined;
    readonly required?: boolean;
    readonly autofocus?: boolean;
    readonly autocomplete?: string;
  },
) {
  const { entry } = messages.value;
  const strength = strengthOf(value);
  return (
    <div class="phrase">
      <Field
        label={label}
        type="password"
        autocomplete={autocomplete}
        required={required}
        autofocus={autofocus}
        hint={hint}
        fault={fault}
        value={value}
        onInput={onInput}
      />
      {value !== "" && (
        <p class={`strength s${strength}`} role="status">
          <span class="bars" aria-hidden="true">
            {[0, 1, 2].map((step) => (
              <span key={step} class={step <= strength ? "on" : ""} />
            ))}
          </span>
          <span class="small">
            <span class="unseen">{entry.strengthName}:</span>{" "}
            {entry.strength[strength]}
          </span>
        </p>
      )}
    </div>
  );
}

const FAIR_BITS = 45;
const STRONG_BITS = 65;

/**
 * How hard a phrase is to guess: 0, 1 or 2. Runs and repetitions count little,
 * and words count less than the number of their letters.
 */
function strengthOf(phrase: string): 0 | 1 | 2 {
  const plain = phrase.normalize("NFC").trim();
  const letters = [...plain.toLowerCase()];
  const steps = letters.filter((letter, at) => {
    const before = letters[at - 1];
    if (before === undefined) return true;
    const step = (letter.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
    return Math.abs(step) > 1;
  }).length;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/]
    .filter((kind) => kind.test(plain)).length;
  const each = Math.min(2 + kinds, new Set(letters).size / 2);
  const split = new Set(plain.toLowerCase().split(/\s+/u));
  const bits = split.size > 1
    ? Math.min(steps * each, split.size * 14)
    : steps * each * 0.8;
  return bits >= STRONG_BITS ? 2 : bits >= FAIR_BITS ? 1 : 0;
}
