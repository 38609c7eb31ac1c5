/**
 * Buttons, fields and other controls and messages.
 *
 * @module
 */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { words } from "../words.ts";
import { Icon, type IconName } from "./icon.tsx";

type ButtonAttributes = JSX.IntrinsicElements["button"];

/** A button with a text and, if given, an icon before it. */
export function Button(
  { icon, kind = "plain", busy = false, children, ...rest }:
    & Omit<ButtonAttributes, "kind" | "icon">
    & {
      readonly icon?: IconName;
      /** `main` is the one thing to do; `danger` cannot be taken back. */
      readonly kind?: "plain" | "main" | "quiet" | "danger";
      readonly busy?: boolean;
      readonly children?: ComponentChildren;
    },
) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind}`}
      disabled={rest.disabled === true || busy}
      aria-busy={busy}
    >
      {busy ? <Spinner /> : icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

/** A round button with only an icon, and a name for screen readers. */
export function IconButton(
  { icon, label, size = 20, pressed, ...rest }:
    & Omit<ButtonAttributes, "icon" | "label" | "size">
    & {
      readonly icon: IconName;
      readonly label: string;
      readonly size?: number;
      readonly pressed?: boolean;
    },
) {
  return (
    <button
      type="button"
      {...rest}
      class="icon-button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
    >
      <Icon name={icon} size={size} />
    </button>
  );
}

/** Properties of a field. */
export interface FieldOptions {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "email" | "password" | "search" | "number" | "date";
  readonly hint?: string | undefined;
  /** The message for a wrong input. */
  readonly fault?: string | undefined;
  readonly autocomplete?: string;
  readonly inputMode?: "text" | "numeric" | "email";
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly placeholder?: string;
  readonly maxLength?: number;
}

/** A field with its label above and a hint or an error below. */
export function Field(
  { label, hint, fault, onInput, type = "text", ...rest }: FieldOptions,
) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The attribute works only in a dialog that is opened with it.
    if (rest.autofocus) input.current?.focus();
  }, []);
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
          // The types do not allow the type of an input to change.
          type={(secret && shown ? "text" : type) as "text"}
          spellcheck={false}
          autocapitalize="none"
          onInput={(event) => onInput(event.currentTarget.value)}
          aria-invalid={fault !== undefined}
          aria-describedby={described === "" ? undefined : described}
        />
        {secret && (
          <IconButton
            icon={shown ? "hide" : "show"}
            label={shown ? words.value.common.hide : words.value.common.show}
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

/** Shows that something is under way. */
export function Spinner() {
  return <span class="spinner" aria-hidden="true" />;
}

/** What went wrong is seen, also where the page or the dialog is longer. */
function toView(element: Element | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** A message about an error or a state. */
export function Notice(
  { kind = "wrong", children }: {
    readonly kind?: "wrong" | "warn" | "good" | "info";
    readonly children: ComponentChildren;
  },
) {
  const icon = ({
    wrong: "warning",
    warn: "warning",
    good: "done",
    info: "info",
  } as const)[kind];
  const isWrong = kind === "wrong";
  return (
    <div
      class={`notice ${kind}`}
      role={isWrong ? "alert" : "status"}
      ref={isWrong ? toView : null}
    >
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}

/** Says that nothing is here yet, and what can be done about it. */
export function Empty(
  { icon, title, children }: {
    readonly icon: IconName;
    readonly title: string;
    readonly children?: ComponentChildren;
  },
) {
  return (
    <div class="empty">
      <Icon name={icon} size={40} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A progress bar; `value` is 0 to 1. */
export function Progress(
  { value, label }: { readonly value: number; readonly label: string },
) {
  return <progress class="progress" value={value} max={1} aria-label={label} />;
}
