/**
 * Choosing a place for photos.
 *
 * @module
 */
import type { Position } from "../../../../media/places/gazetteer.ts";
import { PlaceChoice } from "../../showing/lightbox/place_choice.tsx";
import { Choice } from "../../parts/choices.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { messages } from "../../messages.ts";

/** A change of places as it is chosen. */
export interface PlaceChange {
  readonly isSet: boolean;
  /** The place that the typed text means as it is. */
  readonly meant: Position | undefined;
  /** The place that was chosen, and how it is written. */
  readonly chosen: { readonly at: Position; readonly text: string } | undefined;
  /** Whether it was found to lack a place. */
  readonly lacksPlace: boolean;
}

/** Places stay as they are. */
export const PLACES_KEPT: PlaceChange = {
  isSet: false,
  meant: undefined,
  chosen: undefined,
  lacksPlace: false,
};

/** The new place; undefined for none. */
export function newPlace(
  { isSet, meant, chosen }: PlaceChange,
): Position | undefined {
  return isSet ? chosen?.at ?? meant : undefined;
}

/** The fields of a change of places. */
export function PlaceFields(
  { of: { isSet, chosen, lacksPlace }, onChange, onFault }: {
    readonly of: PlaceChange;
    readonly onChange: (part: Partial<PlaceChange>) => void;
    readonly onFault: (text: string) => void;
  },
) {
  const { editing, lightbox: { about } } = messages.value;
  return (
    <>
      <Choice
        label={about.place}
        value={isSet ? "set" : "keep"}
        options={[["keep", editing.keepPlace], ["set", editing.setPlace]]}
        onChoose={(next) =>
          onChange({ isSet: next === "set", chosen: undefined })}
      />
      {isSet && (chosen === undefined
        ? (
          <PlaceChoice
            label={editing.where}
            busy={false}
            onMean={(meant) => onChange({ meant })}
            onChoose={(at, text) => onChange({ chosen: { at, text } })}
            onFault={onFault}
          />
        )
        : (
          <p class="chosen-place">
            <span role="status">{chosen.text}</span>
            <Button
              kind="quiet"
              onClick={() => onChange({ chosen: undefined })}
            >
              {about.placeEdit}
            </Button>
          </p>
        ))}
      {lacksPlace && <Notice kind="warn">{about.placeUnknown}</Notice>}
    </>
  );
}
