/**
 * Forms and their fields, which say themselves what is missing: the browser
 * would do so in its own language, and in a bubble that goes away.
 *
 * @module
 */
import type { JSX } from "preact";
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "preact/hooks";
import { messages } from "../messages.ts";
import { IconButton, toView } from "./controls.tsx";

/** A form, which is handed in only once its required fields are filled in. */
export function Form(
  { onSubmit, ...rest }: Omit<JSX.IntrinsicElements["form"], "onSubmit"> & {
    readonly onSubmit: () => unknown;
  },
) {
  return (
    <form
      {...rest}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        if (isComplete(form)) onSubmit();
        // What is wrong is marked once it is drawn.
        requestAnimationFrame(() => firstWrong(form)?.focus());
      }}
    />
  );
}

/** Whether nothing is missing; a field that is at fault hears of it. */
function isComplete(form: HTMLFormElement): boolean {
  const wrong = [
    ...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      "input:invalid, textarea:invalid",
    ),
    // Browsers know fewer addresses than there are.
  ].filter(({ validity }) => !validity.typeMismatch);
  for (const one of wrong) one.dispatchEvent(new Event("invalid"));
  return wrong.length === 0;
}

function firstWrong(form: HTMLFormElement): HTMLElement | null {
  return form.querySelector<HTMLElement>("[aria-invalid=true]");
}

/**
 * What is to be said of a field that a {@link Form} found at fault, until it is
 * changed.
 */
export function useMissing() {
  const [found, setFound] = useState<"missing" | "unfit">();
  return {
    text: found === undefined ? undefined : messages.value.form[found],
    find: ({ validity }: { readonly validity: ValidityState }) =>
      setFound(validity.valueMissing ? "missing" : "unfit"),
    drop: () => setFound(undefined),
  };
}

/** Properties of a field. */
interface FieldOptions {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "email" | "password" | "search" | "date" | "time";
  readonly hint?: string | undefined;
  /** The message for a wrong input. */
  readonly fault?: string | undefined;
  readonly autocomplete?: string;
  readonly inputMode?: "text" | "numeric" | "email";
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly min?: string;
  readonly max?: string;
  readonly step?: number;
  /** Hides what is typed, from people and not as a password of the account. */
  readonly masked?: boolean;
}

/** A field with its label above and a hint or an error below. */
export function Field(
  { label, hint, fault: given, onInput, type = "text", masked, ...rest }:
    FieldOptions,
) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // Before it is drawn: later, someone may be typing into another. The
  // attribute works only in a dialog that is opened with it.
  useLayoutEffect(() => {
    if (rest.autofocus) input.current?.focus();
  }, []);
  const missing = useMissing();
  const fault = given ?? missing.text;
  useEffect(() => {
    const form = input.current?.form ?? undefined;
    if (fault === undefined || form === undefined) return;
    if (firstWrong(form) === input.current) input.current?.focus();
  }, [fault]);
  const [shown, setShown] = useState(false);
  const secret = type === "password";
  const described = [
    hint === undefined ? "" : `${id}-hint`,
    fault === undefined ? "" : `${id}-fault`,
  ].join(" ").trim();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="field-box">
        <input
          {...rest}
          ref={input}
          id={id}
          class={masked === true ? "masked" : ""}
          // The types do not allow the type of an input to change.
          type={(secret && shown ? "text" : type) as "text"}
          spellcheck={false}
          autocapitalize="none"
          onInput={(event) => {
            missing.drop();
            onInput(event.currentTarget.value);
          }}
          onInvalid={(event) => missing.find(event.currentTarget)}
          aria-invalid={fault !== undefined}
          aria-describedby={described === "" ? undefined : described}
        />
        {secret && (
          <IconButton
            icon={shown ? "hide" : "show"}
            label={shown
              ? messages.value.common.hide
              : messages.value.common.show}
            onClick={() => setShown(!shown)}
          />
        )}
      </div>
      {hint !== undefined && <p id={`${id}-hint`} class="hint">{hint}</p>}
      {fault !== undefined && (
        <p id={`${id}-fault`} class="fault" role="alert" ref={toView}>
          {fault}
        </p>
      )}
    </div>
  );
}
