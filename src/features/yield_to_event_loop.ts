import type { Platform } from "../core/platform.ts";

/** Lets other requests use the event loop. */
export function yieldToEventLoop(
  { platform }: { readonly platform: Pick<Platform, "sleep"> },
): Promise<void> {
  return platform.sleep(0, new AbortController().signal);
}
