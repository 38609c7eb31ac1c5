/**
 * The app's only Trusted Types policy, which makes the addresses of the app's
 * own Workers and nothing else. The page's Content-Security-Policy names it.
 *
 * @module
 */

/** The address of a file of this build. */
export function fileAddress(name: string): string {
  return new URL(name, import.meta.url).href;
}

/** The scripts that the app runs in threads. */
export type Thread =
  | "vault.js"
  | "media.js"
  | "sealing.js"
  | "link.js"
  | "guest_box.js"
  | "faces.js"
  | "films.js"
  | "picture_text.js"
  | "abroad.js";

interface Policy {
  createScriptURL(input: string): string;
}

interface Factory {
  createPolicy(
    name: string,
    rules: { createScriptURL(input: string): string },
  ): Policy;
}

declare global {
  var trustedTypes: Factory | undefined;
}

const ADDRESSES = new Map<string, string>([
  ["sw.js", `${location.origin}/sw.js`],
]);
for (
  const name
    of "vault media sealing link guest_box faces films picture_text abroad"
      .split(" ")
) {
  ADDRESSES.set(`${name}.js`, fileAddress(`${name}.js`));
}

const rules = {
  createScriptURL(input: string): string {
    const address = ADDRESSES.get(input);
    if (address === undefined) throw new TypeError("not a thread of this app");
    return address;
  },
};

const policy = globalThis.trustedTypes?.createPolicy("strongroom", rules) ??
  rules;

/** The trusted address of a thread, for its constructor. */
export function threadAddress(thread: Thread | "sw.js"): string {
  return policy.createScriptURL(thread);
}
