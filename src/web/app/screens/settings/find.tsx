/**
 * The settings page `find`: what devices look for in photos.
 *
 * @module
 */
import { messages } from "../../messages.ts";
import { FindingsSwitch, ofThings, ofWords } from "../findings/choice.tsx";
import { FacesSwitch } from "../people/choice.tsx";
import { Group } from "./parts.tsx";

/** The page `find`. */
export function Find() {
  return (
    <Group why={messages.value.settings.find.why}>
      <FacesSwitch />
      <FindingsSwitch kind={ofThings()} />
      <FindingsSwitch kind={ofWords()} />
    </Group>
  );
}
