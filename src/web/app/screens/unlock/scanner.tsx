/**
 * Reading a QR code with the camera. Loaded with the first scan.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import decodeQR from "qr/decode.js";
import { messages } from "../../messages.ts";

const WIDEST = 640;
const BETWEEN_MS = 120;

/** Shows the camera's picture and passes on the code found in it. */
export function Scanner(
  { onFound, onFailed }: {
    readonly onFound: (text: string) => void;
    readonly onFailed: () => void;
  },
) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    const begin = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({
          video: { facingMode: "environment" },
        });
        if (gone || video.current === null) return stop();
        video.current.srcObject = stream;
        await video.current.play();
        look();
      } catch {
        if (!gone) onFailed();
      }
    };
    const stop = () => {
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    const look = () => {
      const text = video.current === null ? undefined : seen(video.current);
      if (text !== undefined) onFound(text);
      if (!gone) timer = setTimeout(look, BETWEEN_MS);
    };
    begin();
    return () => {
      gone = true;
      stop();
    };
  }, []);
  return (
    <div class="scanner">
      <video ref={video} muted playsInline />
      <p class="quiet small">{messages.value.entry.scanWait}</p>
    </div>
  );
}

/** Reads the QR code in the camera's present picture. */
function seen(video: HTMLVideoElement): string | undefined {
  const scale = Math.min(1, WIDEST / Math.max(1, video.videoWidth));
  const width = Math.round(video.videoWidth * scale);
  const height = Math.round(video.videoHeight * scale);
  if (width === 0) return undefined;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return undefined;
  context.drawImage(video, 0, 0, width, height);
  try {
    return decodeQR(context.getImageData(0, 0, width, height));
  } catch {
    // There is no code in this picture.
    return undefined;
  }
}
