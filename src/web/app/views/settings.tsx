/**
 * The account: profile, security, devices, room, language.
 *
 * @module
 */
import { words } from "../words.ts";

/** The view at `#/settings`. */
export function Settings() {
  return <h1>{words.value.settings.title}</h1>;
}
