/**
 * What was added last, by the day of adding.
 *
 * @module
 */
import { messages } from "../../messages.ts";
import { useTitle } from "../../title.ts";
import { Photographs } from "../photos.tsx";

/** The view at `#/recent`. */
export function Recent() {
  const { remarks } = messages.value;
  useTitle(remarks.recent);
  return <Photographs source={{ kind: "recent" }} title={remarks.recent} />;
}
