/**
 * Films in codecs that not every browser plays, made by Debian's ffmpeg.
 *
 * @module
 */
import { FFMPEG } from "./videos.ts";

/** What a film is to be. */
interface WantedFilm {
  readonly video: "av1" | "h264" | "hevc" | "vp9";
  /** Such as `1920x1080`. */
  readonly size: string;
  readonly seconds: number;
  /** Without sound if absent. */
  readonly audio?: "aac" | "opus" | "pcm";
  /** Degrees that a player turns it by. */
  readonly turned?: 90;
}

const VIDEO = {
  av1: ["-c:v", "libsvtav1", "-preset", "12", "-crf", "45"],
  h264: ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "30"],
  hevc: ["-c:v", "libx265", "-preset", "ultrafast", "-crf", "32"],
  vp9: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"],
};
const AUDIO = {
  aac: ["-c:a", "aac", "-b:a", "64k"],
  opus: ["-c:a", "libopus", "-b:a", "64k"],
  pcm: ["-c:a", "pcm_s16le"],
};

/** Makes one: MP4, or Matroska where its sound needs that. */
export async function madeFilm(
  { video, size, seconds, audio, turned }: WantedFilm,
): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-film-" });
  const ending = audio === "pcm" ? "mkv" : "mp4";
  try {
    const path = `${folder}/film.${ending}`;
    const tag = video === "hevc" && audio !== "pcm" ? ["-tag:v", "hvc1"] : [];
    await ffmpeg([
      ...["-f", "lavfi", "-i", `testsrc2=s=${size}:r=25:d=${seconds}`],
      ...audio === undefined
        ? []
        : ["-f", "lavfi", "-i", `sine=f=440:d=${seconds}`],
      ...VIDEO[video],
      ...tag,
      ...["-pix_fmt", "yuv420p", "-g", "50"],
      ...audio === undefined ? [] : AUDIO[audio],
      // Where it was filmed, as phones write it.
      ...["-metadata", "location=+46.0000+009.2000/"],
      path,
    ]);
    const film = await Deno.readFile(path);
    return turned === undefined ? film : turnedBy90(film);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Has a player turn it, as phones do: by the matrix of its first track. */
function turnedBy90(
  film: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const name = new TextEncoder().encode("tkhd");
  const at = film.findIndex((_, n) =>
    name.every((byte, i) => film[n + i] === byte)
  );
  const view = new DataView(film.buffer, film.byteOffset + at + 44);
  const one = 0x1_0000;
  [0, one, 0, -one, 0, 0, 0, 0, 0x4000_0000].forEach((value, n) =>
    view.setInt32(4 * n, value)
  );
  return film;
}

async function ffmpeg(args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(FFMPEG, {
    args: ["-v", "error", "-nostdin", ...args],
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** What ffprobe tells of a film. */
interface ProbedFilm {
  /** Such as `h264 1280x720`, with the sides before it is turned. */
  readonly video: string;
  readonly audio: string | undefined;
  readonly turned: number;
  readonly seconds: number;
  /** Everything that is said of the file, as text. */
  readonly tags: string;
}

/** Looks into a film with Debian's ffprobe. */
export async function probed(film: Uint8Array): Promise<ProbedFilm> {
  const path = await Deno.makeTempFile({ prefix: "strongroom-film-" });
  try {
    await Deno.writeFile(path, film);
    const { stdout } = await new Deno.Command(
      FFMPEG.replace(/mpeg$/, "probe"),
      {
        args: [
          "-v",
          "error",
          "-show_streams",
          "-show_format",
          "-of",
          "json",
          path,
        ],
      },
    ).output();
    const { streams, format } = JSON.parse(new TextDecoder().decode(stdout));
    const of = (kind: string) =>
      streams.find((one: { codec_type: string }) => one.codec_type === kind);
    const { codec_name, width, height, side_data_list: [side] = [] } = of(
      "video",
    );
    return {
      video: `${codec_name} ${width}x${height}`,
      audio: of("audio")?.codec_name,
      turned: side?.rotation ?? 0,
      seconds: Number(format.duration),
      tags: JSON.stringify(format.tags ?? {}),
    };
  } finally {
    await Deno.remove(path);
  }
}
