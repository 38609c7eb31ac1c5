/**
 * The name of this browser in the list of devices.
 *
 * @module
 */

/**
 * A name that a person recognises, in a language of the app: `Firefox on Linux`,
 * `Firefox unter Linux`.
 */
export function browserName(agent: string, language = "en"): string {
  const browser = [
    ["Edg/", "Edge"],
    ["OPR/", "Opera"],
    ["Firefox/", "Firefox"],
    ["Chrome/", "Chrome"],
    ["Safari/", "Safari"],
  ].find(([mark = ""]) => agent.includes(mark))?.[1] ?? "Browser";
  const [, system, german = ""] = [
    ["Android", "Android", "unter Android"],
    ["iPhone", "iPhone", "auf dem iPhone"],
    ["iPad", "iPad", "auf dem iPad"],
    ["Mac OS X", "Mac", "auf dem Mac"],
    ["Windows", "Windows", "unter Windows"],
    ["Linux", "Linux", "unter Linux"],
  ].find(([mark = ""]) => agent.includes(mark)) ?? [];
  if (system === undefined) return browser;
  return language === "de" ? `${browser} ${german}` : `${browser} on ${system}`;
}
