/**
 * A picture out of a film, which only a page's player can take.
 *
 * @module
 */
import { sleep } from "../../browser.ts";

/** A player that has not shown anything after this never will (ms). */
const PATIENCE_MS = 8_000;
/** The first moments are often black (seconds). */
const INTO_S = 1;

/** A frame near the beginning; undefined where this browser cannot play it. */
export async function frameOf(file: File): Promise<ImageBitmap | undefined> {
  if (file.size === 0) return undefined;
  const address = URL.createObjectURL(file);
  const player = document.createElement("video");
  const ended = new AbortController();
  try {
    player.muted = true;
    player.preload = "auto";
    player.playsInline = true;
    player.src = address;
    const shown = async () => {
      await happened(player, "loadeddata", ended.signal);
      player.currentTime = Math.min(INTO_S, player.duration / 2 || 0);
      await happened(player, "seeked", ended.signal);
      return await createImageBitmap(player);
    };
    return await Promise.race([
      shown(),
      sleep(PATIENCE_MS, ended.signal).then(() => undefined),
    ]);
  } catch {
    return undefined;
  } finally {
    ended.abort();
    player.removeAttribute("src");
    player.load();
    URL.revokeObjectURL(address);
  }
}

function happened(
  player: HTMLVideoElement,
  event: "loadeddata" | "seeked",
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const once = { once: true, signal };
    player.addEventListener(event, () => resolve(), once);
    player.addEventListener("error", () => reject(player.error), once);
  });
}
