/**
 * Asking for a place: the name of a town, or coordinates.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { Position, Town } from "../../../../media/places/gazetteer.ts";
import { countryName } from "../../../../library/finding/place_names.ts";
import { sleep } from "../../../browser.ts";
import { faultText } from "../../faults.ts";
import { Button } from "../../parts/controls.tsx";
import { Field } from "../../parts/form.tsx";
import { vault } from "../../vault.ts";
import { locale, messages } from "../../messages.ts";
import { placeText } from "./info_text.ts";

/** While someone types (ms). */
const PAUSE_MS = 150;

/** `Bellagio, Italy`. */
export function townText({ name, country }: Town, language: string): string {
  return `${name}, ${countryName(country, language)}`;
}

/** `47.3769, 8.5417`, as maps have it. */
const COORDINATES =
  /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,; ]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;

/** The position that a text gives; undefined for any other text. */
function positionIn(text: string): Position | undefined {
  const [, latitude, longitude] = COORDINATES.exec(text) ?? [];
  if (latitude === undefined || longitude === undefined) return undefined;
  const place = { latitude: Number(latitude), longitude: Number(longitude) };
  const exists = Math.abs(place.latitude) <= 90 &&
    Math.abs(place.longitude) <= 180;
  return exists ? place : undefined;
}

/** A field for a place, with the towns that are meant below. */
export function PlaceChoice(
  { label, busy, autofocus = false, onMean, onChoose, onFault }: {
    readonly label: string;
    readonly busy: boolean;
    readonly autofocus?: boolean;
    /** The place that the text means as it is; undefined if it means none. */
    readonly onMean: (place: Position | undefined) => void;
    readonly onChoose: (place: Position, text: string) => void;
    readonly onFault: (text: string) => void;
  },
) {
  const { about } = messages.value.lightbox;
  const tag = locale.value;
  const [typed, setTyped] = useState("");
  const [towns, setTowns] = useState<readonly Town[]>();
  const position = positionIn(typed);
  useEffect(() => {
    let gone = false;
    // What was found for another text is not meant any more.
    onMean(position);
    const look = async () => {
      await sleep(PAUSE_MS);
      if (gone || typed.trim() === "") return setTowns(undefined);
      const found = await vault().places.named(typed.slice(0, 100));
      if (gone) return;
      setTowns(found);
      onMean(position ?? found[0]);
    };
    look().catch((error) => {
      if (!gone) onFault(faultText(error));
    });
    return () => {
      gone = true;
    };
  }, [typed]);
  const choices = position !== undefined
    ? [{ at: position, text: placeText(position, tag, about.compass) }]
    : towns?.map((at) => ({ at, text: townText(at, tag) }));
  return (
    <>
      <Field
        label={label}
        hint={about.placeHint}
        autofocus={autofocus}
        required
        autocomplete="off"
        maxLength={100}
        value={typed}
        onInput={setTyped}
      />
      <div role="status">
        {choices?.length === 0 && <p class="quiet">{about.placeUnknown}</p>}
        {choices !== undefined && choices.length > 0 && (
          <ul class="towns">
            {choices.map(({ at, text }, number) => (
              <li key={`${at.latitude} ${at.longitude}`}>
                <Button
                  busy={busy}
                  {
                    // The default.
                    ...(number === 0 ? { icon: "done" } : {})
                  }
                  onClick={() =>
                    onChoose(at, text)}
                >
                  {text}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}
