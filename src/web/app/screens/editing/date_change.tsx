/**
 * Choosing what becomes of the dates of photos.
 *
 * @module
 */
import { shiftIn, type TakenEdit } from "../../../../library/adding/edits.ts";
import { OFFSETS, zoneText } from "../../showing/lightbox/info_text.ts";
import { Choice } from "../../parts/choices.tsx";
import { Field } from "../../parts/form.tsx";
import { messages } from "../../messages.ts";

/** A change of dates as it is typed. */
export interface DateChange {
  readonly kind: "keep" | TakenEdit["kind"];
  readonly day: string;
  readonly time: string;
  readonly shift: string;
  /** Whether `shift` was found to be no number of hours. */
  readonly isNoShift: boolean;
  /** Minutes east of UTC. */
  readonly zone: number;
}

/** Dates stay as they are. */
export const DATES_KEPT: DateChange = {
  kind: "keep",
  day: "",
  time: "12:00",
  shift: "",
  isNoShift: false,
  zone: 0,
};

/** Whether it is to shift the dates by something that is no number of hours. */
export function lacksShift({ kind, shift }: DateChange): boolean {
  return kind === "shift" && shiftIn(shift) === undefined;
}

/** The change as the library takes it; undefined for none. */
export function takenEdit(
  { kind, day, time, shift, zone }: DateChange,
): TakenEdit | undefined {
  switch (kind) {
    case "set": {
      const clock = time.length === 5 ? `${time}:00` : time;
      return { kind, local: Date.parse(`${day}T${clock}Z`) };
    }
    case "shift":
      return { kind, minutes: shiftIn(shift) ?? 0 };
    case "zone":
      return { kind, offset: zone };
    default:
      return undefined;
  }
}

/** The fields of a change of dates. */
export function DateFields(
  { of: { kind, day, time, shift, isNoShift, zone }, onChange }: {
    readonly of: DateChange;
    readonly onChange: (part: Partial<DateChange>) => void;
  },
) {
  const { editing, lightbox: { about } } = messages.value;
  return (
    <>
      <Choice
        label={about.date}
        value={kind}
        options={[
          ["keep", editing.keepDate],
          ["set", editing.setDate],
          ["shift", editing.shiftDate],
          ["zone", editing.setZone],
        ]}
        onChoose={(kind) => onChange({ kind })}
      />
      {kind === "set" && (
        <>
          <Field
            label={editing.day}
            type="date"
            required
            min="1826-01-01"
            max="9998-12-31"
            value={day}
            onInput={(day) => onChange({ day })}
          />
          <Field
            label={about.time}
            type="time"
            step={1}
            required
            value={time}
            onInput={(time) => onChange({ time })}
          />
        </>
      )}
      {kind === "shift" && (
        <Field
          label={editing.hours}
          hint={editing.hoursHint}
          required
          value={shift}
          fault={isNoShift ? editing.noShift : undefined}
          onInput={(shift) => onChange({ shift, isNoShift: false })}
        />
      )}
      {kind === "zone" && (
        <Choice
          label={about.zone}
          hint={editing.zoneHint}
          value={String(zone)}
          options={OFFSETS.map((one) => [String(one), zoneText(one)])}
          onChoose={(one) => onChange({ zone: Number(one) })}
        />
      )}
    </>
  );
}
