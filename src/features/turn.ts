import type { Platform } from "../core/platform.ts";

/** Lets those have their turn who wait for the one thread. */
export function takeTurn(
  { platform }: { readonly platform: Pick<Platform, "sleep"> },
): Promise<void> {
  return platform.sleep(0, new AbortController().signal);
}
