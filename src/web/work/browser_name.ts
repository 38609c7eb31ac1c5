/**
 * The name of this browser in the list of devices.
 *
 * @module
 */

/** A name that a person recognises: `Firefox on Linux`. */
export function browserName(agent: string): string {
  const browser = [
    ["Edg/", "Edge"],
    ["OPR/", "Opera"],
    ["Firefox/", "Firefox"],
    ["Chrome/", "Chrome"],
    ["Safari/", "Safari"],
  ].find(([mark = ""]) => agent.includes(mark))?.[1] ?? "Browser";
  const system = [
    ["Android", "Android"],
    ["iPhone", "iPhone"],
    ["iPad", "iPad"],
    ["Mac OS X", "Mac"],
    ["Windows", "Windows"],
    ["Linux", "Linux"],
  ].find(([mark = ""]) => agent.includes(mark))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}
