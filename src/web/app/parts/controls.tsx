/**
 * Buttons and other controls, and messages.
 *
 * @module
 */
import type { ComponentChildren, JSX } from "preact";
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
      class={`icon-button${icon === "favourite" ? " heart" : ""}`}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
    >
      <Icon name={icon} size={size} />
    </button>
  );
}

/** Shows that something is under way. */
export function Spinner() {
  return <span class="spinner" aria-hidden="true" />;
}

/** What went wrong is seen, also where the page or the dialog is longer. */
export function toView(element: Element | null): void {
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
