/**
 * The photos and videos that take most of the storage.
 *
 * @module
 */
import { messages } from "../../messages.ts";
import { useTitle } from "../../title.ts";
import { Photographs } from "../photos.tsx";

/** The view at `#/largest`. */
export function Largest() {
  const { settings } = messages.value;
  useTitle(settings.largest);
  return <Photographs source={{ kind: "largest" }} title={settings.largest} />;
}
