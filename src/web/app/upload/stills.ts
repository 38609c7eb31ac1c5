/**
 * Taking a picture from a video, which needs a player in a page.
 *
 * @module
 */
import { addressOf, typed } from "../addresses.ts";
import { sleep } from "../../browser.ts";

/** Longest wait for a player to show something (ms). */
const PATIENCE_MS = 8_000;
/**
 * Position of the picture, because the first moments are often black (seconds).
 */
const INTO_S = 1;

/**
 * A frame near the beginning, to be closed by whoever asks: a thread gets a
 * copy. Undefined if this browser cannot play the video.
 */
export async function stillOf(file: File): Promise<ImageBitmap | undefined> {
  if (file.size === 0) return undefined;
  const video = await typed(file);
  if (!video.type.startsWith("video/")) return undefined;
  const address = addressOf(video);
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
