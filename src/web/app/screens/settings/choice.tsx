/**
 * A choice of several.
 *
 * @module
 */
import { useId } from "preact/hooks";

/** A list to choose from, with its name above. */
export function Choice(
  { label, value, options, onChange }: {
    readonly label: string;
    readonly value: string;
    readonly options: readonly (readonly [value: string, name: string])[];
    readonly onChange: (value: string) => void;
  },
) {
  const id = useId();
  return (
    <div class="field one-of">
      <label for={id}>{label}</label>
      <div class="field-box">
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map(([one, name]) => (
            <option key={one} value={one} selected={one === value}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
