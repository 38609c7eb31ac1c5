/**
 * The name of this browser in the list of devices.
 *
 * @module
 */
import { messages } from "../../messages.ts";

const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;

const SYSTEMS = [
  ["Android", "android"],
  ["iPhone", "iphone"],
  ["iPad", "ipad"],
  ["Mac OS X", "mac"],
  ["Windows", "windows"],
  ["Linux", "linux"],
] as const;

/** A name that a person recognises: `Firefox on Linux`. */
export function browserName(agent = navigator.userAgent): string {
  const { browsers } = messages.value.entry;
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1] ??
    browsers.unknown;
  const system = SYSTEMS.find(([mark]) => agent.includes(mark))?.[1];
  return system === undefined ? browser : browsers[system]({ browser });
}
