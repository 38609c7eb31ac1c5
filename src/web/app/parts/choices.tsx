/**
 * Form controls: longer texts, a choice of several, and yes or no.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

/** A field of several lines. */
export function TextArea(
  { label, value, onInput, hint, rows = 3, ...rest }: {
    readonly label: string;
    readonly value: string;
    readonly onInput: (value: string) => void;
    readonly hint?: string;
    readonly rows?: number;
    readonly maxLength?: number;
    readonly placeholder?: string;
  },
) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="field-box">
        <textarea
          {...rest}
          id={id}
          rows={rows}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        />
      </div>
      {hint !== undefined && <p id={`${id}-hint`} class="hint">{hint}</p>}
    </div>
  );
}

/** A choice of several. */
export function Choice<T extends string>(
  { label, value, options, onChoose, hint, quiet = false }: {
    readonly label: string;
    readonly value: T;
    readonly options: readonly (readonly [value: T, label: string])[];
    readonly onChoose: (value: T) => void;
    readonly hint?: string;
    /** Whether only screen readers get the label. */
    readonly quiet?: boolean;
  },
) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={quiet ? "unseen" : ""}>{label}</label>
      <div class="field-box">
        <select
          id={id}
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = options[currentTarget.selectedIndex]?.[0];
            if (chosen !== undefined) onChoose(chosen);
          }}
        >
          {options.map(([one, name]) => (
            <option key={one} value={one}>{name}</option>
          ))}
        </select>
      </div>
      {hint !== undefined && <p class="hint">{hint}</p>}
    </div>
  );
}

/**
 * What most people leave as it is; closed until it is wanted, or `open`
 * says that something in it is to be put right. It closes only by hand: not
 * while it is put right.
 */
export function Options(
  { label, open = false, children }: {
    readonly label: string;
    readonly open?: boolean;
    readonly children: ComponentChildren;
  },
) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (open && details.current !== null) details.current.open = true;
  }, [open]);
  return (
    <details class="options" ref={details}>
      <summary>
        <Icon name="right" />
        <span>{label}</span>
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}

/** One of a few, each with what it means. */
export function Radios<T extends string>(
  { label, value, options, onChoose }: {
    readonly label: string;
    readonly value: T;
    readonly options: readonly (readonly [
      value: T,
      label: string,
      hint: string,
    ])[];
    readonly onChoose: (value: T) => void;
  },
) {
  const id = useId();
  return (
    <fieldset class="radios">
      <legend>{label}</legend>
      {options.map(([one, name, hint]) => (
        <div class="check-line" key={one}>
          <input
            type="radio"
            name={id}
            id={`${id}-${one}`}
            checked={one === value}
            aria-describedby={`${id}-${one}-hint`}
            onChange={() => onChoose(one)}
          />
          <label for={`${id}-${one}`}>{name}</label>
          <div id={`${id}-${one}-hint`} class="hint">{hint}</div>
        </div>
      ))}
    </fieldset>
  );
}

/** Yes or no, and what it means. */
export function Check(
  { label, checked, onChange, disabled = false, children }: {
    readonly label: string;
    readonly checked: boolean;
    readonly onChange: (checked: boolean) => void;
    readonly disabled?: boolean;
    /** A hint. */
    readonly children?: ComponentChildren;
  },
) {
  const id = useId();
  return (
    <div class="check-line">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={children === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {children !== undefined && (
        <div id={`${id}-hint`} class="hint">{children}</div>
      )}
    </div>
  );
}

/**
 * Something that is on or off, and takes effect at once. It shows what is the
 * case: after `onChange` it changes when `isOn` does.
 */
export function Switch(
  { label, isOn, onChange, disabled = false, children }: {
    readonly label: string;
    readonly isOn: boolean;
    readonly onChange: (isOn: boolean) => void;
    readonly disabled?: boolean;
    /** A hint. */
    readonly children?: ComponentChildren;
  },
) {
  const id = useId();
  return (
    <div class="check-line switch">
      <input
        type="checkbox"
        role="switch"
        id={id}
        checked={isOn}
        disabled={disabled}
        aria-describedby={children === undefined ? undefined : `${id}-hint`}
        onChange={({ currentTarget }) => {
          currentTarget.checked = isOn;
          onChange(!isOn);
        }}
      />
      <label for={id}>{label}</label>
      {children !== undefined && (
        <div id={`${id}-hint`} class="hint">{children}</div>
      )}
    </div>
  );
}
