/**
 * Videos of any size, made by Debian's ffmpeg out of eight seconds of noise
 * that are repeated. Their tables stand behind the pictures, as cameras write
 * them.
 *
 * @module
 */
import { debianProgram } from "./debian.ts";

/** Empty where there is no ffmpeg. */
export const FFMPEG = await debianProgram("ffmpeg", "ffmpeg") ?? "";

/** How large the video is: 300 in the nightly run. */
const MIB = Number(Deno.env.get("TEST_VIDEO_MIB") ?? "24");
const PART_SECONDS = 8;
/** Of a part at its two megabits a second and some. */
const PART_BYTES = 2_200_000;
const PARTS = Math.ceil(MIB * 1024 * 1024 / PART_BYTES);

/** How long the video is. */
export const VIDEO_SECONDS = PARTS * PART_SECONDS;

/** The video. */
export function madeVideo(): Promise<Uint8Array<ArrayBuffer>> {
  return videoOf(PARTS);
}

/** A video of eight seconds. */
export function shortVideo(): Promise<Uint8Array<ArrayBuffer>> {
  return videoOf(1);
}

async function videoOf(parts: number): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-video-" });
  try {
    const part = `${folder}/part.mp4`;
    const picture = `testsrc2=s=480x270:r=25:d=${PART_SECONDS},` +
      "noise=alls=12:allf=t";
    await ffmpeg(
      ["-f", "lavfi", "-i", picture],
      ["-f", "lavfi", "-i", `sine=f=440:d=${PART_SECONDS}`],
      ["-c:v", "libx264", "-preset", "ultrafast", "-b:v", "2M", "-g", "50"],
      ["-c:a", "aac", "-b:a", "64k", part],
    );
    const video = `${folder}/video.mp4`;
    await ffmpeg(
      ["-stream_loop", String(parts - 1), "-i", part, "-c", "copy", video],
    );
    return await Deno.readFile(video);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function ffmpeg(...args: readonly (readonly string[])[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(FFMPEG, {
    args: ["-v", "error", "-nostdin", ...args.flat()],
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
